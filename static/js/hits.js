// A field that asks the server for hits while somebody types, such as the finder. The first hit is
// marked: Enter takes it, also if it was pressed before the hits came. ↓ and ↑ go to the others
// (data-hits), a letter goes on with the search. Without this file a button shows the hits as a
// page.

export function watchHits(field) {
  const dialog = field.closest("dialog"); // Escape closes the dialog; elsewhere it closes the hits
  let shown = field.value.trim(); // the text that the hits belong to, or for which they were closed
  let isEntered = false; // Enter was pressed before they came

  const found = () => document.querySelector(field.getAttribute("hx-target"));
  const isWaiting = () => field.value.trim() !== shown;

  function take() {
    const hit = found().querySelector("a, button");
    if (hit) hit.click();
    else if (!dialog) field.form.requestSubmit();
  }

  function close() {
    shown = field.value.trim();
    isEntered = false;
    found().replaceChildren();
    field.focus();
  }

  field.addEventListener("begin", () => (shown = null));
  // A person who leaves the field goes on with what is typed.
  for (const name of ["input", "blur"]) field.addEventListener(name, () => (isEntered = false));
  field.form.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.requestConfig.elt === field && !isWaiting()) detail.shouldSwap = false;
  });
  field.addEventListener("htmx:afterRequest", ({ detail }) => {
    const sent = detail.requestConfig.parameters[field.name].trim();
    if (!isWaiting() || sent !== field.value.trim()) return;
    shown = sent;
    if (isEntered && detail.successful) take();
    isEntered = false;
  });
  (dialog ?? field.form).addEventListener("keydown", (event) => {
    const isField = event.target === field;
    if (event.isComposing || (!isField && !found().contains(event.target))) return;
    if (event.key === "Enter" && isField) {
      event.preventDefault();
      isEntered = isWaiting();
      if (!isEntered) take();
    } else if (event.key === "Escape" && !dialog && (found().childElementCount || isWaiting())) {
      event.preventDefault();
      close();
    } else moveAmong(event, field, found().querySelectorAll(field.dataset.hits));
  });
}

// The keys of a list below its field.
export function moveAmong(event, field, list) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const active = document.activeElement;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const all = [field, ...list];
    const at = all.findIndex((each) => (each.closest("li") ?? each).contains(active));
    event.preventDefault();
    all[at + step]?.focus();
  } else if (active !== field && event.key.length === 1 && event.key !== " ") field.focus();
}
