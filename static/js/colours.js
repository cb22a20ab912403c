// Colours swapped: the players of a board played with the other colours than published.

// options: board, words, token(), unsaved (a result of the board is on its way), news() and goTo(board).
export function askToSwap(options) {
  const { board, words } = options;
  if (options.unsaved) return board.ask(words.swapUnsaved, [[words.keepOn, () => answered(options)]]);
  board.ask(words.swapColours.replace("%w", board.row.dataset.black).replace("%b", board.row.dataset.white), [
    [words.swap, () => swap(options)],
    [words.dontSwap, () => answered(options)],
  ]);
  board.question.querySelector("button").focus();
}

function answered({ board, goTo }) {
  board.clearQuestion();
  goTo(board);
}

async function swap(options) {
  const { board, words } = options;
  const body = new URLSearchParams({ seen_version: board.version });
  const headers = { "X-CSRFToken": options.token(), "HX-Request": "true", Accept: "application/json" };
  const said = await fetch(board.row.dataset.coloursUrl, { method: "POST", body, headers })
    .then((answer) => answer.json())
    .catch(() => ({ sentence: words.notDone }));
  await options.news().catch(() => {});
  answered(options);
  if (said.sentence) board.ask(said.sentence, [[words.keepOn, () => answered(options)]]);
}

// Show *white*, the entry of White, on the left; the two players of a board change places if they sit the other way.
export function turnTo(board, white) {
  const { row } = board;
  if (white === undefined || row.dataset.blackId !== String(white)) return;
  const data = row.dataset;
  [data.white, data.black] = [data.black, data.white];
  [data.whiteId, data.blackId] = [data.blackId, data.whiteId];
  [data.whiteTpn, data.blackTpn] = [data.blackTpn, data.whiteTpn];
  board.tpns.reverse();
  const [left, right] = ["white", "black"].map((colour) => row.querySelector(`td.${colour} .player`) ?? row.querySelector(`td.${colour}`));
  const children = [...left.childNodes];
  left.replaceChildren(...right.childNodes);
  right.replaceChildren(...children);
  if (left.href) [left.href, right.href] = [right.href, left.href]; // the cards of the players
}
