"""Ten questions of a buyer, and where the page answers them. Source: specification V2.34, V2.72.

The tests' facts have a price of one more interaction, GST and phone numbers. Data location, notice
and the time until TARA answers rest on facts that are empty there, as all of them are in the file
that is shipped: what the page says without them stands here.
"""

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility import expect_no_violations
from tests.e2e.assistant_page import DESKTOP, open_page

ANSWERS = {
    "en": {
        "What does one more call cost?": ("What does it cost?", "₹12 with TARA BASE"),
        "Which languages does it speak?": ("Which languages does TARA speak?", "five Indian"),
        "Do we keep our number?": ("Does it work with our phone numbers?", "You keep your number"),
        "Where is our data?": ("What happens to what callers say?", "what is kept, where and for"),
        "Who answers when TARA cannot?": ("When does a person take over?", "tells your colleague"),
        "How do we cancel?": ("How long is the contract?", "how either side ends it"),
        "Is GST included?": ("What does it cost?", "Added to every price: 18%."),
        "Is it connected to our systems?": ("How is it connected to our systems?", "systems of"),
        "Can we try it?": ("Can we try it first?", "Hear TARA on this page"),
    },
    "hi": {
        "What does one more call cost?": ("इसका ख़र्च कितना है?", "TARA BASE में ₹12"),
        "Which languages does it speak?": ("TARA कौन सी भाषाएँ बोलती है?", "पाँच भारतीय भाषाएँ"),
        "Do we keep our number?": ("क्या यह हमारे फ़ोन नंबरों पर चलेगी?", "आपका नंबर वही रहता है"),
        "Where is our data?": ("कॉलर जो कहते हैं, उसका क्या होता है?", "क्या रखा जाए, कहाँ"),
        "Who answers when TARA cannot?": ("इंसान कब बात सँभालता है?", "वह आपके साथी को बता"),
        "How do we cancel?": ("कॉन्ट्रैक्ट कितने समय का होता है?", "कैसे ख़त्म कर सकता है"),
        "Is GST included?": ("इसका ख़र्च कितना है?", "हर कीमत पर 18% अलग से"),
        "Is it connected to our systems?": ("यह हमारे सिस्टम से कैसे जुड़ती है?", "सिस्टम से होती है"),
        "Can we try it?": ("क्या पहले आज़मा सकते हैं?", "इस पेज पर TARA को सुनें"),
    },
}
"""By the buyer's question: the question on the page, and words of its answer."""
UNANSWERED = {
    "en": ("How soon can TARA answer our calls?", "Where data is stored", "Notice"),
    "hi": ("TARA हमारी कॉल कब से लेने लगेगी?", "डेटा कहाँ रहता है", "नोटिस की अवधि"),
}
"""What is asked, or said, with a value of the facts alone."""


@pytest.fixture(params=["en", "hi"])
def language(request):
    return request.param


@pytest.fixture
def asked(visit, server, language):
    """The section of the questions, with each answer open."""
    page = visit(server, **DESKTOP, reduced_motion="reduce")
    open_page(page, f"/?desktop=true&language={language}")
    section = page.locator("#questions")
    for summary in section.locator("summary").all():
        summary.click()
    return section


def test_ten_questions_of_a_buyer_are_answered_on_the_page(asked, language):
    for buyers, (question, answer) in ANSWERS[language].items():
        details = asked.locator("details").filter(has=asked.page.get_by_text(question, exact=True))
        expect(details, buyers).to_have_count(1)
        expect(details.get_by_text(answer), buyers).to_be_visible()


def test_question_about_a_hidden_fact_is_not_asked(asked, language):
    for words in UNANSWERED[language]:
        expect(asked.get_by_text(words, exact=True)).to_have_count(0)


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_facts_fit_their_answer_and_have_no_barrier(asked, width):
    asked.page.set_viewport_size({"width": width, "height": 800})
    facts = asked.locator("dl").first
    expect(facts).to_be_visible()
    for part in facts.locator("dt, dd").all():
        assert part.evaluate("(it) => it.scrollWidth <= it.clientWidth"), part.inner_text()
    expect_no_violations(asked.page, f"facts, {width} px", "#questions")
