"""What buyers ask before a demo, and the answers: specified figures, and the operator's facts."""

from dataclasses import dataclass

from voice_site.content.facts import ShownFact, price_of_one_more, shown
from voice_site.content.plans import PLANS
from voice_site.domain.facts import FactName, Facts
from voice_site.translations import t

_BASE, _PRO, _ENTERPRISE = PLANS


@dataclass(frozen=True)
class Question:
    """A question and its answer, each as plain text; `facts` stand below the answer."""

    question: str
    answer: str
    facts: tuple[ShownFact, ...] = ()

    @property
    def whole_answer(self) -> str:
        """Return the answer with its facts, a line for each."""
        facts = (f"{fact.label}: {fact.value}" for fact in self.facts)
        return "\n".join(filter(None, [self.answer, *facts]))


def questions(facts: Facts) -> tuple[Question, ...]:
    """Return the questions in the order of the page, without those that have no answer."""
    return tuple(each for each in _questions(facts) if each.whole_answer)


def _questions(facts: Facts) -> tuple[Question, ...]:
    return (
        Question(
            t("What happens to what callers say?"),
            t(
                "We agree with you in writing, before the first call, what is kept, where and"
                " for how long. Persistent memory of callers is part of {enterprise_name} alone.",
                enterprise_name=_ENTERPRISE.name,
            ),
            shown(facts, FactName.HOSTING),
        ),
        Question(
            t("Which languages does TARA speak?"),
            t(
                "{base_name} speaks five Indian languages, {pro_name} more than fifteen;"
                " {enterprise_name} has no limit. English and Hindi have a voice, which you can"
                " hear on this page; the voices of the others are in preparation.",
                base_name=_BASE.name,
                pro_name=_PRO.name,
                enterprise_name=_ENTERPRISE.name,
            ),
        ),
        Question(
            t("How is it connected to our systems?"),
            t(
                "The demo begins with the process and the systems of your desk. From"
                " {pro_name} on, TARA fills in forms and registers callers while they speak.",
                pro_name=_PRO.name,
            ),
            shown(facts, FactName.SYSTEMS),
        ),
        Question(
            t("Does it work with our phone numbers?"),
            "",
            shown(facts, FactName.NUMBERS, FactName.TELEPHONY, FactName.CONCURRENCY),
        ),
        Question(
            t("What does it cost?"),
            t(
                "{base_price} a month for up to {base_limit} interactions, {pro_price} for up to"
                " {pro_limit}, and {enterprise_price} without a limit. If all interactions of"
                " a month are used, one costs {base_each} with {base_name} and {pro_each}"
                " with {pro_name}.",
                base_price=_BASE.price,
                pro_price=_PRO.price,
                enterprise_price=_ENTERPRISE.price,
                base_limit=_BASE.limit,
                pro_limit=_PRO.limit,
                base_each=_BASE.interaction_price,
                pro_each=_PRO.interaction_price,
                base_name=_BASE.name,
                pro_name=_PRO.name,
            ),
            (
                *shown(facts, FactName.INTERACTION),
                *price_of_one_more(facts),
                *shown(facts, FactName.GST, FactName.SET_UP),
            ),
        ),
        Question(
            t("When does a person take over?"),
            t(
                "When the caller asks for one, or when the request is beyond what TARA may"
                " decide. It tells your colleague what the call is about, as in the scripted"
                " calls on this page."
            ),
            shown(facts, FactName.HAND_OVER),
        ),
        Question(
            t("How accurate is it?"),
            t(
                "That depends on the language, the line and the question, so we publish no"
                " single figure. Bring your callers’ own questions to the demo and judge the"
                " answers yourself."
            ),
        ),
        Question(
            t("How long is the contract?"),
            t(
                "Prices are per month. The term, and how either side ends it, are part of your"
                " offer."
            ),
            shown(facts, FactName.NOTICE),
        ),
        Question(t("How soon can TARA answer our calls?"), "", shown(facts, FactName.GO_LIVE)),
        Question(
            t("Can we try it first?"),
            t("Yes. Hear TARA on this page, then request a demo; we contact you within 24 hours."),
        ),
    )
