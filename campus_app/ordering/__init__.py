"""From the cart to the paid order and its receipt: bill, tables, offers, payment, refunds.

Read `rules/cart.py`, `rules/bill.py`, `rules/order.py` and `rules/payment.py`, then
`services/ordering.py`, `services/payments.py` and `sql/orders.py`. `providers/` talk to the payment
providers, `api/` is the HTTP interface, `screens/` are the menu with its cart and all later steps.

May import `shared`, `shell` and `catalogue`.
"""
