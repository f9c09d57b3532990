"""Find texts of a page that are not in the visitor's language."""

import csv
import re
from functools import cache

from playwright.sync_api import Page

from kit.translations import ENGLISH, language, page_language
from tests.helpers.product import ROOT

_LATIN = re.compile(r"[A-Za-z][A-Za-zÀ-ž'’]+")
_NAMES = frozenset(
    {"FOOD", "points", "UPI", "GST", "Gmail", "ORDER", "ID"}
    | {"TARA", "BASE", "PRO", "ENTERPRISE", "DA'VINCI", "DA", "VINCI", "Aarohi", "Davin", "Tech"}
    | {"Cormorant", "Ysabeau", "Kokoro", "int", "Apache", "Chrome", "Safari", "Firefox", "ms"}
    | {"Stivers", "et", "al", "AssemblyAI", "MLPerf", "Nielsen", "ITU"}
)
"""Names that are the same in every language."""
_PERSONAL = re.compile(
    r"Aarav Sharma|AARAV SHARMA|Meera Iyer|MEERA IYER|Hostel \d, (B block, )?room \d+"
    r"|\((Request )?Desktop (site|version|Website)\)|Power cut in the kitchen|\S+@\S+|#?AS_\d+"
    r"|\b[0-9a-f]{8}\b"
)
"""Personal data and texts of restaurants, order numbers, and ids of kitchens' devices."""
_UNTRANSLATED_URLS = re.compile(r"//[^/]+/(sandbox|api)/.*$")
"""Developers' pages, which are not translated."""

_COLLECT_TEXTS = """() => {
  const own = document.documentElement;
  const isOwn = (element) => (element.closest("[lang]") ?? own) === own;
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!/^(script|style|template|noscript)$/i.test(element.tagName) && isOwn(element))
      texts.push(walker.currentNode.data);
  }
  for (const element of document.body.querySelectorAll("*"))
    if (isOwn(element))
      for (const name of ["alt", "title", "placeholder", "aria-label", "aria-description"])
        if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
  return texts;
}"""


def expect_translated(page: Page, state: str) -> None:
    """Expect that all texts of a page are in the current language, including hidden ones."""
    if _UNTRANSLATED_URLS.search(page.url):
        return
    lang = page.evaluate("document.documentElement.lang")
    assert lang == page_language(language()), f"{state}: this page is in {lang}"
    if language() == ENGLISH:
        return
    texts = page.evaluate(_COLLECT_TEXTS)
    left = {text: words for text in texts if (words := _english(text))}
    assert not left, f"{state}: not in {lang}: {left}"


def _english(text: str) -> list[str]:
    known = _NAMES | _menu_words()
    return [word for word in _LATIN.findall(_PERSONAL.sub("", text)) if word not in known]


@cache
def _menu_words() -> frozenset[str]:
    """Return the words in names of restaurants and dishes."""
    words: set[str] = set()
    for file in (ROOT / "data").glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                own = (row.get(column) or "" for column in ("name", "description", "category"))
                words.update(word for text in own for word in _LATIN.findall(text))
    return frozenset(words)
