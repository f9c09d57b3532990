"""A payment that is settled at once, as in oscar's "How to integrate payment"."""

from oscar.apps.checkout import views
from oscar.apps.payment.models import Source, SourceType


class PaymentDetailsView(views.PaymentDetailsView):
    """Records the whole amount as paid; no provider is asked."""

    def handle_payment(self, order_number, total, **kwargs):
        source_type, _ = SourceType.objects.get_or_create(name="Benchmark")
        source = Source(
            source_type=source_type,
            currency=total.currency,
            amount_allocated=total.incl_tax,
            amount_debited=total.incl_tax,
            reference=order_number,
        )
        self.add_payment_source(source)
        self.add_payment_event("Settled", total.incl_tax, reference=order_number)
