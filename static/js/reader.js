// The page about pages without network. The worker also shows it in place of a page that is not
// kept. With the code of a round in its address it shows the boards: nothing is sent, and a phone
// that keeps the page needs no network.

import { get, keep as store, keptObject, make, siteTime } from "./common.js";
import { chosen } from "./follow.js";
import { findLines, renewIndex, wordsOf } from "./names.js";
import { bytesOf, isSigned, numbersMark, unpack } from "./round_code.js";

const reader = document.getElementById("reader");
const scanned = document.getElementById("scanned");
const words = scanned.dataset;
const place = `round:${reader.dataset.tournament}`;
const part = (name) => document.getElementById(`scanned-${name}`);
let shown = null; // { codes, names }
let reads = 0; // only the last one begun shows its code

if (location.pathname !== reader.dataset.own) {
  document.getElementById("not-kept").hidden = false;
  document.getElementById("again").href = location.href;
} else {
  addEventListener("hashchange", read);
  document.addEventListener("news:answer", renew); // static/js/news.js
  read();
}

async function read() {
  const digits = location.hash.slice(1);
  if (!digits) return;
  const number = (reads += 1);
  scanned.hidden = false;
  document.getElementById("about-kept").hidden = true;
  let bytes;
  let code;
  try {
    bytes = bytesOf(digits);
    code = unpack(bytes);
  } catch {
    return refuse(words.wrong);
  }
  if (!reader.dataset.event.startsWith(code.event)) return refuse(words.other);
  const isTrue = await isSigned(bytes, reader.dataset.event, reader.dataset.key);
  if (number !== reads) return;
  if (isTrue === false) return refuse(words.wrong);
  const kept = keep(code, digits);
  const names = await namesFor(code);
  if (number !== reads) return;
  show(code, kept, names, isTrue ? words.verified : words.unverified, Boolean(isTrue));
}

// The code may have players who were entered since this page was opened, and pairings that were
// changed since.
function renew({ detail: { news } }) {
  const isNew = renewIndex(reader.dataset, news.key);
  Object.assign(reader.dataset, { round: news.pairings, pairingsVersion: 1 + (news.changes ?? 0) });
  if (isNew) read();
}

function refuse(text) {
  part("round").textContent = "";
  part("when").textContent = "";
  part("notes").replaceChildren();
  for (const name of ["own", "search", "table", "byes"]) part(name).hidden = true;
  say(text, false);
}

function say(text, isGood) {
  part("state").className = isGood ? "notice good" : "notice bad";
  part("state").textContent = text;
}

// The codes of one round are scanned one after the other: the phone keeps those of the newest
// version.
function keep(code, digits) {
  const isSame = (other) => ["round", "version", "published", "parts"].every((name) => other[name] === code[name]);
  let known = [];
  try {
    known = (keptObject(place) ?? []).map((each) => ({ digits: each, ...unpack(bytesOf(each)) }));
  } catch {
    // Nothing that can be read: this code is the first.
  }
  const isOlder = known.some((other) => other.round > code.round || (other.round === code.round && other.published > code.published));
  const codes = [...known.filter((other) => isSame(other) && other.part !== code.part), { digits, ...code }];
  codes.sort((a, b) => a.part - b.part);
  if (!isOlder) store(place, JSON.stringify(codes.map((each) => each.digits))); // without storage each code is shown alone
  return { codes, isOlder };
}

// Names by number; null if the numbers of the index are not those of the code.
async function namesFor(code) {
  try {
    const answer = await get(reader.dataset.names);
    const index = answer.ok ? await answer.json() : [];
    if (!index.length || numbersMark(index) !== code.numbers) return null;
    return new Map(index.map(([entry, number, name, more]) => [number, { entry, name, isNamesake: Boolean(more) }]));
  } catch {
    return null;
  }
}

function show(code, { codes, isOlder }, names, state, isGood) {
  const newest = { round: Number(reader.dataset.round), version: Number(reader.dataset.pairingsVersion) };
  shown = { boards: codes.flatMap((each) => each.boards), byes: codes.flatMap((each) => each.byes), names };
  part("round").textContent = words.round.replace("#", code.round);
  const format = { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" };
  const at = siteTime(code.published * 1000, document.documentElement.lang, format);
  const version = code.version > 1 ? ` · ${words.numbered.replace("#", code.version)}` : "";
  part("when").textContent = words.published.replace("#", at) + version;
  say(state, isGood);
  const notes = [];
  const isBefore = newest.round > code.round || (newest.round === code.round && newest.version > code.version);
  if (isOlder || isBefore) notes.push(words.older);
  if (codes.length < code.parts) notes.push(words.part.replace("#", code.part).replace("#", code.parts));
  if (!names) notes.push(words.numbers);
  part("notes").replaceChildren(...notes.map((textContent) => make("li", { className: "notice", textContent })));
  showOwn();
  part("search").hidden = part("table").hidden = !shown.boards.length;
  list();
  document.title = `${words.round.replace("#", code.round)} · ${document.title.split(" · ").slice(-2).join(" · ")}`;
}

const called = (number) => shown.names?.get(number)?.name ?? `${number}`;
// Several players have this name: the number tells them apart.
const distinct = (number) => (shown.names?.get(number)?.isNamesake ? `${number} ${called(number)}` : called(number));
const boardWords = ([board, , , table]) =>
  words.board.replace("#", board) + (table === board ? "" : ` (${words.table.replace("#", table)})`);

function showOwn() {
  const mine = chosen(reader.dataset.tournament);
  const number = [...(shown.names ?? [])].find(([, { entry }]) => entry === mine?.entry)?.[0];
  const line = shown.boards.find(([, white, black]) => number && (white === number || black === number));
  const bye = shown.byes.find(([absent]) => number && absent === number);
  part("own").hidden = !line && !bye;
  if (!line && !bye) return;
  const isWhite = line?.[1] === number;
  const where = line ? `${boardWords(line)} · ${isWhite ? words.white : words.black}` : words[`bye${bye[1]}`];
  const lines = [make("p", { className: "muted" }, distinct(number)), make("p", { className: "where" }, where)];
  if (line) lines.push(make("p", {}, `${words.against} ${distinct(isWhite ? line[2] : line[1])}`));
  part("own").replaceChildren(...lines);
}

function list() {
  const typed = document.getElementById("q").value;
  const isBye = (line) => shown.byes.includes(line);
  const wordsOfLine = (line) =>
    (isBye(line) ? line.slice(0, 1) : line.slice(1, 3)).flatMap((number) => [...wordsOf(called(number)), String(number)]);
  const found = findLines([...shown.boards, ...shown.byes], typed, wordsOfLine);
  const [boards, byes] = [found.filter((line) => !isBye(line)), found.filter(isBye)];
  part("boards").replaceChildren(...boards.map(row));
  part("byes").hidden = !byes.length;
  const lines = byes.map(([number, kind]) => make("li", {}, `${distinct(number)} · ${words[`bye${kind}`]}`));
  part("byes").querySelector("ul").replaceChildren(...lines);
  part("none").textContent = boards.length || byes.length ? "" : words.none;
}

function row([board, white, black, table]) {
  const number = table === board ? board : `${board} (${words.table.replace("#", table)})`;
  return make("tr", {}, make("th", { className: "board-number", scope: "row" }, number), player(white), player(black));
}

function player(number) {
  return make("td", {}, ...(shown.names ? [make("span", { className: "tpn" }, number), " "] : []), called(number));
}

document.getElementById("q").addEventListener("input", list);
part("search").addEventListener("submit", (event) => event.preventDefault());
