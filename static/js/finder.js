// The finder: a dialog over the page that asks the server while somebody types. Enter opens the first hit, ↓ and ↑ go
// to the others, a letter goes on with the search. Without this file the link "Find" opens the same as a page.

const SOON = 80; // ms after the last letter

let dialog;

export function openFinder() {
  dialog ??= makeDialog(document.getElementById("finder-template").content.firstElementChild);
  if (dialog.open) return;
  dialog.showModal();
  dialog.begin();
}

function makeDialog(template) {
  const made = template.cloneNode(true);
  const field = made.querySelector("input");
  const form = made.querySelector("form");
  const found = made.querySelector(".hits-found");
  const said = made.querySelector("#finder-said");
  let shown = null; // the text that the hits belong to
  let enter = false; // Enter was pressed before they came
  let asking; // the request on its way
  let typing; // the timer

  async function ask() {
    const text = field.value.trim();
    asking?.abort();
    asking = new AbortController();
    try {
      const headers = { "HX-Request": "true", "HX-Current-URL": location.href };
      const answer = await fetch(`${form.action}?q=${encodeURIComponent(text)}`, { headers, signal: asking.signal });
      const away = answer.headers.get("HX-Redirect");
      if (away) return location.assign(away);
      if (!answer.ok) throw new Error(answer.status);
      show(text, await answer.text());
    } catch (error) {
      if (error.name === "AbortError") return;
      enter = false;
      found.textContent = said.textContent = made.dataset.lost;
    }
  }

  function show(text, html) {
    found.innerHTML = html;
    shown = text;
    said.textContent = found.querySelector(".said").textContent;
    if (enter) open();
  }

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

  field.addEventListener("input", () => {
    enter = false;
    clearTimeout(typing);
    typing = setTimeout(ask, SOON);
  });
  form.addEventListener("submit", (event) => {
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
  made.begin = () => {
    field.select();
    ask();
  };
  document.body.append(made);
  return made;
}
