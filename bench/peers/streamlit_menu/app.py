"""A menu of 60 dishes and a cart for each visitor, in the style of Streamlit's own examples."""

import streamlit as st

MENU = [
    (
        f"Dish number {number}",
        "Rice, beans, greens and a house sauce with lime",
        90 + 10 * (number % 12),
    )
    for number in range(60)
]
cart = st.session_state.setdefault("cart", {})


def step(dish: str, by: int) -> None:
    cart[dish] = max(0, cart.get(dish, 0) + by)


st.title("Menu")
st.text(f"Subtotal: {sum(price * cart.get(name, 0) for name, _, price in MENU)}")
for name, description, price in MENU:
    text, fewer, quantity, more = st.columns([6, 1, 1, 1])
    text.markdown(f"**{name}**  \n{description}  \n{price}")
    fewer.button("−", key=f"fewer {name}", on_click=step, args=(name, -1))
    quantity.text(cart.get(name, 0))
    more.button("+", key=f"more {name}", on_click=step, args=(name, 1))
