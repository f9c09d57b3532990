// The link to the web app's manifest, with shortcuts to the kitchens whose menus this browser opened last.
import { useEffect, useState } from "react";

const KEY = "lastKitchens";
const CHANGED = "kitchenschange";

const lastKitchens = () => (localStorage.getItem(KEY) ?? "").split(",").filter((id) => /^\d{1,9}$/.test(id));

// Puts a restaurant at the head of the stored list of those that were opened last, which keeps `most` of them.
export function RememberRestaurant({ restaurant, most }) {
  useEffect(() => {
    const others = lastKitchens().filter((id) => id !== restaurant);
    localStorage.setItem(KEY, [restaurant, ...others].slice(0, most).join());
    dispatchEvent(new Event(CHANGED));
  }, [restaurant, most]);
  return null;
}

// `href` is the manifest without shortcuts, `shortcuts` the beginning of the address of one with them.
export function AppManifest({ href, shortcuts }) {
  const [kitchens, setKitchens] = useState("");
  useEffect(() => {
    const show = () => setKitchens(lastKitchens().join());
    show();
    addEventListener(CHANGED, show);
    return () => removeEventListener(CHANGED, show);
  }, []);
  return <link rel="manifest" href={kitchens ? shortcuts + kitchens : href} />;
}
