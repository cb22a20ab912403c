// Publish results: what is not saved yet is not published, and the cursor goes to the first board
// without a result.

import { make } from "./common.js";

// entry: static/js/result_entry.js; goTo(board).
export function watchPublication({ form, boards, others, outbox, words }, goTo) {
  const problem = document.getElementById("problem");

  // What is not saved yet would be left out: nothing is sent. What is published is what is shown
  // here, by the version of the pairings and of the results entered since, as round_version()
  // counts it.
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
      const sentence = words.notSaved.replace("%b", unsaved.map((board) => board.label).join(", "));
      problem.replaceChildren(make("p", { className: "notice bad", role: "alert" }, sentence));
      goTo(unsaved[0]);
    },
    true,
  );

  // The server has refused because boards have no result. The list at the top has links to the
  // others.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr.status !== 409 || !event.target.querySelector("#publish-results")) return;
    problem.querySelector(".notice")?.setAttribute("data-until-all-in", "");
    goTo(boards.find((board) => !board.result));
  });
}
