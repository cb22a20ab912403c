// The mirror of an event has all players of all sections on one page: show those whose names have all words of the search.
// Without this file the page shows all of them.

import { searchWords, spellings } from "./names.js";

const field = document.getElementById("q");
const nobody = document.getElementById("nobody");
const spellingsOf = (line) => spellings(line.querySelector("[data-name]").textContent).map((name) => name.replaceAll("'", ""));
const lines = [...document.querySelectorAll("#players > li")].map((line) => [line, spellingsOf(line)]);

function find() {
  const words = searchWords(field.value);
  let found = 0;
  for (const [line, names] of lines) {
    line.hidden = !words.every((word) => names.some((name) => name.includes(word)));
    found += !line.hidden;
  }
  if (!lines.length) return;
  const text = found ? "" : nobody.dataset.nobody;
  if (nobody.textContent !== text) nobody.textContent = text;
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", find);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
find();
