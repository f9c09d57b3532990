// The view of the board that this device showed last: a tablet in the kitchen opens with the cook's, one at the counter
// with the counter's.
import { useEffect } from "react";
import { choose, useChoice } from "../../kit/store.js";

const STORED = "kitchenView";

function storedIndex() {
  try {
    return Number(localStorage.getItem(STORED));
  } catch {
    return 0; // without storage the board opens with the first view
  }
}

function keep(index) {
  try {
    localStorage.setItem(STORED, index);
  } catch {
    // The choice holds for as long as the page is open.
  }
}

// `views` are the names of the views that are kept, in the page's language; other choices under `name` are not.
export function KeptView({ name, views }) {
  const choice = useChoice(name, "");
  const names = JSON.stringify(views);
  useEffect(() => {
    choose(name, JSON.parse(names)[storedIndex()]);
  }, [name, names]);
  useEffect(() => {
    const index = JSON.parse(names).indexOf(choice);
    if (index >= 0) keep(index);
  }, [choice, names]);
  return null;
}
