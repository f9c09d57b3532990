"""The forked app: the same label and URLs as oscar's."""

from oscar.apps.checkout import apps


class CheckoutConfig(apps.CheckoutConfig):
    name = "project.checkout"
