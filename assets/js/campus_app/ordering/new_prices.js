// What a cart costs on the open menu, and which of its dishes have other prices than when the menu was opened.

// The dishes of a cart, each once with its quantity: a dish may be in several sections.
export function chosenDishes(cart, { restaurant, sections }) {
  if (cart.restaurant !== String(restaurant.id)) return [];
  const dishes = new Map(sections.flatMap((section) => section.dishes).map((dish) => [dish.id, dish]));
  return [...cart.quantities].filter(([id]) => dishes.has(id)).map(([id, quantity]) => [dishes.get(id), quantity]);
}

export const paiseOf = (cart, menu) =>
  chosenDishes(cart, menu).reduce((sum, [{ paise }, quantity]) => sum + paise * quantity, 0);

// `words` has the place {dishes}, `each` has {dish}, {now} and {before}. Returns an empty text if no price has changed.
export function newPricesText(cart, menu, words, each) {
  const dishes = chosenDishes(cart, menu)
    .filter(([{ id, price }]) => menu.first[id] !== undefined && menu.first[id] !== price)
    .map(([{ id, name, price }]) =>
      each
        .replace("{dish}", () => name)
        .replace("{now}", () => price)
        .replace("{before}", () => menu.first[id]),
    );
  return dishes.length ? words.replace("{dishes}", () => dishes.join(", ")) : "";
}
