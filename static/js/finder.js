// The finder: a dialog over the page in which htmx asks the server while somebody types. Enter opens the first hit, ↓ and ↑
// go to the others, a letter goes on with the search. Without this file the link "Find" opens the same as a page.

let dialog;

export function openFinder() {
  dialog ??= makeDialog(document.getElementById("finder-template").content.firstElementChild);
  if (dialog.open) return;
  dialog.showModal();
  const field = dialog.querySelector("input");
  field.select();
  htmx.trigger(field, "begin");
}

function makeDialog(template) {
  const made = template.cloneNode(true);
  const field = made.querySelector("input");
  const found = made.querySelector(".hits-found");
  let shown = null; // the text that the hits belong to
  let enter = false; // Enter was pressed before they came

  // The first link, when the hits belong to what is typed.
  function open() {
    enter = field.value.trim() !== shown;
    if (!enter) found.querySelector("a")?.click();
  }

  function move(event, step) {
    const all = [field, ...found.querySelectorAll("li > a:first-child")];
    const at = all.indexOf(document.activeElement.closest("li")?.querySelector("a") ?? field);
    event.preventDefault();
    all[at + step]?.focus();
  }

  field.addEventListener("input", () => (enter = false));
  made.addEventListener("htmx:afterSwap", ({ detail }) => {
    shown = detail.requestConfig.parameters.q.trim();
    made.querySelector("#finder-said").textContent = found.querySelector(".said").textContent;
    if (enter) open();
  });
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    open();
  });
  made.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown") move(event, 1);
    else if (event.key === "ArrowUp") move(event, -1);
    else if (event.target.closest("li") && (event.key === "Backspace" || (event.key.length === 1 && event.key !== " "))) field.focus();
  });
  made.addEventListener("click", (event) => {
    // A link within this page, such as to a board, leaves it where it is.
    if (event.target === made || event.target.closest("button, a")) made.close();
  });
  document.body.append(made);
  htmx.process(made);
  return made;
}
