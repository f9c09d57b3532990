// Records clicks and input from the first paint until React handles events (the event `pageready`),
// then replays them. It is inlined into the head of every page: Reflex's scripts load too late.
// A recorded press of a button is the event `pressrecorded`.
(() => {
  const LONGEST_WAIT_MS = 10_000;
  const RETRY_MS = 50;
  const CONTROLS = "button, input, select, textarea";
  const nameOf = (control) => {
    const words = control.getAttribute("aria-label") ?? (control.matches("button") && control.textContent);
    return [control.tagName, control.id, control.name, control.type === "radio" && control.value, words].join("|");
  };
  const namesakes = (name) => [...document.querySelectorAll(CONTROLS)].filter((each) => nameOf(each) === name);
  const recorded = [];
  const record = (event) => {
    const control = event.target.closest?.(CONTROLS);
    // A form with an action needs no script; the campus is chosen by a script of the page's head.
    if (!control || control.form?.getAttribute("action") || control.matches("[data-campus-choice]")) return;
    const isButton = control.matches("button, [type=submit]");
    if (isButton !== (event.type === "click")) return;
    event.stopImmediatePropagation();
    if (isButton) {
      event.preventDefault();
      control.setAttribute("aria-busy", "true");
      control.dispatchEvent(new Event("pressrecorded", { bubbles: true }));
    }
    // Of input only the last value is kept, of clicks each one.
    const earlier = recorded.find((each) => each.control === control && !isButton);
    const { value, checked } = control;
    if (earlier) Object.assign(earlier, { value, checked });
    else {
      const name = nameOf(control);
      recorded.push({ control, isButton, value, checked, name, place: namesakes(name).indexOf(control) });
    }
  };
  // The Enter key in a field submits its form without a click.
  const recordSubmit = (event) => {
    if (event.target.getAttribute("action")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.target.querySelector("[type=submit]");
    if (button) button.click();
  };
  const listeners = { click: record, input: record, submit: recordSubmit };
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);

  // React may have replaced the control in the meantime.
  const current = ({ control, name, place }) => (control.isConnected ? control : namesakes(name)[place]);
  const fill = (control, { value, checked }) => {
    if (control.matches("[type=radio], [type=checkbox]")) {
      control.checked = !checked;
      control.click();
      return;
    }
    // React ignores a value that its own setter has set, so this calls the native setter.
    const at = control === document.activeElement && control.selectionStart;
    control.value = "";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value").set.call(control, value);
    if (typeof at === "number") control.setSelectionRange(at, at);
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const replay = (page, until) => {
    if (location.pathname !== page || Date.now() > until) {
      recorded.splice(0).forEach(({ control }) => control.removeAttribute("aria-busy"));
    }
    while (recorded.length) {
      const [first] = recorded;
      const control = current(first);
      const isSubmit = first.isButton && control?.form;
      if (!control || control.disabled || (isSubmit && !window.isHydrated)) {
        setTimeout(replay, RETRY_MS, page, until);
        return;
      }
      recorded.shift();
      control.removeAttribute("aria-busy");
      if (first.isButton) control.click();
      else fill(control, first);
    }
  };
  addEventListener("pageready", () => {
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true);
    replay(location.pathname, Date.now() + LONGEST_WAIT_MS);
  }, { once: true });
})();
