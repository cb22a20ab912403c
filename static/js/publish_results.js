// Publish results: say which boards are missing or not saved, each with a button that goes there.

import { make, makeButton } from "./elements.js";

// entry: static/js/result_entry.js; goTo(board).
export function watchPublication({ form, boards, others, outbox, words }, goTo) {
  const problem = document.getElementById("problem");

  function jumps(sentence, found) {
    const buttons = found.map((board) => {
      const properties = { className: "small", "aria-label": board.name };
      return Object.assign(makeButton(board.label, () => goTo(board), properties), { missing: !board.result && board });
    });
    return [make("p", {}, sentence), make("span", { className: "actions jumps" }, ...buttons)];
  }

  // No button stays for a board that has got its result, and no notice without one.
  document.addEventListener("counted", () => {
    const done = [...problem.querySelectorAll(".jumps button")].filter(({ missing }) => missing.result);
    for (const button of done) button.remove();
    if (done.length && !problem.querySelector(".jumps button")) problem.replaceChildren();
  });

  // What is not saved yet would be left out: nothing is sent. What is published is what is shown here, by the version of
  // the pairings and of the results entered since, as round_version() counts it.
  document.addEventListener(
    "submit",
    (event) => {
      const seen = event.target.elements.seen_version;
      if (seen?.dataset.pairings) {
        seen.value = boards.reduce((sum, board) => sum + board.version, Number(seen.dataset.pairings) + others.versions);
      }
      const unsaved = boards.filter((board) => outbox.holds(board));
      if (!unsaved.length || event.target === form || !event.target.querySelector("#publish-results")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const missing = boards.filter((board) => !board.result);
      const lines = jumps(words.notSaved.replace("%b", unsaved.map((board) => board.label).join(", ")), unsaved);
      if (missing.length) lines.push(...jumps(words.noResult, missing));
      problem.replaceChildren(make("div", { className: "notice bad", role: "alert" }, ...lines));
      goTo(unsaved[0]);
    },
    true,
  );

  // The server has refused because boards have no result: go to the first, and offer the others.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr.status !== 409 || !event.target.querySelector("#publish-results")) return;
    const missing = boards.filter((board) => !board.result);
    if (!missing.length) return;
    problem.querySelector(".notice")?.append(...jumps(words.noResult, missing));
    goTo(missing[0]);
  });
}
