// A menu of 60 dishes and a cart in the browser, in the style of React's own examples.
import { useState } from "react";
import { createRoot } from "react-dom/client";

const MENU = Array.from({ length: 60 }, (_, number) => ({
  id: `m${number}`,
  name: `Dish number ${number}`,
  description: "Rice, beans, greens and a house sauce with lime",
  price: 90 + 10 * (number % 12),
}));

function Row({ dish, quantity, onStep }) {
  return (
    <li>
      <div>
        <b>{dish.name}</b>
        <p>{dish.description}</p>
        <span>{dish.price}</span>
      </div>
      <div>
        <button aria-label={`Remove one ${dish.name}`} onClick={() => onStep(dish.id, -1)}>
          -
        </button>
        <output>{quantity}</output>
        <button aria-label={`Add one ${dish.name}`} onClick={() => onStep(dish.id, 1)}>
          +
        </button>
      </div>
    </li>
  );
}

function Menu() {
  const [cart, setCart] = useState({});
  const step = (id, by) => setCart((before) => ({ ...before, [id]: Math.max(0, (before[id] ?? 0) + by) }));
  const subtotal = MENU.reduce((sum, dish) => sum + dish.price * (cart[dish.id] ?? 0), 0);
  return (
    <main>
      <h1>Menu</h1>
      <p>
        Subtotal: <span>{subtotal}</span>
      </p>
      <ul>
        {MENU.map((dish) => (
          <Row key={dish.id} dish={dish} quantity={cart[dish.id] ?? 0} onStep={step} />
        ))}
      </ul>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Menu />);
