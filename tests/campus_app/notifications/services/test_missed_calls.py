"""Missed calls through a telephone service: reported status, and at most one that rings.

Source: specification P4.2, P4.6 to P4.12.
"""

import asyncio
import itertools
import logging
from datetime import timedelta
from functools import partial

import pytest

from campus_app.operators.services.operations import Actor
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import DeskMessage
from kit.clock import from_ms
from kit.outbox.errors import OUTCOME_UNKNOWN
from tests.fakes.twilio import AUTH_TOKEN, OUR_NUMBER, VENDOR_PHONE, ApiError, Fault
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import mails, pay
from tests.helpers.tables import execute

pytestmark = [pytest.mark.anyio, sqlite_only]

SILENT = Fault(is_silent=True)
SHORT_TIMEOUT_SECONDS = 0.3
"""A timeout for servers that never answer; real answers may take longer on a busy machine."""
UNANSWERED_SECONDS = 8.0
"""A timeout for answers alone: half of it, that for connecting, is enough on a busy machine."""
LOST = Fault(drops=True, executes_first=True)
NEVER_ARRIVED = Fault(drops=True)
BUSY = Fault(503, 20503)
QUIET_WHEN_SERVED = ("httpx", "httpcore", "uvicorn")
"""Loggers that `campus_app.serve` silences, since they log URLs with numbers and tokens."""


def call_count(scenario):
    return len(scenario.fake.calls)


# Reported status


async def test_paid_order_calls_vendor_once_and_reports_success(scenario):
    stored = await scenario.paid()
    call = scenario.fake.only
    assert (call.to, call.from_) == (VENDOR_PHONE, OUR_NUMBER)
    assert await scenario.status(stored) == "pending"
    await scenario.move_call(call, "initiated", "ringing")
    assert await scenario.status(stored) == "pending"
    await scenario.move_call(call, "no-answer")
    assert await scenario.status(stored) == "success"
    await scenario.settle()
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


async def test_failed_call_is_retried_once_after_delay(scenario):
    stored = await scenario.paid()
    await scenario.move_call(scenario.fake.only, "failed")
    assert call_count(scenario) == 1
    await scenario.run_due_jobs(seconds=21)
    assert call_count(scenario) == 2
    await scenario.move_call(scenario.fake.newest, "ringing", "no-answer")
    assert await scenario.status(stored) == "success"


@pytest.mark.parametrize(("failed_after", "pause"), [(0, 20), (5, 15), (19, 1)])
async def test_retry_starts_20_s_after_first_attempt(scenario, failed_after, pause):
    stored = await scenario.paid()
    scenario.clock.advance(seconds=failed_after)
    await scenario.move_call(scenario.fake.only, "failed")
    job = await scenario.job(stored)
    assert from_ms(job.run_at_ms) == scenario.clock.now() + timedelta(seconds=pause)
    assert job.last_error == "the phone did not ring: failed"
    await scenario.run_due_jobs(seconds=pause)
    last = await scenario.services.missed_calls.attempts.latest(stored.order.id)
    assert (call_count(scenario), last.number) == (2, 2)


async def test_no_third_call_after_two_failures(scenario):
    stored = await scenario.paid()
    for _ in range(2):
        await scenario.move_call(scenario.fake.newest, "failed")
        await scenario.run_due_jobs(seconds=21)
    assert (call_count(scenario), await scenario.status(stored)) == (2, "failed")
    assert (await scenario.job(stored)).last_error == "the phone could not be rung: failed"
    await refused_to_send_again(scenario, stored)
    await scenario.settle()
    assert (call_count(scenario), await scenario.status(stored)) == (2, "failed")


async def refused_to_send_again(scenario, stored):
    """Say that the kitchen has to be phoned, unless something else is sent again."""
    services = scenario.services
    retry = partial(services.operations.retry_notifications, stored.order.number, by=Actor("asha"))
    with pytest.raises(Conflict) as refused:
        await retry()
    assert refused.value.message == DeskMessage.CALL_IS_OVER
    await execute(services.database, "UPDATE outbox SET state = 'dead' WHERE topic LIKE 'mail%'")
    assert list(await retry()) == ["mail.customer", "mail.vendor"]
    assert (await scenario.job(stored)).state == "dead"


async def test_failed_call_is_not_retried_after_10_minutes(scenario):
    # Source: specification P4.6.
    stored = await scenario.paid()
    scenario.clock.advance(minutes=10)
    await scenario.move_call(scenario.fake.only, "failed")
    assert (call_count(scenario), await scenario.status(stored)) == (1, "failed")
    said = (await scenario.job(stored)).last_error
    assert said == "too late: the call would be of no use any more"
    await refused_to_send_again(scenario, stored)


async def test_operator_sees_progress_of_call(scenario):
    stored = await scenario.paid()

    async def progress():
        found = await scenario.services.operations.order_admin.notifications(stored.order.id)
        return [(each.state, each.attempts) for each in found if each.topic == "call.vendor"]

    assert await progress() == [("ready", 0)]
    job = await scenario.job(stored)
    assert job.last_error == "rung; how that went is not known yet"
    await scenario.move_call(scenario.fake.only, "no-answer")
    assert await progress() == [("done", 1)]


async def test_retry_notifications_does_not_repeat_ringing_call(scenario):
    stored = await scenario.paid()
    operations = scenario.services.operations
    retried = await operations.retry_notifications(stored.order.number, Actor("asha"))
    await scenario.run_due_jobs()
    assert ("call.vendor" in retried, call_count(scenario)) == (False, 1)


# Webhooks


async def test_concurrent_duplicate_webhooks_count_once(scenario):
    stored = await scenario.paid()
    webhook = scenario.fake.move(scenario.fake.only, "no-answer")
    answers = await asyncio.gather(*(scenario.deliver(webhook) for _ in range(12)))
    assert {answer.status_code for answer in answers} == {204}
    await scenario.run_due_jobs()
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


async def test_canceled_call_is_not_retried_when_it_rang_after_all(scenario):
    stored = await scenario.paid()
    call = scenario.fake.only
    ringing = scenario.fake.move(call, "ringing")
    await scenario.move_call(call, "canceled")
    assert (await scenario.deliver(ringing)).status_code == 204
    await scenario.run_due_jobs(seconds=21)
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


async def test_call_status_is_polled_after_a_minute_without_webhook(scenario):
    stored = await scenario.paid()
    scenario.fake.move(scenario.fake.only, "no-answer")
    await scenario.run_due_jobs(seconds=59)
    assert (len(scenario.fake.requests("fetch")), await scenario.status(stored)) == (0, "pending")
    await scenario.run_due_jobs(seconds=1)
    assert (len(scenario.fake.requests("fetch")), await scenario.status(stored)) == (1, "success")


async def test_queued_call_is_polled_every_minute_until_deadline(scenario):
    stored = await scenario.paid()
    await scenario.settle()
    assert len(scenario.fake.requests("fetch")) == 10
    job = await scenario.job(stored)
    assert (job.state, job.last_error, call_count(scenario)) == ("dead", OUTCOME_UNKNOWN, 1)
    assert await scenario.status(stored) == "failed"


async def test_failing_status_query_makes_no_second_call(scenario):
    stored = await scenario.paid()
    scenario.fake.move(scenario.fake.only, "no-answer")
    scenario.fake.fail_next("fetch", Fault(500), Fault(401, 20003), Fault(404, 20404))
    for _ in range(3):
        await scenario.run_due_jobs(minutes=1)
        assert await scenario.status(stored) == "pending"
    await scenario.run_due_jobs(minutes=5)
    await scenario.run_due_jobs(minutes=1)
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


# Unknown outcomes


async def test_call_is_found_in_call_list_when_response_was_lost(scenario):
    scenario.fake.fail_next("create", LOST)
    stored = await scenario.paid()
    await scenario.run_due_jobs(seconds=10)
    (asked,) = scenario.fake.requests("list")
    assert (asked.fields["To"], asked.fields["From"]) == ([VENDOR_PHONE], [OUR_NUMBER])
    await scenario.move_call(scenario.fake.only, "ringing", "no-answer")
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


async def test_call_is_identified_by_webhook_when_response_was_lost(scenario):
    scenario.fake.fail_next("create", LOST)
    stored = await scenario.paid()
    scenario.fake.hides = 1
    await scenario.move_call(scenario.fake.only, "initiated", "ringing", "no-answer")
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


@pytest.mark.parametrize(
    "has_webhook", [True, False], ids=["webhook received", "found in the list"]
)
async def test_call_found_in_list_is_unconfirmed_until_webhook(scenario, has_webhook):
    scenario.fake.fail_next("create", LOST)
    stored = await scenario.paid()
    if has_webhook:
        await scenario.move_call(scenario.fake.only, "ringing")
    await scenario.run_due_jobs(seconds=5)
    attempt = await scenario.services.missed_calls.attempts.latest(stored.order.id)
    assert (attempt.sid, attempt.is_confirmed) == (scenario.fake.only.sid, has_webhook)


async def given_up_and_never_made_again(scenario):
    stored = await scenario.paid()
    assert await scenario.status(stored) == "pending"
    await scenario.settle()
    job = await scenario.job(stored)
    assert (job.state, job.last_error) == ("dead", OUTCOME_UNKNOWN)
    assert await scenario.status(stored) == "failed"
    operations = scenario.services.operations
    assert not await operations.retry_notifications(stored.order.number, Actor("asha"))
    await scenario.settle()
    assert (len(scenario.fake.requests("create")), call_count(scenario)) == (1, 0)


@pytest.mark.parametrize("fault", [NEVER_ARRIVED, Fault(500)])
async def test_call_with_unknown_outcome_is_never_repeated(scenario, fault):
    scenario.fake.fail_next("create", fault)
    await given_up_and_never_made_again(scenario)


async def test_call_is_never_repeated_after_timeout(open_twilio):
    async with open_twilio(twilio_time_out_seconds=UNANSWERED_SECONDS) as scenario:
        scenario.fake.fail_next("create", SILENT)
        await given_up_and_never_made_again(scenario)


async def test_unknown_outcome_is_resolved_by_late_webhook(scenario):
    scenario.fake.fail_next("create", LOST)
    scenario.fake.hides = 1
    stored = await scenario.paid()
    await scenario.run_due_jobs(seconds=5)
    assert await scenario.status(stored) == "pending"
    await scenario.run_due_jobs(seconds=55)
    assert await scenario.status(stored) == "failed"
    await scenario.move_call(scenario.fake.only, "ringing", "no-answer")
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")


async def test_two_calls_with_lost_responses_are_kept_apart(scenario):
    scenario.fake.fail_next("create", LOST, LOST)
    first = await scenario.paid()
    second = await scenario.order()
    for _ in range(4):  # the second one waits for the probe request
        await scenario.run_due_jobs(seconds=8)
    assert call_count(scenario) == 2
    await scenario.move_call(scenario.fake.newest, "no-answer")
    assert {await scenario.status(first), await scenario.status(second)} == {"pending", "success"}
    await scenario.move_call(next(iter(scenario.fake.calls.values())), "busy")
    assert await scenario.status(first) == await scenario.status(second) == "success"


@pytest.mark.parametrize("second", [NEVER_ARRIVED, LOST], ids=["one call", "two calls"])
async def test_call_is_matched_with_no_attempt_when_several_compete_for_it(scenario, second):
    """Without a webhook it is unknown whose call it is, and so whether it may be repeated."""
    scenario.fake.fail_next("create", LOST, second)
    scenario.fake.hides = 2
    stored = [await scenario.paid(), await scenario.order()]
    for _ in range(3):  # the second one waits for the probe request
        await scenario.run_due_jobs(seconds=8)
    scenario.fake.hides = 0
    for _ in range(6):
        await scenario.run_due_jobs(seconds=12)
    jobs = [await scenario.job(each) for each in stored]
    assert [(job.state, job.last_error) for job in jobs] == [("dead", OUTCOME_UNKNOWN)] * 2
    assert len(scenario.fake.requests("create")) == 2
    first = next(iter(scenario.fake.calls.values()))
    await scenario.move_call(first, "ringing", "no-answer")
    assert [await scenario.status(each) for each in stored] == ["success", "failed"]


# Outages of the service


@pytest.mark.parametrize("fault", [BUSY, Fault(429)])
async def test_busy_service_is_retried_and_calls_once(scenario, fault):
    scenario.fake.fail_next("create", fault, fault, fault, fault)
    stored = await scenario.paid()
    assert (call_count(scenario), await scenario.status(stored)) == (0, "pending")
    for _ in range(10):
        await scenario.run_due_jobs(seconds=25)
    await scenario.move_call(scenario.fake.only, "no-answer")
    assert (call_count(scenario), await scenario.status(stored)) == (1, "success")
    assert (await scenario.job(stored)).attempts == 1


def answers_nothing(scenario):
    for call in ("create", "list", "fetch"):
        scenario.fake.fail_next(call, *itertools.repeat(SILENT, 200))


async def test_only_one_call_is_in_doubt_during_twilio_outage(open_twilio):
    # Source: specification P5.3.
    async with open_twilio(twilio_time_out_seconds=3.0) as scenario:
        answers_nothing(scenario)
        orders = [await scenario.paid() for _ in range(3)]
        assert len(list((scenario.services.settings.outbox_dir / "mail").iterdir())) == 6
        await scenario.run_due_jobs(seconds=30)
        await scenario.run_due_jobs(seconds=90)
        assert len(scenario.fake.requests("create")) == 1
        assert [await scenario.status(each) for each in orders] == ["pending"] * 3
        assert (await scenario.api.get("/health")).json()["services"]["calls"] == "down"
        scenario.fake.clear_faults()
        await scenario.run_due_jobs(minutes=5, seconds=5)
        for call in list(scenario.fake.calls.values()):
            await scenario.move_call(call, "no-answer")
        await scenario.settle()
        shown = [await scenario.status(each) for each in orders]
        assert (sorted(shown), call_count(scenario)) == (["failed", "success", "success"], 2)


async def test_no_call_is_made_after_hour_long_outage(open_twilio):
    async with open_twilio(twilio_time_out_seconds=SHORT_TIMEOUT_SECONDS) as scenario:
        answers_nothing(scenario)
        orders = [await scenario.paid() for _ in range(2)]
        for _ in range(20):
            await scenario.run_due_jobs(minutes=3)
        scenario.fake.clear_faults()
        await scenario.settle()
        assert [await scenario.status(each) for each in orders] == ["failed", "failed"]
        assert call_count(scenario) == 0


async def test_wrong_credentials_do_not_count_as_attempt(scenario, caplog):
    scenario.fake.token = "another token"
    stored = await scenario.paid()
    job = await scenario.job(stored)
    assert (job.state, job.attempts) == ("ready", 0)
    assert any(record.levelno == logging.ERROR for record in caplog.records)
    health = (await scenario.api.get("/health")).json()
    assert (health["status"], health["services"]["calls"]) == ("degraded", "down")
    await scenario.order()
    await scenario.run_due_jobs(minutes=1)
    assert len(scenario.fake.requests("create")) == 1
    scenario.fake.token = AUTH_TOKEN
    await scenario.run_due_jobs(minutes=5)
    assert call_count(scenario) == 2
    assert (await scenario.api.get("/health")).json()["services"]["calls"] == "ok"


async def test_unreachable_service_is_retried_until_deadline(open_twilio):
    async with open_twilio(twilio_base_url="http://127.0.0.1:1") as scenario:
        stored = await scenario.paid()
        assert await scenario.status(stored) == "pending"
        await scenario.settle()
        job = await scenario.job(stored)
        assert (job.state, "too late" in job.last_error) == ("dead", True)
        assert len(mails(scenario.services)) == 2


async def test_rejected_call_is_given_up_at_once(scenario):
    # Source: specification P4.11; providers/twilio/test_calls.py has all codes.
    scenario.fake.fail_next("create", Fault(400, 21211))
    stored = await scenario.paid()
    job = await scenario.job(stored)
    assert (job.state, await scenario.status(stored)) == ("dead", "failed")
    assert job.last_error == "Twilio: 400 21211"
    await scenario.settle()
    assert len(scenario.fake.requests("create")) == 1


async def test_rejected_call_leaves_no_attempt_when_operator_retries(scenario):
    scenario.fake.numbers[VENDOR_PHONE] = ApiError(403, 21215)
    stored = await scenario.paid()
    assert await scenario.status(stored) == "failed"
    del scenario.fake.numbers[VENDOR_PHONE]
    await scenario.services.operations.retry_notifications(stored.order.number, Actor("asha"))
    await scenario.run_due_jobs()
    await scenario.move_call(scenario.fake.only, "no-answer")
    assert await scenario.status(stored) == "success"


# Recipients and limits


@pytest.mark.parametrize("number", ["+91190012345678", "kitchen"])
async def test_other_than_indian_mobile_or_landline_is_not_called(open_twilio, number):
    async with open_twilio(vendor_phone=number) as scenario:
        stored = await scenario.paid()
        assert (await scenario.status(stored), scenario.fake.seen) == ("failed", [])


async def test_only_the_orders_restaurant_is_called(scenario):
    # Source: specification P4.12.
    customer = {"vendorPhone": "+919999999999", "phoneNumber": "+919800000099"}
    request = order_request()
    request = order_request(customer={**request.customer, **customer})
    await pay(scenario.services, await scenario.services.ordering.prepare(request))
    await scenario.run_due_jobs()
    assert scenario.fake.only.to == VENDOR_PHONE


@pytest.mark.parametrize(("ids", "calls"), [("3, 1", 0), ("11,3", 1)])
async def test_opted_out_restaurant_is_not_called(open_twilio, ids, calls):
    async with open_twilio(missed_calls_unwanted_by=ids) as scenario:
        stored = await scenario.paid()
        assert call_count(scenario) == calls
        assert await scenario.status(stored) == ("pending" if calls else "failed")
        said = (await scenario.job(stored)).last_error
        assert (said == "the restaurant does not want to be called") is (calls == 0)


async def test_restaurant_is_called_up_to_hourly_limit(open_twilio):
    async with open_twilio(missed_calls_per_restaurant_hour=2) as scenario:
        orders = [await scenario.paid() for _ in range(3)]
        assert call_count(scenario) == 2
        assert await scenario.status(orders[2]) == "failed"
        said = (await scenario.job(orders[2])).last_error
        assert said == "the restaurant was called too often within the hour"
        scenario.clock.advance(minutes=60)
        await scenario.paid()
        assert call_count(scenario) == 3


@pytest.mark.parametrize("fault", [None, LOST, Fault(401, 20003), Fault(400, 21211)])
async def test_log_contains_no_numbers_and_no_tokens(scenario, caplog, fault):
    caplog.set_level(logging.DEBUG)
    scenario.fake.fail_next("create", *([fault] if fault else []))
    await scenario.paid()
    for _ in range(4):
        await scenario.run_due_jobs(minutes=1, seconds=30)
    for call in scenario.fake.calls.values():
        path, headers, body = scenario.fake.webhook(call, "ringing", 0)
        await scenario.deliver((path, headers | {"x-twilio-signature": "forged"}, body))
    said = " ".join(
        each.getMessage() for each in caplog.records if not each.name.startswith(QUIET_WHEN_SERVED)
    )
    for secret in (VENDOR_PHONE[3:], OUR_NUMBER[2:], AUTH_TOKEN, "/api/calls/", "Hangup"):
        assert secret not in said
