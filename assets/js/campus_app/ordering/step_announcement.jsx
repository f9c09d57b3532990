// Announces the dish of the last step, and its quantity, to screen readers.
import { useEffect, useState } from "react";
import { useCart } from "./cart_store.js";
import { useMenu } from "../catalogue/menu.jsx";

// A screen reader reads each text to its end: of quick steps, only the last quantity is announced.
const PAUSE_MS = 700;

// `words` has the places {dish} and {quantity}.
export function StepAnnouncement({ words }) {
  const { restaurant, sections } = useMenu();
  const cart = useCart();
  const [announced, setAnnounced] = useState("");
  const isHere = cart.restaurant === "" || cart.restaurant === String(restaurant.id);
  const dish = isHere && sections.flatMap(({ dishes }) => dishes).find(({ id }) => id === cart.last);
  const quantity = cart.quantities.get(cart.last) ?? 0;
  const text = dish ? words.replace("{dish}", () => dish.name).replace("{quantity}", quantity) : "";
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="visually-hidden" role="status">
      {announced}
    </p>
  );
}
