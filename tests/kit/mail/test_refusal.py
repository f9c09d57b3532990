"""What each reply of a mail server means for a mail. Source: specification P4.13."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.mail.refusal import Refusal, Stage, Verdict


@pytest.mark.parametrize(
    ("stage", "code", "text", "verdict"),
    [
        pytest.param(Stage.RECIPIENT, 450, "4.2.0 Greylisted", Verdict.TEMPORARY, id="greylisting"),
        pytest.param(Stage.SENDER, 421, "4.7.0 later", Verdict.TEMPORARY, id="421 at MAIL"),
        pytest.param(Stage.CONNECTION, 454, "4.7.0 later", Verdict.TEMPORARY, id="454 at AUTH"),
        pytest.param(Stage.CONNECTION, 554, "no", Verdict.NEEDS_OPERATOR, id="greeting"),
        pytest.param(Stage.CONNECTION, 535, "5.7.8 no", Verdict.NEEDS_OPERATOR, id="password"),
        pytest.param(Stage.SENDER, 550, "no", Verdict.NEEDS_OPERATOR, id="sender"),
        pytest.param(Stage.RECIPIENT, 504, "no", Verdict.NEEDS_OPERATOR, id="EHLO, seen at RCPT"),
        pytest.param(Stage.RECIPIENT, 530, "5.7.0 no", Verdict.NEEDS_OPERATOR, id="no login"),
        pytest.param(
            Stage.RECIPIENT, 550, "5.1.8 no", Verdict.NEEDS_OPERATOR, id="sender, seen at RCPT"
        ),
        pytest.param(Stage.RECIPIENT, 554, "5.7.1 no", Verdict.NEEDS_OPERATOR, id="no relaying"),
        pytest.param(Stage.CONTENT, 550, "5.7.26 no", Verdict.NEEDS_OPERATOR, id="SPF, DKIM"),
        pytest.param(Stage.RECIPIENT, 550, "5.1.1 no", Verdict.FINAL, id="no such mailbox"),
        pytest.param(Stage.RECIPIENT, 550, "no", Verdict.FINAL, id="without a status code"),
        pytest.param(Stage.RECIPIENT, 556, "5.1.10 no", Verdict.FINAL, id="domain without mail"),
        pytest.param(Stage.CONTENT, 554, "5.6.0 no", Verdict.FINAL, id="content"),
    ],
)
def test_verdict_says_who_can_repair_a_refusal(stage, code, text, verdict):
    assert Refusal.parse(stage, code, text).verdict is verdict


@given(st.sampled_from(Stage), st.integers(400, 499), st.text())
def test_verdict_is_temporary_for_every_4xx(stage, code, text):
    assert Refusal.parse(stage, code, text).verdict is Verdict.TEMPORARY


@given(st.sampled_from([Stage.CONNECTION, Stage.SENDER]), st.integers(400, 599), st.text())
def test_verdict_is_never_final_for_connection_and_sender(stage, code, text):
    assert Refusal.parse(stage, code, text).verdict is not Verdict.FINAL


def test_message_has_codes_but_no_text_of_the_server():
    refusal = Refusal.parse(Stage.RECIPIENT, 550, "5.1.1 <aarav@students.example> unknown")
    assert str(refusal) == "the mail server answered 550 5.1.1 to RCPT"
    assert str(Refusal.parse(Stage.CONTENT, 554, "no")) == "the mail server answered 554 to DATA"
