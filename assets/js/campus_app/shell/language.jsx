// The language of the pages, in a cookie. Each language has pages of its own: a change reloads the page,
// and a page from the browser's cache may be in the previous language.
import { useEffect } from "react";
import { fetchWithTimeout } from "../../kit/connection.jsx";

const YEAR_S = 31_536_000;
const RELOADED = "languageAsked";
const TIMEOUT_MS = 10_000;

// Stores the choice, tells the service worker to drop the pages in the previous language, and reloads. Without a
// connection nothing changes: these pages are all that the visitor has.
export async function chooseLanguage(cookie, code) {
  const worker = navigator.serviceWorker?.controller;
  try {
    if (worker) await fetchWithTimeout("/favicon.svg", TIMEOUT_MS, { cache: "no-store" });
  } catch {
    return;
  }
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${cookie}=${code}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`;
  worker?.postMessage("language");
  location.reload();
}

function chosen(cookie) {
  const pairs = document.cookie.split("; ").map((pair) => pair.split("="));
  return pairs.find(([name]) => name === cookie)?.[1];
}

// Reloads a page that is not in the chosen language; without a choice the server chooses by the browser's languages.
// It does so once for each language, because the server may have dropped the language: then each reload would show
// the same page.
export function LanguageWatch({ cookie }) {
  useEffect(() => {
    const check = () => {
      if (document.hidden) return;
      const [shown] = document.documentElement.lang.split("-");
      const wanted = chosen(cookie) ?? shown;
      if (wanted === shown) sessionStorage.removeItem(RELOADED);
      else if (sessionStorage.getItem(RELOADED) !== wanted) {
        sessionStorage.setItem(RELOADED, wanted);
        // Without storage this would reload the page without end.
        if (sessionStorage.getItem(RELOADED) === wanted && !sessionStorage.forgetsAll) location.reload();
      }
    };
    check();
    addEventListener("pageshow", check);
    document.addEventListener("visibilitychange", check);
    return () => {
      removeEventListener("pageshow", check);
      document.removeEventListener("visibilitychange", check);
    };
  }, [cookie]);
  return null;
}
