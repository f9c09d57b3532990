"""One order from the campus to the confirmation, with the specified texts."""

import json
import re

from playwright.sync_api import expect

from tests.e2e.journey import (
    LUNCH,
    add,
    at_confirmation,
    at_waiting_room,
    choose_campus,
    confirm_details,
    freeze_clock,
    give_details,
    local_storage,
    next_to_details,
    open_page,
    open_payment,
    open_restaurant,
    pay,
    proceed,
    session_storage,
    unfold_instructions,
)

# A short-lived screen may be gone before an assertion runs: its text is recorded.
TAPE = """
new MutationObserver(() => (window.name += document.body?.innerText ?? ""))
  .observe(document, { subtree: true, childList: true, characterData: true });
"""


def test_order_completes_with_the_specified_texts(visit, server, customer):
    page = visit(server, campus="")
    open_page(page, "/campus")
    assert local_storage(page, "selectedCampus") in (None, "")
    choose_campus(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("North Campus")
    expect(page.get_by_test_id("connection")).to_have_text("LIVE")
    expect(page.get_by_test_id("last-checked")).to_have_text(
        re.compile(r"Last checked \d\d:\d\d:\d\d")
    )
    expect(page.get_by_test_id("restaurant-1")).to_contain_text("OPEN")
    assert local_storage(page, "selectedCampus") == "north"

    with page.expect_request("**/api/log-restaurant-selection") as logged:
        open_restaurant(page)
    assert logged.value.post_data_json["restaurantId"] == 1
    assert logged.value.post_data_json["restaurantName"] == "Pehla Food Point"
    expect(page.get_by_role("tab").first).to_have_text("Trending")
    expect(page.get_by_test_id("shortfall")).to_have_text(
        "Add ₹200 more to reach the ₹200 minimum."
    )
    expect(page.get_by_role("button", name="PROCEED TO CART")).to_be_disabled()

    add(page, LUNCH[0])
    expect(page.get_by_test_id("shortfall")).to_have_text("Add ₹90 more to reach the ₹200 minimum.")
    add(page, *LUNCH[1:])
    expect(page.get_by_test_id("item-104").get_by_test_id("line-total")).to_have_text("₹220")
    expect(page.get_by_test_id("subtotal")).to_have_text("₹380")
    expect(page.get_by_test_id("discount")).to_have_text("₹0")
    expect(page.get_by_test_id("total")).to_have_text("₹380")
    assert "104:2,112:1" in local_storage(page, "cart")

    proceed(page)
    for figure, amount in {
        "subtotal": "₹380",
        "discount": "₹0",
        "delivery-fee": "₹15",
        "convenience-fee": "₹5",
        "donation": "₹0",
        "grand-total": "₹400",
        "pay-online": "₹65",
        "pay-later": "₹335",
    }.items():
        expect(page.get_by_test_id(figure)).to_have_text(amount)

    next_to_details(page)
    expect(page.get_by_label("Phone number")).to_have_value(re.compile(r"^\+91"))
    expect(page.get_by_role("radio", name="Card")).to_be_disabled()
    give_details(page, Email=customer)
    unfold_instructions(page)
    page.get_by_label("Note for the kitchen").fill("No onion, please")
    page.get_by_label("Note for the door").fill("Ring at gate 2")
    page.get_by_label("No cutlery, please").check()
    confirm_details(page)
    at_waiting_room(page)
    expect(page.get_by_test_id("countdown")).to_have_text(re.compile(r"2:(30|2\d)"))
    assert session_storage(page, "currentOrderId") in (None, "")
    assert server.orders(customer) == []

    number = open_payment(page)
    assert re.fullmatch(r"AS_[1-9]\d\d", number)
    assert session_storage(page, "currentOrderId") == number
    expect(page.get_by_test_id("order-id")).to_have_text(number)
    expect(page.get_by_test_id("amount")).to_have_text("₹65")

    page.add_init_script(TAPE)
    freeze_clock(page)  # the overlay is over after two seconds
    pay(page)
    page.wait_for_url("**/order-confirmation**")
    assert "Do not refresh this page" in page.evaluate("window.name")
    expect(page.get_by_text("PROCESSING PAYMENT")).to_be_visible()
    expect(page.get_by_text("Payment Successful!")).to_be_visible()
    expect(page.get_by_text("Confirming your order...")).to_be_visible()
    stored = json.loads(local_storage(page, f"order_{number}"))
    assert stored["orderId"] == number
    assert (stored["amount"], stored["totalOrderValue"]) == (335, 400)
    assert stored["paymentBreakdown"]["remainingPayment"] == 335
    assert stored["userDetails"] == {"fullName": "Aarav Sharma"}
    assert stored["restaurantName"] == "Pehla Food Point"
    assert not session_storage(page, "currentOrderId")
    assert session_storage(page, "lastOrderId") == number

    page.clock.resume()
    at_confirmation(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("THANK YOU, AARAV SHARMA!")
    for words in (
        "PLEASE PAY ₹335 UPON DELIVERY",
        "Delivery initiated to Pehla Food Point",
        "You will be notified once we reach your location in 25-35 minutes",
        "Kindly check your Gmail right now, for order info.",
        f"ORDER_ID: #{number}",
        "Customer & vendor notified",
        "MISSED CALL SENT",
        "Vendor notification sent",
    ):
        expect(page.locator("body")).to_contain_text(words)
    expect(page.locator("body")).to_contain_text(re.compile("spam folder"))
    expect(page.get_by_test_id("redirect-countdown")).to_have_text(
        re.compile(r"^Your order opens in \d\d? seconds\.\.\.$")
    )
    assert local_storage(page, f"order_{number}") is None
    assert not local_storage(page, "cart")

    server.wait_until_notified(number)
    to_customer, to_vendor = sorted(
        server.mails_about(number), key=lambda mail: customer not in mail["to"]
    )
    assert customer in to_customer["to"]
    assert "vendor1@pehla.example" in to_vendor["to"]
    for mail in (to_customer, to_vendor):
        text = mail.get_body(("plain",)).get_content()
        for words in ("No onion, please", "Ring at gate 2", "No cutlery, please"):
            assert words in text
    (call,) = server.calls_about(number)
    assert (call["to"], call["restaurantId"]) == ("+910000000001", 1)
    (order,) = server.orders(customer)
    assert (order["number"], order["state"], order["note"]) == (
        number,
        "confirmed",
        "No onion, please",
    )
