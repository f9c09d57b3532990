"""The texts and figures of the page, as typed Python values."""
