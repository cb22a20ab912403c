// The floor page: tap a board, tap its result. Results lie in the outbox until the server has them, as in result entry.
// Boards stay where they are while the page is in use, so that nothing moves under the thumb; they are sorted again when
// the page comes back to the front. Without this file the page is a plain form.

import { Elsewhere } from "./elsewhere.js";
import { replaceRows, sayLost } from "./new_pairings.js";
import { Outbox, showOutbox } from "./outbox.js";

const form = document.getElementById("floor");
const bar = document.getElementById("floor-bar");
const words = JSON.parse(document.getElementById("words").textContent);
const NEWS_EVERY = 5000;
const GROUPS = ["missing", "reported", "entered"];

class FloorBoard {
  constructor(row) {
    this.row = row;
    this.id = Number(row.dataset.id);
    this.number = Number(row.dataset.board);
    this.url = row.dataset.url;
    this.version = Number(row.dataset.version);
    this.result = row.dataset.result;
    this.summary = row.querySelector("summary");
    this.question = row.querySelector(".question");
    row.addEventListener("toggle", () => {
      // The second tap must not need a scroll first: the buttons of a board low on the screen are behind the bar.
      if (row.open) row.scrollIntoView({ block: "nearest" });
      else this.showAccept();
    });
  }

  get name() {
    const { game } = this.row.dataset;
    return (game ? words.game : words.board).replace("%n", this.number).replace("%m", game);
  }

  get group() {
    if (this.result) return "entered";
    return this.row.dataset.reportedBy ? "reported" : "missing";
  }

  show(result) {
    const { reported, reportedBy: by } = this.row.dataset;
    this.result = result;
    this.row.dataset.result = result;
    const said = by && !result ? words.reported[by].replace("%r", words.short[reported] ?? "") : "";
    this.row.querySelector(".now strong").textContent = result ? words.short[result] : "";
    this.row.querySelector(".said").textContent = said;
    if (!this.row.open) this.showAccept();
    for (const button of this.row.querySelectorAll("button[name=save]")) {
      button.setAttribute("aria-pressed", String(button.value === `${this.id}:${result}`));
    }
  }

  // The button that accepts the report. It stays as it is while the board is open: it must not move the other buttons,
  // or become another result, under the thumb. If the players report something else by then, the server refuses it.
  showAccept() {
    const { reported } = this.row.dataset;
    const accept = this.row.querySelector(".accept");
    accept.hidden = !reported || Boolean(this.result);
    accept.value = `${this.id}:${reported}`;
    accept.textContent = words.accept.replace("%r", words.short[reported] ?? "");
  }

  say(state, text = "") {
    this.row.dataset.state = state;
    const said = { saving: "…", saved: "✓ " + words.saved, unsaved: words.unsaved, conflict: words.unsaved };
    this.row.querySelector(".mark").textContent = text || said[state] || "";
    if (state !== "conflict") this.clearQuestion();
  }

  clearQuestion() {
    this.question.hidden = true;
  }

  ask(sentence, choices) {
    const text = document.createElement("p");
    text.textContent = sentence;
    const buttons = choices.map(([label, action]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", action);
      return button;
    });
    this.question.replaceChildren(text, ...buttons);
    this.question.hidden = false;
    this.row.open = true;
  }

  // The colours were exchanged: the names change places.
  turnTo(white) {
    const { dataset } = this.row;
    if (dataset.blackId !== String(white)) return;
    [dataset.white, dataset.black] = [dataset.black, dataset.white];
    [dataset.whiteId, dataset.blackId] = [dataset.blackId, dataset.whiteId];
    this.row.querySelector(".players .white").textContent = dataset.white;
    this.row.querySelector(".players .black").textContent = dataset.black;
  }
}

const boards = [...form.querySelectorAll(".floor-board")].map((row) => new FloorBoard(row));

const outbox = new Outbox({
  key: form.dataset.key,
  token,
  changed: (state) => showOutbox(state, words),
  sending: (board) => board.say("saving"),
  failed: (board) => board.say("unsaved"),
  saved: (board) => board.say("saved"),
  sessionOver: () => document.getElementById("session-over").removeAttribute("hidden"),
  // Somebody else was faster, or a rule refuses: show both and let the person decide.
  refused: (board, wanted, answer) => {
    const theirs = () => {
      outbox.drop(board);
      board.show(answer.result);
      board.say("idle");
      count();
    };
    const choices = [[words.keepTheirs.replace("%r", words.short[answer.result] || "–"), theirs]];
    if (answer.conflict || answer.confirm) {
      const mine = () => outbox.put(board, wanted, answer.confirm);
      choices.push([words.saveMine.replace("%r", words.short[wanted] || "–"), mine]);
    }
    board.say("conflict");
    board.ask(answer.sentence, choices);
    fetchNews().catch(() => {});
  },
});

const others = new Elsewhere(form, outbox); // of the other parts of a large round

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.name) return;
  event.preventDefault();
  const board = boards.find((other) => other.row.contains(button));
  const result = button.value.slice(button.value.indexOf(":") + 1);
  board.show(result);
  outbox.put(board, result, false, button.name === "accept");
  board.row.open = false;
  board.summary.focus({ preventScroll: true });
  document.getElementById("spoken").textContent = `${board.name}${words.colon} ${words.long[result]}`;
  count();
});

// A number opens the board; if there is none, the server says so.
bar.addEventListener("submit", (event) => {
  const field = bar.elements.board;
  const number = Number(field.value);
  const found = boards.filter((board) => board.number === number);
  const board = found.find((other) => !other.result) ?? found[0];
  if (!board) return;
  event.preventDefault();
  field.value = "";
  open(board);
});

function open(board) {
  for (const other of boards) other.row.open = other === board;
  board.row.scrollIntoView({ block: "center" });
  board.summary.focus({ preventScroll: true });
}

function sort() {
  for (const group of GROUPS) place(group, (board) => board.group === group);
}

function place(group, isMoved) {
  const section = document.getElementById(`group-${group}`);
  section.append(...boards.filter(isMoved).map((board) => board.row));
  section.hidden = !section.querySelector(".floor-board");
}

// The published pairings were changed: boards with other players are replaced, and the others stay where they are.
async function takePairings(version) {
  const isNew = (board) => !board.row.isConnected;
  const insert = () => GROUPS.forEach((group) => place(group, (board) => isNew(board) && board.group === group));
  const lost = await replaceRows({
    form, boards, outbox, insert, rows: ".floor-board", makeBoard: (row) => new FloorBoard(row),
  });
  if (!lost) return;
  form.dataset.pairings = version;
  if (!lost.length) return;
  sayLost(lost, words);
  document.getElementById("problem").scrollIntoView({ block: "center" });
}

function count() {
  document.getElementById("entered").textContent = others.entered + boards.filter((board) => board.result).length;
  if (!form.dataset.boards) document.getElementById("games").textContent = boards.length;
}

function token() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length) ?? form.elements.csrfmiddlewaretoken.value;
}

async function fetchNews() {
  if (document.hidden) return;
  const { stateUrl, version, reports } = form.dataset;
  const answer = await fetch(`${stateUrl}${stateUrl.includes("?") ? "&" : "?"}v=${version}&r=${reports}`, { headers: { "HX-Request": "true" } });
  if (answer.status !== 200 || answer.headers.has("HX-Redirect")) return;
  const news = await answer.json();
  form.dataset.version = news.version;
  form.dataset.reports = news.reports;
  others.take(news.elsewhere);
  if (String(news.pairings) !== form.dataset.pairings) await takePairings(news.pairings);
  for (const state of news.boards) {
    const board = boards.find((other) => other.id === state.game);
    if (!board) continue;
    board.turnTo(state.white);
    Object.assign(board.row.dataset, { reported: state.reported, reportedBy: state.reported_by });
    if (!outbox.holds(board) && state.version > board.version) {
      board.version = state.version;
      board.result = state.result;
      board.say("idle");
    }
    board.show(board.result);
  }
  count();
}

setInterval(() => fetchNews().catch(() => {}), NEWS_EVERY);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (!boards.some((board) => board.row.open)) sort();
  fetchNews().catch(() => {});
});
window.addEventListener("beforeunload", (event) => {
  if (outbox.size) event.preventDefault();
});

// Begin: what an earlier visit could not save comes first.
for (const board of boards) {
  const kept = outbox.kept(board);
  if (!kept) continue;
  board.show(kept.result);
  board.version = kept.version;
  outbox.put(board, kept.result, false, kept.accepts);
}
count();
showOutbox({ waiting: outbox.size, failed: false, asked: 0 }, words);
const opened = boards.find((board) => board.row.open);
if (opened) open(opened);
