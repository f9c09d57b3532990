// Sets `data-campus` of the document to the stored campus before the first paint, and stores each choice.
// It is inlined into the head of every page, since Reflex's scripts load too late: it also handles
// clicks before hydration. The attribute `data-key` of its element is the key in localStorage, `data-lists` the path of
// each campus' list of restaurants, as JSON.
(() => {
  const { key, lists: json } = document.currentScript.dataset;
  const lists = JSON.parse(json);
  const root = document.documentElement;
  const mark = (campus) => {
    const value = Object.hasOwn(lists, campus) ? campus : "";
    if (root.dataset.campus === value) return;
    root.dataset.campus = value;
    dispatchEvent(new Event("campuschange"));
  };
  const choose = (campus) => {
    localStorage.setItem(key, campus);
    mark(campus);
  };
  // The URL of a campus' list chooses the campus.
  const restore = () => {
    const listed = Object.keys(lists).find((each) => lists[each] === location.pathname);
    if (listed) choose(listed);
    else mark(localStorage.getItem(key));
  };
  // The installed app starts with the list of the chosen campus (manifest.webmanifest).
  const isStart = location.pathname === "/campus" && new URLSearchParams(location.search).has("start");
  const chosen = localStorage.getItem(key);
  if (isStart && Object.hasOwn(lists, chosen)) location.replace(lists[chosen]);
  // `clear` removes the choice from this page alone, where the storage is blocked and the server has none.
  window.campus = { lists, choose, clear: () => mark("") };
  restore();
  addEventListener("pageshow", ({ persisted }) => persisted && restore());
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) mark(localStorage.getItem(key));
  });
  // Listeners of the window run last, after the components' own handlers.
  addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-campus-choice]");
    if (button) choose(button.dataset.campusChoice);
    const link = target.closest?.("a[data-list-link]");
    if (link && root.dataset.campus) link.href = lists[root.dataset.campus];
  });
})();
