// What the players report, beside the boards without a result: a button that accepts it, and one
// for all boards that both players report alike.

import { make, makeButton, say } from "./common.js";

export function showReport(board, words, accept) {
  const { reported, reportedBy: by } = board.row.dataset;
  const text = by && !board.result ? words.reported[by].replace("%r", words.short[reported] ?? "") : "";
  if (board.reportText === text) return;
  board.reportText = text;
  board.report?.remove();
  board.report = undefined;
  if (!text) return;
  const looks = { className: `reported ${by}` };
  if (reported) {
    const label = `${text}. ${words.accept.replace("%r", words.short[reported])}, ${board.name}`;
    board.report = makeButton(text, accept, { ...looks, tabIndex: -1, "aria-label": label });
  } else {
    board.report = make("span", looks, text);
  }
  board.row.querySelector(".quick").append(board.report);
}

export function showAlike(boards, words) {
  const panel = document.getElementById("alike");
  if (!panel) return;
  const alike = boards.filter((board) => !board.result && board.row.dataset.reportedBy === "both");
  panel.hidden = !alike.length;
  const text = words.alike.replace("%b", alike.map((board) => board.label).join(", "));
  say(document.getElementById("alike-boards"), text);
  const button = document.getElementById("accept-alike");
  button.textContent = alike.length === 1 ? words.acceptAll : words.acceptAlls.replace("%n", alike.length);
}
