"""Detection of UTF-8 that was read in another encoding."""

from hypothesis import given
from hypothesis import strategies as st

from kit.mojibake import is_mojibake

LANGUAGES = {
    "French": "abcdefghijklmnopqrstuvwxyzàâçéèêëîïôœùûü",
    "Portuguese": "abcdefghijlmnopqrstuvxzáâãàçéêíóôõú",
    "Spanish": "abcdefghijlmnñopqrstuvxyzáéíóúü",
    "German": "abcdefghijklmnopqrstuvwxyzäöüß",
    "Swedish": "abcdefghijklmnopqrstuvxyzåäö",
    "Danish": "abcdefghijklmnopqrstuvxyzæøå",
    "Czech": "aábcčdďeéěfghiíjklmnňoóprřsštťuúůvyýzž",
    "Vietnamese": "aăâbcdđeêghiklmnoôơpqrstuưvxyàáảãạ",
    "Turkish": "abcçdefgğhıijklmnoöprsştuüvyz",
}
LATIN = [(letters, letters.upper().replace("SS", "")) for letters in LANGUAGES.values()]
DEVANAGARI = "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंः़्ज़फ़ड़"
TAMIL = "அஆஇஈஉஊஎஏஐஒஓகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோௌ்"
ARABIC = "ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیے"
BETWEEN = [" ", " ", "-", "–", " & ", "’", ", ", " / ", "\u00a0", "… "]
AROUND = [("", ""), ("", ""), ("“", "”"), ("(", ")"), ("« ", " »"), ("", "…"), ("", "™"), ("", "®")]


def words(letters):
    return st.text(st.sampled_from(letters), min_size=2, max_size=9)


def latin_words():
    small = st.sampled_from([each for each, _ in LATIN]).flatmap(words)
    capitals = st.sampled_from([each for _, each in LATIN]).flatmap(words)
    return st.one_of(small, capitals, small.map(str.title), words("0123456789"))


@st.composite
def names(draw):
    each = st.one_of(latin_words(), words(DEVANAGARI), words(TAMIL), words(ARABIC))
    name = draw(each)
    for _ in range(draw(st.integers(0, 3))):
        name += draw(st.sampled_from(BETWEEN)) + draw(each)
    before, behind = draw(st.sampled_from(AROUND))
    return f"{before}{name}{behind}"


def misread(text, encoding):
    """Return UTF-8 as Windows decodes it: bytes without a character become C1 controls."""
    raw = text.encode()
    if encoding == "latin-1":
        return raw.decode("latin-1")
    return "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in raw)


@given(names())
def test_is_mojibake_is_false_for_names_of_four_scripts(name):
    assert not is_mojibake(name)


@given(
    st.one_of(words(DEVANAGARI), words(TAMIL), words(ARABIC)).filter(
        lambda word: len(set(word)) > 2
    ),
    st.sampled_from(["cp1252", "latin-1", "mac_roman"]),
    st.sampled_from(["", "Special ", "2 × "]),
)
def test_is_mojibake_is_true_for_misread_names(word, encoding, before):
    assert is_mojibake(before + misread(word, encoding))


def test_is_mojibake_is_true_for_misread_words():
    for text in (
        *("Café", "Crème brûlée", "CRÈME", "à la carte", "voilà", "maître", "Öl", "Île flottante"),
        *("Jalapeño", "Straße", "‘Dal’ – best", "Chef’s", "₹50", "½ kg", "25°C", "Biryani…"),
        *("रोज़ की वेज थाली", "न"),
    ):
        for encoding in ("cp1252", "latin-1", "mac_roman"):
            assert is_mojibake(misread(text, encoding)), (text, encoding)
    assert is_mojibake(misread(misread("Café", "cp1252"), "cp1252"))


def test_is_mojibake_is_false_for_accents_before_punctuation():
    others = ("SMÅ…", "« voilà » …", "voilà®", "d’été")
    for text in ("CAFÉ’S", "“ROMÃ”", "MAÇÃ… VERDE", "ROMÃ\u00a0SUCO", *others):
        assert not is_mojibake(text), text
