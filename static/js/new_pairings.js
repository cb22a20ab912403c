// Somebody has changed the published pairings while results are entered: the rows of other players are replaced. All
// other rows stay as they are, with the focus and with what is being typed.

// Ask for the rows of the page. Change boards to them, in their order; return the boards that are gone with a result
// that was not saved, or undefined if the page could not be read. options: form, boards, outbox, makeBoard(row); rows
// (their selector) and insert() for a page whose rows are not in a table.
export async function replaceRows({ form, boards, outbox, makeBoard, rows = "#results tr[data-board]", insert }) {
  const answer = await fetch(form.action); // a refused form may have another address
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll(rows);
  if (!fresh.length) return undefined;
  const known = new Map(boards.map((board) => [board.id, board]));
  const now = [...fresh].map((row) => {
    const board = known.get(Number(row.dataset.id));
    return board && hasPlayersOf(board, row) ? board : makeBoard(document.importNode(row, true));
  });
  const gone = boards.filter((board) => !now.includes(board));
  const lost = gone.filter((board) => outbox.holds(board));
  for (const board of gone) {
    outbox.drop(board);
    board.clearQuestion();
    board.row.remove();
  }
  boards.splice(0, boards.length, ...now);
  if (insert) insert();
  else insertNew(form.querySelector("table.results tbody"), boards);
  return lost;
}

// Results of games that no longer exist could not be saved: say which, where the page says what went wrong.
export function sayLost(lost, words) {
  const games = lost.map((board) => `${board.name}${words.colon} ${board.row.dataset.white} – ${board.row.dataset.black} ${words.short[board.result]}`);
  const line = document.createElement("p");
  line.className = "notice bad";
  line.setAttribute("role", "alert");
  line.textContent = words.gone.replace("%b", games.join("; "));
  document.getElementById("problem").replaceChildren(line);
}

// A row that stays keeps its place in the page: moving it would lose the focus.
function insertNew(body, boards) {
  let before = null;
  for (const board of boards) {
    const here = before ? before.nextSibling : body.firstChild;
    if (!board.row.isConnected) (before?.parentElement ?? body).insertBefore(board.row, here);
    before = board.question ?? board.row;
  }
}

function hasPlayersOf(board, row) {
  const players = (data) => [data.whiteId, data.blackId].sort().join();
  return board.number === Number(row.dataset.board) && players(board.row.dataset) === players(row.dataset);
}
