// The dish that is offered beside the shortfall to the minimum order.

const isVeg = ({ diet }) => diet === "veg";

// Returns the cheapest of a menu's `dishes` that alone makes up for the `shortfall` in rupees; null if there is none, or
// nothing is `chosen`. A chosen dish is not offered: the offer 'second one free' may give it free. Who has chosen
// vegetarian dishes alone is offered such a dish. `chosen` and `soldOut` are ids;
// `isVegOnly` is the filter. The shortfall counts the percentage that an offer takes off the added dish.
export function closingDish(dishes, chosen, soldOut, isVegOnly, shortfall) {
  const isChosen = ({ id }) => chosen.includes(id);
  if (shortfall <= 0 || chosen.length === 0) return null;
  const missing = Math.round(shortfall * 100);
  const isAcceptable = isVegOnly || dishes.filter(isChosen).every(isVeg) ? isVeg : () => true;
  return dishes
    .filter((dish) => dish.paise >= missing && !isChosen(dish) && !soldOut.includes(dish.id) && isAcceptable(dish))
    .reduce((best, dish) => (best && best.paise <= dish.paise ? best : dish), null);
}
