// The mirror of an event has all players of all sections on one page: show those whose names fit
// the search. Without this file the page shows all of them.

import { say } from "./common.js";
import { findLines, wordsOf } from "./names.js";

const field = document.getElementById("q");
const nobody = document.getElementById("nobody");
const lines = [...document.querySelectorAll("#players > li")];
const words = new Map(lines.map((line) => [line, wordsOf(line.querySelector("[data-name]").textContent)]));

function find() {
  const found = new Set(findLines(lines, field.value, (line) => words.get(line)));
  for (const line of lines) line.hidden = !found.has(line);
  if (!lines.length) return;
  say(nobody, found.size ? "" : nobody.dataset.nobody);
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", find);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
find();
