// Somebody has changed the published pairings while results are entered: the rows of other players
// are replaced. All other rows stay as they are, with the focus and with what is being typed.

import { get, make } from "./common.js";

// Ask for the rows of the page. Change boards to them, in their order; return the boards that are
// gone with a result that was not saved, or undefined if the page could not be read. The options
// are those of ResultEntry.
export async function replaceRows({ form, boards, outbox, makeBoard, rows }) {
  const answer = await get(form.action); // a refused form may have another address
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll(rows);
  if (!fresh.length) return undefined;
  const known = new Map(boards.map((board) => [board.id, board]));
  const now = [...fresh].map((row) => {
    const board = known.get(Number(row.dataset.id));
    return board && hasPlayersOf(board, row) ? board : makeBoard(document.importNode(row, true));
  });
  const gone = boards.filter((board) => !now.includes(board));
  const lost = gone.filter((board) => outbox.holds(board));
  // A row that stays keeps its place in the page: moving it would lose the focus.
  for (const { row } of now.filter((board) => !board.row.isConnected)) {
    const before = document.getElementById(row.id);
    if (before) before.replaceWith(row);
    else [...form.querySelectorAll(rows)].at(-1).parentElement.append(row);
  }
  for (const board of gone) {
    outbox.drop(board);
    board.clearQuestion();
    board.row.remove();
  }
  boards.splice(0, boards.length, ...now);
  return lost;
}

// Results of games that no longer exist could not be saved: say which, where the page says what
// went wrong.
export function sayLost(lost, words) {
  const games = lost.map((board) => `${board.name}${words.colon} ${board.row.dataset.white} – ${board.row.dataset.black} ${words.short[board.result]}`);
  const properties = { className: "notice bad", role: "alert", textContent: words.gone.replace("%b", games.join("; ")) };
  document.getElementById("problem").replaceChildren(make("p", properties));
}

function hasPlayersOf(board, row) {
  const players = (data) => [data.whiteId, data.blackId].sort().join();
  return board.number === Number(row.dataset.board) && players(board.row.dataset) === players(row.dataset);
}

// Show *white*, the entry of White, first; the two players of a board change places if they sit the
// other way.
export function turnTo(board, white) {
  const { row } = board;
  if (white === undefined || row.dataset.blackId !== String(white)) return;
  const data = row.dataset;
  [data.white, data.black] = [data.black, data.white];
  [data.whiteId, data.blackId] = [data.blackId, data.whiteId];
  const [left, right] = ["white", "black"].map((colour) => row.querySelector(`.${colour} .player`) ?? row.querySelector(`.${colour}`));
  const children = [...left.childNodes];
  left.replaceChildren(...right.childNodes);
  right.replaceChildren(...children);
  if (left.href) [left.href, right.href] = [right.href, left.href]; // the cards of the players
}
