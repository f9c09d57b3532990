// A page that the service worker has stored begins with a banner, which the page before had not. When the visitor reloads
// it, the browser would keep the first element in its place, below that banner; React Router restores the position by
// its number. It is inlined into the head of every page, because Reflex's scripts load too late.
if (document.documentElement.dataset.kept) history.scrollRestoration = "manual";
