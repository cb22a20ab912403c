// The floor page: tap a board, tap its result. Results lie in the outbox until the server has them, as in result entry.
// Boards stay where they are while the page is in use, so that nothing moves under the thumb; they are sorted again when
// the page comes back to the front. Without this file the page is a plain form.

import { Outbox } from "./outbox.js";

const form = document.getElementById("floor");
const bar = document.getElementById("floor-bar");
const words = JSON.parse(document.getElementById("words").textContent);
const NEWS_EVERY = 5000;
const GROUPS = ["missing", "reported", "entered"];

class FloorBoard {
  constructor(element) {
    this.element = element;
    this.id = Number(element.dataset.id);
    this.number = Number(element.dataset.board);
    this.table = Number(element.dataset.table);
    this.url = element.dataset.url;
    this.version = Number(element.dataset.version);
    this.result = element.dataset.result;
    this.summary = element.querySelector("summary");
    this.question = element.querySelector(".question");
  }

  get name() {
    const { game } = this.element.dataset;
    return (game ? words.game : words.board).replace("%n", this.number).replace("%m", game);
  }

  get group() {
    if (this.result) return "entered";
    return this.element.dataset.reportedBy ? "reported" : "missing";
  }

  show(result) {
    const { reported, reportedBy: by } = this.element.dataset;
    this.result = result;
    this.element.dataset.result = result;
    const said = by && !result ? words.reported[by].replace("%r", words.short[reported] ?? "") : "";
    this.element.querySelector(".now strong").textContent = result ? words.short[result] : "";
    this.element.querySelector(".said").textContent = said;
    const accept = this.element.querySelector(".accept");
    accept.hidden = !reported || Boolean(result);
    accept.value = `${this.id}:${reported}`;
    accept.textContent = words.accept.replace("%r", words.short[reported] ?? "");
    for (const button of this.element.querySelectorAll("button[name=save]")) {
      button.setAttribute("aria-pressed", String(button.value === `${this.id}:${result}`));
    }
  }

  say(state, text = "") {
    this.element.dataset.state = state;
    const said = { saving: "…", saved: "✓ " + words.saved, unsaved: words.unsaved, conflict: words.unsaved };
    this.element.querySelector(".mark").textContent = text || said[state] || "";
    if (state !== "conflict") this.question.hidden = true;
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
    this.element.open = true;
  }

  // The colours were exchanged: the names change places.
  turnTo(white) {
    const { dataset } = this.element;
    if (!white || dataset.whiteId === String(white)) return;
    [dataset.white, dataset.black, dataset.whiteId] = [dataset.black, dataset.white, String(white)];
    this.element.querySelector(".players .white").textContent = dataset.white;
    this.element.querySelector(".players .black").textContent = dataset.black;
  }
}

const boards = [...form.querySelectorAll(".floor-board")].map((element) => new FloorBoard(element));

const outbox = new Outbox({
  key: form.dataset.key,
  token,
  changed: showOutbox,
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

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.name) return;
  event.preventDefault();
  const board = boards.find((other) => other.element.contains(button));
  const result = button.value.slice(button.value.indexOf(":") + 1);
  board.show(result);
  outbox.put(board, result, false, button.name === "accept");
  board.element.open = false;
  board.summary.focus({ preventScroll: true });
  document.getElementById("spoken").textContent = `${board.name}${words.colon} ${words.long[result]}`;
  count();
});

// A number: the board, or the board at the table with this number. What is not here the server looks for.
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
  for (const other of boards) other.element.open = other === board;
  board.element.scrollIntoView({ block: "center" });
  board.summary.focus({ preventScroll: true });
}

function sort() {
  for (const group of GROUPS) {
    const section = document.getElementById(`group-${group}`);
    const own = boards.filter((board) => board.group === group);
    section.append(...own.map((board) => board.element));
    section.hidden = !own.length;
  }
}

function count() {
  document.getElementById("entered").textContent = boards.filter((board) => board.result).length;
}

function showOutbox({ waiting, failed, asked }) {
  const line = document.getElementById("save-state");
  line.dataset.state = failed ? "unsaved" : waiting ? "saving" : "saved";
  if (asked) line.textContent = `${asked} ${words.asked}`;
  else if (failed) line.textContent = `${waiting} ${words.tryingAgain}`;
  else line.textContent = waiting ? `${waiting} ${words.saving}` : `✓ ${words.allSaved}`;
}

function token() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length) ?? form.elements.csrfmiddlewaretoken.value;
}

async function fetchNews() {
  if (document.hidden) return;
  const { stateUrl, version, reports } = form.dataset;
  const answer = await fetch(`${stateUrl}?v=${version}&r=${reports}`, { headers: { "HX-Request": "true" } });
  if (answer.status !== 200 || answer.headers.has("HX-Redirect")) return;
  const news = await answer.json();
  form.dataset.version = news.version;
  form.dataset.reports = news.reports;
  for (const state of news.boards) {
    const board = boards.find((other) => other.id === state.game);
    if (!board) continue;
    board.turnTo(state.white);
    Object.assign(board.element.dataset, { reported: state.reported, reportedBy: state.reported_by });
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
  if (!boards.some((board) => board.element.open)) sort();
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
showOutbox({ waiting: outbox.size, failed: false, asked: 0 });
const opened = boards.find((board) => board.element.open);
if (opened) open(opened);
