"""Text input with combining, invisible and line-breaking characters."""

from hypothesis import strategies as st

TRICKY = (
    "e\u0301\u0323\u0915\u093c\u200b\u200c\u200d\u202e\u2066\ufeff\u00ad\r\n\t\x00\x1c\x85\u2028 é"
)

texts = st.one_of(st.text(), st.text(st.sampled_from(TRICKY)))
