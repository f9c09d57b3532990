// The language that this browser has chosen, in a cookie: the server draws no page anew for it, it
// sends another one.
import { useEffect } from "react";

const YEAR_S = 31_536_000;
const ASKED = "languageAsked";

// Keeps the choice, lets the worker keep the words for no network in it, and gets this page in it.
export function chooseLanguage(cookie, code) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookie}=${code}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`;
  navigator.serviceWorker?.controller?.postMessage("language");
  location.reload();
}

function chosen(cookie) {
  const pairs = document.cookie.split("; ").map((pair) => pair.split("="));
  return pairs.find(([name]) => name === cookie)?.[1];
}

// A page that a browser had kept, or another tab shows, may be in the language of before: it is
// got anew, once for each language that is wanted, since a server may know it no more.
export function LanguageWatch({ cookie, usual }) {
  useEffect(() => {
    const look = () => {
      if (document.hidden) return;
      const wanted = chosen(cookie) ?? usual;
      const [shown] = document.documentElement.lang.split("-");
      if (wanted === shown) sessionStorage.removeItem(ASKED);
      else if (sessionStorage.getItem(ASKED) !== wanted) {
        sessionStorage.setItem(ASKED, wanted);
        // Where nothing can be kept, nothing would end this.
        if (sessionStorage.getItem(ASKED) === wanted && !sessionStorage.forgetsAll) location.reload();
      }
    };
    look();
    addEventListener("pageshow", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("pageshow", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [cookie, usual]);
  return null;
}
