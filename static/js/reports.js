// What the players report, beside the boards without a result: a button that accepts it, and one for all boards that
// both players report alike.

export function showReport(board, words, accept) {
  const { reported, reportedBy: by } = board.row.dataset;
  const text = by && !board.result ? words.reported[by].replace("%r", words.short[reported] ?? "") : "";
  if (board.reportText === text) return;
  board.reportText = text;
  board.report?.remove();
  board.report = undefined;
  if (!text) return;
  board.report = document.createElement(reported ? "button" : "span");
  board.report.className = `reported ${by}`;
  board.report.textContent = text;
  if (reported) {
    board.report.type = "button";
    board.report.tabIndex = -1;
    const accepts = words.accept.replace("%r", words.short[reported]);
    board.report.setAttribute("aria-label", `${text}. ${accepts}, ${board.name}`);
    board.report.addEventListener("click", accept);
  }
  board.row.querySelector(".quick").append(board.report);
}

export function showAlike(boards, words) {
  const panel = document.getElementById("alike");
  if (!panel) return;
  const alike = boards.filter((board) => !board.result && board.row.dataset.reportedBy === "both");
  panel.hidden = !alike.length;
  const text = words.alike.replace("%b", alike.map((board) => board.label).join(", "));
  const place = document.getElementById("alike-boards");
  if (place.textContent !== text) place.textContent = text;
  const button = document.getElementById("accept-alike");
  button.textContent = alike.length === 1 ? words.acceptAll : words.acceptAlls.replace("%n", alike.length);
}
