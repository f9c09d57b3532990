// Keeps taps, and what is typed, from the first paint on until the page says that it is awake. It
// stands in the head of every page.
(() => {
  const LONGEST_WAIT_MS = 10_000;
  const LOOK_AGAIN_MS = 50;
  const TAPPED = "button, input, select, textarea";
  const nameOf = (control) => {
    const words = control.getAttribute("aria-label") ?? (control.matches("button") && control.textContent);
    return [control.tagName, control.id, control.name, control.type === "radio" && control.value, words].join("|");
  };
  const namesakes = (name) => [...document.querySelectorAll(TAPPED)].filter((each) => nameOf(each) === name);
  const kept = [];
  const keep = (event) => {
    const control = event.target.closest?.(TAPPED);
    // A form with an action needs no script; the campus is chosen by a script of the page's head.
    if (!control || control.form?.getAttribute("action") || control.matches("[data-campus-choice]")) return;
    const isButton = control.matches("button, [type=submit]");
    if (isButton !== (event.type === "click")) return;
    event.stopImmediatePropagation();
    if (isButton) {
      event.preventDefault();
      control.setAttribute("aria-busy", "true");
    }
    // Of what is typed the last counts, of taps each.
    const earlier = kept.find((each) => each.control === control && !isButton);
    const { value, checked } = control;
    if (earlier) Object.assign(earlier, { value, checked });
    else {
      const name = nameOf(control);
      kept.push({ control, isButton, value, checked, name, place: namesakes(name).indexOf(control) });
    }
  };
  // A key in a field submits its form without a tap.
  const hold = (event) => {
    if (event.target.getAttribute("action")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.target.querySelector("[type=submit]");
    if (button) button.click();
  };
  const listeners = { click: keep, input: keep, submit: hold };
  for (const [type, listen] of Object.entries(listeners)) addEventListener(type, listen, true);

  // A control may be drawn anew meanwhile.
  const current = ({ control, name, place }) => (control.isConnected ? control : namesakes(name)[place]);
  const fill = (control, { value, checked }) => {
    if (control.matches("[type=radio], [type=checkbox]")) {
      control.checked = !checked;
      control.click();
      return;
    }
    // React hears of a value only where it is another than the one that it has set itself.
    const at = control === document.activeElement && control.selectionStart;
    control.value = "";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value").set.call(control, value);
    if (typeof at === "number") control.setSelectionRange(at, at);
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const release = (page, until) => {
    if (location.pathname !== page || Date.now() > until) {
      kept.splice(0).forEach(({ control }) => control.removeAttribute("aria-busy"));
    }
    while (kept.length) {
      const [first] = kept;
      const control = current(first);
      const isSubmit = first.isButton && control?.form;
      if (!control || control.disabled || (isSubmit && !window.isHydrated)) {
        setTimeout(release, LOOK_AGAIN_MS, page, until);
        return;
      }
      kept.shift();
      control.removeAttribute("aria-busy");
      if (first.isButton) control.click();
      else fill(control, first);
    }
  };
  addEventListener("awake", () => {
    for (const [type, listen] of Object.entries(listeners)) removeEventListener(type, listen, true);
    release(location.pathname, Date.now() + LONGEST_WAIT_MS);
  }, { once: true });
})();
