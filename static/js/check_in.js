// The check-in desk: type the first letters, Enter checks in the only player who fits. ↓ and ↑ move between the
// players, ⌫ in the empty field undoes the last check-in. The list is asked for again all the time, because other
// helpers work at the same moment; what is typed and where the keyboard is stay as they are. Without this file the
// field is a form, and the server says who fits.

import { fold } from "./names.js";

const form = document.getElementById("check-in-find");
const field = document.getElementById("who");
const fits = document.getElementById("who-fits");

const words = (text) => fold(text).split(/[\s,-]+/).filter(Boolean);
const rows = () => [...document.querySelectorAll(".check-in-list li[data-name]")];

// Hide who does not fit; called again after every swap of the list, before it is painted.
function filter() {
  const wanted = words(field.value);
  const found = [];
  for (const row of rows()) {
    const parts = words(row.dataset.name);
    const is = wanted.every((word) => parts.some((part) => part.startsWith(word)));
    row.hidden = !is;
    if (is && "arrives" in row.dataset) found.push(row);
  }
  if (!wanted.length) say("");
  else if (!found.length) say(form.dataset.none);
  else if (found.length === 1) say(`${form.dataset.one} ${found[0].dataset.name}`);
  else say(form.dataset.many.replace("#", found.length));
}

function say(text) {
  if (fits.textContent !== text) fits.textContent = text;
}

const buttons = () => rows().filter((row) => !row.hidden).map((row) => row.querySelector("button")).filter(Boolean);

function move(event, step) {
  const all = buttons();
  const next = all.indexOf(document.activeElement) + step;
  event.preventDefault();
  if (next < 0) field.focus();
  else all[next]?.focus();
}

if (form) {
  field.addEventListener("input", filter);
  document.addEventListener("htmx:afterSwap", filter);
  document.body.addEventListener("saved", () => {
    // A finger on a button of the list wants no keyboard on the screen.
    if (document.activeElement === field || matchMedia("(pointer: fine)").matches) field.focus();
    field.value = "";
    filter();
  });
  document.addEventListener("keydown", (event) => {
    const active = document.activeElement;
    const inList = active.closest?.(".check-in-list");
    if (active !== field && !inList) return;
    if (event.key === "ArrowDown") move(event, 1);
    else if (event.key === "ArrowUp") move(event, -1);
    else if (event.key === "Backspace" && active === field && !field.value && !event.repeat) {
      document.getElementById("undo-check-in")?.click();
    } else if (inList && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) field.focus();
  });
  filter();
}
