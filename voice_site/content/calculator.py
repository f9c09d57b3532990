"""The texts of the cost calculator; its limits are in `voice_site/domain/estimate.py`."""

from dataclasses import dataclass

from voice_site.content.plans import format_rupees
from voice_site.domain.constants import AGENT_RUPEES, ATTRITION_PERCENT
from voice_site.translations import t


@dataclass(frozen=True)
class Label:
    """The label of a figure, and the line below it: its source, or what it stands for."""

    text: str
    hint: str = ""


@dataclass(frozen=True)
class Group:
    """Figures under one heading, by their names in `FIGURES`."""

    legend: str
    labels: dict[str, Label]


def groups() -> tuple[Group, ...]:
    """Return the two groups: the visitor's own figures, and the assumptions."""
    return (
        Group(
            t("Your desk: enter your own figures"),
            {
                "conversations": Label(t("Conversations a month")),
                "agents": Label(t("Agents today")),
            },
        ),
        Group(
            t("Assumptions, not claims: change them"),
            {
                "cost": Label(
                    t("Cost per agent and month, ₹"),
                    t("Company figure: {figure}", figure=format_rupees(AGENT_RUPEES)),
                ),
                "attrition": Label(
                    t("Attrition a year, %"),
                    t("Company figure: {figure}", figure=f"{ATTRITION_PERCENT}%"),
                ),
                "replacement": Label(
                    t("Cost of replacing an agent, ₹"), t("Not counted while it is 0")
                ),
                "share": Label(t("Conversations that TARA takes over")),
            },
        ),
    )


def words() -> dict[str, str]:
    """Return the texts by their names in the component, which fills in their placeholders."""
    return {
        "today": t("Today"),
        "withTara": t("With TARA"),
        "agents": t("Agents: {agents}\u00a0×\u00a0{cost}"),
        "remaining": t("Agents who remain: {agents}\u00a0×\u00a0{cost}"),
        "leaving": t("Replacing {leaving} who leave a year"),
        "replacing": t("Replacing {leaving} who leave a year\u00a0× {replacement}\u00a0÷\u00a012"),
        "notCounted": t("not counted"),
        "fits": t(
            "{share}% of {conversations} conversations =\u00a0{taken}: within its limit of {limit}"
        ),
        "fitsAbove": t(
            "{share}% of {conversations} conversations =\u00a0{taken}: above {smaller}’s"
            " {smaller_limit}, within {limit}"
        ),
        "fitsAny": t(
            "{share}% of {conversations} conversations =\u00a0{taken}: above {smaller}’s"
            " {smaller_limit}; it has no limit"
        ),
        "total": t("Total a month"),
        "less": t("With these figures TARA costs {amount} less a month."),
        "more": t("With these figures TARA costs {amount} more a month."),
        "same": t("With these figures TARA costs the same."),
        "percent": t("{number}%"),
        "invalid": t("A whole number from {minimum} to {maximum}; the bill has {used}"),
        "demo": t("Request a demo"),
        "copy": t("Copy link"),
        "copied": t("Link copied"),
        "copyByHand": t("This browser did not copy it. Copy it from here:"),
        "link": t("Link with your figures"),
        "excluded": t(
            "An estimate, not an offer. Costs such as telephony and integration are not in it. Each"
            " conversation that TARA takes over counts as one interaction; agents who remain are"
            " rounded up to whole people."
        ),
    }
