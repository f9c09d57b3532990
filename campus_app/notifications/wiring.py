"""The services of notifications: e-mails, missed calls, reactions to orders' events."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from campus_app.notifications.providers.outbox_caller import OutboxFolderCaller
from campus_app.notifications.providers.twilio.calls import TwilioCalls
from campus_app.notifications.providers.twilio.client import TwilioAccount
from campus_app.notifications.rules.callers import PhoneCaller
from campus_app.notifications.services.missed_calls import MissedCalls
from campus_app.notifications.services.notifications import NotificationSender
from campus_app.notifications.services.order_events import OrderEvents
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.rules.shortage import CANCELLED, SHORTAGE_MAIL_TOPIC
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.wiring import OrderingServices
from campus_app.shared import current
from campus_app.shared.settings import CallTransport
from kit.mail.message import MAIL_CHANNEL
from kit.outbox.store import Job
from kit.outbox.worker import Effect

_CALL_JOB_ATTEMPTS = 3


@dataclass(frozen=True)
class NotificationServices(OrderingServices):
    """What notifications and the rooms right of them may use."""

    missed_calls: MissedCalls | None
    """None if calls go to the outbox folder, which reports no status."""
    caller: PhoneCaller

    def call_effect(self, run: Callable[[Job], Awaitable[None]]) -> Effect:
        """Return the effect of an outbox job that calls a kitchen.

        Call attempts that are stored before dialling are safe to retry.
        """
        is_stored = self.missed_calls is not None
        return Effect(run, at_most_once=not is_stored, max_attempts=_CALL_JOB_ATTEMPTS)


def build(left: OrderingServices, order_events: OrderEvents) -> NotificationServices:
    """Build the services on those of ordering, with the registered reactions to orders' events."""
    missed_calls = _missed_calls(left)
    caller = missed_calls or OutboxFolderCaller(left.settings.outbox_dir, left.clock)
    built = NotificationServices(**vars(left), missed_calls=missed_calls, caller=caller)
    orders = left.payments.orders
    sender = NotificationSender(
        orders, left.catalogue, left.mailer, caller, left.shortages, left.settings.origin
    )
    left.worker.add_effects(
        {
            Notification.CUSTOMER_MAIL.value: _mail_effect(sender.mail_customer),
            Notification.VENDOR_MAIL.value: _mail_effect(sender.mail_vendor),
            Notification.VENDOR_CALL.value: built.call_effect(
                lambda job: sender.call_vendor(job.subject)
            ),
            SHORTAGE_MAIL_TOPIC: _shortage_mail_effect(sender),
            **_event_effects(order_events, orders),
        }
    )
    return built


def services() -> NotificationServices:
    """Return this process's services."""
    return current.services()


def _mail_effect(send: Callable[[str], Awaitable[None]]) -> Effect:
    return Effect.retried_for_a_day(lambda job: send(job.subject), channel=MAIL_CHANNEL)


def _shortage_mail_effect(sender: NotificationSender) -> Effect:
    def send(job: Job) -> Awaitable[None]:
        if job.payload["about"] == CANCELLED:
            return sender.mail_not_cooked(job.subject, job.dedupe_key)
        return sender.mail_choice(job.subject, job.payload["shortageId"], job.dedupe_key)

    return Effect.retried_for_a_day(send, channel=MAIL_CHANNEL)


def _event_effects(order_events: OrderEvents, orders: SqlOrders) -> dict[str, Effect]:
    def effect(run: Callable[[str], Awaitable[None]]) -> Effect:
        return Effect.retried_for_a_day(lambda job: run(job.subject))

    return {topic: effect(run) for topic, run in order_events.handlers(orders).items()}


def _missed_calls(left: OrderingServices) -> MissedCalls | None:
    config = left.settings
    if config.call_transport is CallTransport.OUTBOX:
        return None
    account = TwilioAccount(
        account_sid=config.twilio_account_sid,
        auth_token=config.twilio_auth_token,
        caller_number=config.twilio_from,
        base_url=config.twilio_base_url,
        timeout_seconds=config.twilio_time_out_seconds,
    )
    return MissedCalls(
        SqlCallAttempts(left.database, left.outbox.wake.set),
        TwilioCalls(account, left.clock),
        left.clock,
        config.origin,
        config.missed_calls_per_restaurant_hour,
        config.restaurants_without_calls,
    )
