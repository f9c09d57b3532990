// The link to the web app's manifest, with shortcuts to the kitchens whose menus this browser opened last.
import { useEffect, useState } from "react";
import { useLocation } from "react-router";

const KEY = "lastKitchens";
const MOST = 3;

function lastKitchens(pathname) {
  const known = (localStorage.getItem(KEY) ?? "").split(",").filter((id) => /^\d{1,6}$/.test(id));
  const opened = /^\/menu\/(\d{1,6})$/.exec(pathname)?.[1];
  if (!opened) return known.slice(0, MOST).join();
  const last = [...new Set([opened, ...known])].slice(0, MOST).join();
  localStorage.setItem(KEY, last);
  return last;
}

// `href` is the manifest without shortcuts, `shortcuts` the beginning of the address of one with them.
export function AppManifest({ href, shortcuts }) {
  const { pathname } = useLocation();
  const [kitchens, setKitchens] = useState("");
  useEffect(() => setKitchens(lastKitchens(pathname)), [pathname]);
  return <link rel="manifest" href={kitchens ? shortcuts + kitchens : href} />;
}
