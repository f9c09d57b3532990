// Applies steps to a stored cart by the rules of the server (ordering/screens/cart_state.py): the tests of both read
// tests/cases/cart_steps.json.

const GROUP_KEY = "group-"; // the beginning of a group order's key (ordering/rules/group_order.py)

// A cart is stored as restaurant|minute|key|dish:quantity,dish:quantity (ordering/screens/browser_storage.py)
export function parseCart(text) {
  const [restaurant, , key, dishes] = (text ?? "").split("|");
  if (!dishes) return { restaurant: "", key: "", quantities: new Map() };
  const pairs = dishes.split(",").map((dish) => dish.split(":"));
  return { restaurant, key, quantities: new Map(pairs.map(([id, quantity]) => [id, Number(quantity)])) };
}

function add(quantities, { dish, by }, { most, mostDishes }) {
  if (!quantities.has(dish) && quantities.size >= mostDishes) return;
  const quantity = Math.max(0, Math.min((quantities.get(dish) ?? 0) + by, most));
  if (quantity) quantities.set(dish, quantity);
  else quantities.delete(dish);
}

// Adds to a stored cart the steps after the sequence number of its last one. A step at another restaurant opens a
// dialog, and changes nothing until the visitor has chosen. The cart of a group order is changed only there: the server
// refuses the step. A new cart has no `key` yet. `limits`: `most` units of a dish, `mostDishes` in a cart.
export function withSteps(text, sequence, steps, limits) {
  const result = { ...parseCart(text), sequence };
  for (const step of steps) {
    if (step.sequence <= result.sequence) continue;
    const isEmpty = result.quantities.size === 0;
    if (!isEmpty && step.restaurant !== result.restaurant) break;
    if (isEmpty) result.key = ""; // its first dish makes it a new cart
    result.sequence = step.sequence;
    if (result.key.startsWith(GROUP_KEY)) continue;
    result.restaurant = step.restaurant;
    add(result.quantities, step, limits);
  }
  return result;
}
