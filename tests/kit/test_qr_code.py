"""QR codes: a reader finds the text that was written."""

import pytest

from kit.qr_code import data_address, qr_code, terminal_qr_code
from tests.helpers.qr_codes import read_data_address, read_qr_code, read_terminal_qr_code

TEXTS = [
    "a",
    "https://food-points.example/menu/3",
    "upi://pay?pa=kitchen@bank&pn=Kulhad%20Caf%C3%A9&am=195.00&cu=INR",
    "ढाबा",
    "x" * 1_000,
]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_qr_code_contains_the_text(text):
    assert read_qr_code(qr_code(text)) == text
    assert read_data_address(data_address(qr_code(text))) == text


def test_qr_code_of_each_amount_is_read_with_the_fixed_mask():
    for rupees in range(1, 1_000, 7):
        text = f"upi://pay?pa=kitchen@bank&pn=Kulhad&tr={rupees:032x}&am={rupees}.00&cu=INR"
        assert read_qr_code(qr_code(text)) == text


def test_larger_scale_gives_a_larger_picture():
    assert read_qr_code(qr_code("menu", scale=20)) == "menu"
    assert len(qr_code("menu", scale=20)) > len(qr_code("menu", scale=1))


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_terminal_qr_code_contains_the_text(text):
    code = terminal_qr_code(text)
    assert read_terminal_qr_code(code) == text
    assert set(code) <= set(" ▀▄█\n")
