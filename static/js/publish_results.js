// Publish results: say which boards are missing or not saved, each with a button that goes there.

// options: form, boards, others (those of other parts), outbox, words and goTo(board).
export function watchPublication({ form, boards, others, outbox, words, goTo }) {
  const problem = document.getElementById("problem");
  const jumps = new Map(); // to the boards without a result, by button

  // No button stays for a board that has got its result, and no notice without one.
  document.addEventListener("counted", () => {
    if (!jumps.size) return;
    for (const [button, board] of jumps) {
      if (!board.result) continue;
      button.remove();
      jumps.delete(button);
    }
    if (!problem.querySelector(".jumps button")) problem.replaceChildren();
  });

  function line(sentence, found) {
    const text = document.createElement("p");
    const buttons = document.createElement("span");
    buttons.className = "actions jumps";
    text.append(sentence);
    buttons.append(
      ...found.map((board) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "small";
        button.textContent = board.label;
        button.setAttribute("aria-label", board.name);
        button.addEventListener("click", () => goTo(board));
        if (!board.result) jumps.set(button, board);
        return button;
      }),
    );
    return [text, buttons];
  }

  // What is not saved yet would be left out: nothing is sent. What is published is what is shown here, by the version of
  // the pairings and of the results entered since, as round_version() counts it.
  document.addEventListener(
    "submit",
    (event) => {
      const seen = event.target.elements.seen_version;
      if (seen?.dataset.pairings) {
        seen.value = boards.reduce((sum, board) => sum + board.version, Number(seen.dataset.pairings) + others.versions);
      }
      if (!outbox.size || event.target === form || !event.target.querySelector("#publish-results")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const unsaved = boards.filter((board) => outbox.holds(board));
      const missing = boards.filter((board) => !board.result);
      const notice = document.createElement("div");
      notice.className = "notice bad";
      notice.setAttribute("role", "alert");
      jumps.clear();
      const labels = unsaved.map((board) => board.label).join(", ");
      notice.append(...line(words.notSaved.replace("%b", labels), unsaved));
      if (missing.length) notice.append(...line(words.noResult, missing));
      problem.replaceChildren(notice);
      goTo(unsaved[0]);
    },
    true,
  );

  // The server has refused because boards have no result: go to the first, and offer the others.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr.status !== 409 || !event.target.querySelector("#publish-results")) return;
    const missing = boards.filter((board) => !board.result);
    jumps.clear();
    if (!missing.length) return;
    problem.querySelector(".notice")?.append(...line(words.noResult, missing));
    goTo(missing[0]);
  });
}
