"""The payment provider Cashfree."""
