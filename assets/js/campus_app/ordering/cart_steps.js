// Applies steps to a stored cart by the rules of the server (ordering/screens/cart_state.py): the tests of both read
// tests/cases/cart_steps.json.

const GROUP_KEY = "group-"; // the beginning of a group order's key (ordering/rules/group_order.py)

// A cart is stored as restaurant|minute of the last change|key|dish:quantity,dish:quantity
// (ordering/screens/browser_storage.py). All parts are texts, the restaurant too; only the quantities become numbers.
export function parseCart(text) {
  const [restaurant, , key, dishes] = (text ?? "").split("|");
  if (!dishes) return { restaurant: "", key: "", quantities: new Map() };
  const pairs = dishes.split(",").map((dish) => dish.split(":"));
  return { restaurant, key, quantities: new Map(pairs.map(([id, quantity]) => [id, Number(quantity)])) };
}

function changeQuantity(quantities, { dish, by }, { most, mostDishes }) {
  if (!quantities.has(dish) && quantities.size >= mostDishes) return;
  const quantity = Math.max(0, Math.min((quantities.get(dish) ?? 0) + by, most));
  if (quantity) quantities.set(dish, quantity);
  else quantities.delete(dish);
}

// Applies steps to a stored cart. `sequence` is the number of the last step that the cart contains: only later steps
// count. A step is { sequence, restaurant, dish, by }; `by` is negative for units that are removed. Returns
// { restaurant, key, quantities (units by dish), sequence }, with the number of the last step that counted; a new cart
// has no `key` yet. A step at another restaurant ends this, because a dialog asks the visitor first. A step on the cart
// of a group order counts but changes nothing: such a cart changes only in the group order, and the server refuses the
// step. `limits`: `most` units of a dish, `mostDishes` in a cart.
export function withSteps(text, sequence, steps, limits) {
  const result = { ...parseCart(text), sequence };
  for (const step of steps) {
    if (step.sequence <= result.sequence) continue;
    const isEmpty = result.quantities.size === 0;
    if (!isEmpty && step.restaurant !== result.restaurant) break;
    if (isEmpty) result.key = ""; // the first dish makes an empty cart a new one
    result.sequence = step.sequence;
    if (result.key.startsWith(GROUP_KEY)) continue;
    result.restaurant = step.restaurant;
    changeQuantity(result.quantities, step, limits);
  }
  return result;
}
