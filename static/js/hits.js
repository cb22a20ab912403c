// The name field of the entry form: arrow keys choose among the hits of the rating list, Enter fills the form.
// Without this file the button beside the field shows the same hits as a page.

"use strict";

const field = document.querySelector('[role="combobox"][aria-controls="hits"]');

if (field) {
  let shown = field.value; // The name to which the hits belong, or for which they were closed.
  let enter = false; // Enter was pressed before they came.

  const options = () => [...document.querySelectorAll('#hits [role="option"]')];
  const chosen = () => options().find((option) => option.getAttribute("aria-selected") === "true");

  const choose = (option) => {
    for (const each of options()) each.setAttribute("aria-selected", each === option ? "true" : "false");
    field.setAttribute("aria-expanded", option ? "true" : "false");
    if (option) {
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      field.removeAttribute("aria-activedescendant");
    }
  };

  const close = () => {
    document.getElementById("hits").replaceChildren();
    choose(null);
  };

  const isWaiting = () => shown !== field.value;

  field.addEventListener("input", () => (enter = false));

  field.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.indexOf(chosen());
    if (event.key === "Enter" && !event.isComposing) {
      if (isWaiting()) {
        event.preventDefault();
        enter = true;
      } else if (at >= 0) {
        event.preventDefault();
        all[at].click();
      }
    } else if (event.key === "Escape" && (all.length || isWaiting())) {
      event.preventDefault();
      shown = field.value;
      enter = false;
      close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && all.length) {
      event.preventDefault();
      choose(all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length]);
    }
  });

  // A person who leaves the field goes on with what is typed.
  field.addEventListener("blur", () => (enter = false));

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.elt === field && !isWaiting()) event.detail.shouldSwap = false;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target !== field || !isWaiting()) return;
    const searched = new URL(event.detail.xhr.responseURL || location.href).searchParams.get("name");
    if (event.detail.successful && searched !== field.value) return;
    shown = field.value;
    choose(options()[0] ?? null);
    if (!enter || !event.detail.successful) return;
    enter = false;
    if (chosen()) chosen().click();
    else field.form.requestSubmit();
  });
}
