// The service worker of the public pages: what a phone shows without network. The script of
// tournaments/web/offline.py defines `config` and imports this file. docs/developer/offline.md has
// the rules.
//
// The pages of a tournament are kept as one set: one version, one language, one build. A new set is
// fetched completely beside the old one and takes its place in one step, so that pages of two
// versions are never shown together. The home page and the pages of an event are sets of their own,
// each with its own time.

"use strict";

const FORMAT = `offline-2 ${config.scope} `; // the beginning of the names of our caches; another format has another one
const ABOUT = new URL("about-this-set", self.location).href; // what we know about a set, stored in it last
const PATIENCE = 600; // ms for the network, if the page is kept: an open page is renewed by news.js when answers come
const LONG_PATIENCE = 8_000; // ms, if only other pages of the tournament are kept
const LIMIT = 5_000; // ms: a wifi that is connected but dead takes a request and never answers
const DEAD = 60_000; // ms: so long nothing kept waits for a network that did not answer, unless it answers meanwhile
const MOST_OPENED = 12; // pages that the reader opened, kept besides the main ones
const MOST_PARTS = 6; // parts of a long list; of a longer one, only its first part and those that the reader opened
const CONFIRMED_EVERY = 30_000; // ms
const LONE_EVERY = 30 * 60_000; // ms: so often a page of a tournament has its event and the home page fetched again
const FORGOTTEN = 30 * 86_400_000; // ms
const PARAMETERS = ["only", "order", "p", "page", "q"]; // the others do not change a page
const NO_ANSWER = [502, 503, 504];
const publicPath = new RegExp(config.pages);
const eventPath = /^(me\/)?$/;
const anyPath = /^/;
let keeping = Promise.resolve(); // one set at a time
let deadUntil = 0;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  const isOurs = (name) => /^offline-\d+ /.test(name) && name.split(" ")[1] === config.scope;
  await drop((name) => isOurs(name) && !name.startsWith(FORMAT));
  await self.clients.claim();
}

async function drop(isUnwanted) {
  const names = (await caches.keys()).filter(isUnwanted);
  await Promise.all(names.map((name) => caches.delete(name)));
}

const isSetOf = (root) => (name) => name.startsWith(`${FORMAT}${root} `);

// The folder of the tournament, /t/autumn-open/, or of the event, or the home page, if a phone
// keeps the page.
function rootOf({ origin, pathname }, path = publicPath) {
  if (origin !== self.location.origin || !pathname.startsWith(config.scope)) return "";
  const [kind, slug, ...rest] = pathname.slice(config.scope.length).split("/");
  if (!kind) return slug === undefined ? config.scope : "";
  const pages = { t: path, e: eventPath }[kind];
  return slug && pages?.test(rest.join("/")) ? `${config.scope}${kind}/${slug}/` : "";
}

const isTournament = (root) => root.startsWith(`${config.scope}t/`);

function nameOf(url) {
  const name = new URL(url.pathname, url.origin);
  for (const key of PARAMETERS) if (url.searchParams.get(key)) name.searchParams.set(key, url.searchParams.get(key));
  return name.href;
}

// Answers

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || request.headers.has("HX-Request")) return;
  if (isFile(url)) event.respondWith(file(request));
  else if (rootOf(url) && !url.pathname.endsWith("/news.json")) event.respondWith(page(request, url));
  else if (request.mode === "navigate" && rootOf(url, anyPath)) {
    event.respondWith(otherPage(request, rootOf(url, anyPath)));
  }
});

const isFile = ({ origin, pathname }) =>
  origin === self.location.origin && pathname.startsWith(config.files);

async function file(request) {
  const kept = await caches.match(request.url, { ignoreVary: true });
  try {
    return await (kept ? answerOf(request, PATIENCE) : fetch(request));
  } catch {
    return kept ?? Response.error();
  }
}

// The network first; without it, or after a silence, the kept page, and for a page that is not kept
// the one that says so.
async function page(request, url) {
  const set = await setOf(rootOf(url));
  const kept = set && (await set.cache.match(nameOf(url)));
  let answer;
  try {
    answer = await (set ? answerOf(request, kept ? PATIENCE : LONG_PATIENCE) : fetch(request));
    // The tournament is gone, and so is what was kept of it.
    if (answer.status === 404 && set && url.pathname === rootOf(url)) await drop(isSetOf(rootOf(url)));
    if (!NO_ANSWER.includes(answer.status)) return answer;
  } catch {
    if (!set) return Response.error();
  }
  const { redirect, reader } = set?.about ?? {};
  if (redirect && !url.search) return Response.redirect(new URL(redirect, self.location));
  if (kept) return marked(kept, set.about);
  if (reader && request.mode === "navigate") return marked(await set.cache.match(reader), set.about);
  return answer ?? Response.error();
}

// A page that is never kept, such as the record: without network, the page that says so.
async function otherPage(request, root) {
  const set = await setOf(root);
  const wait = { isOver: false };
  try {
    return await (set ? Promise.race([fetch(request), deadNetwork(root, wait)]) : fetch(request));
  } catch {
    const { reader } = set?.about ?? {};
    return reader ? marked(await set.cache.match(reader), set.about) : Response.error();
  } finally {
    wait.isOver = true;
  }
}

// Fails when the network does not even answer for a small file: a page may take long to make.
async function deadNetwork(root, wait) {
  const news = new URL(`${root}news.json`, self.location);
  do {
    if (Date.now() > deadUntil) await new Promise((resolve) => setTimeout(resolve, LIMIT));
  } while (!wait.isOver && (await answerOf(new Request(news, { cache: "no-store" }), LIMIT)));
}

// The answer of the network to *request*; an error if it fails, is silent for *patience*, or was
// silent a short time ago.
async function answerOf(request, patience) {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), Math.max(LIMIT, patience));
  const answered = fetch(request, { signal: stop.signal }).finally(() => clearTimeout(limit));
  // Also an answer that comes too late for this request. A file may come from the browser's own
  // store, which says nothing about the network.
  const note = () => {
    if (!isFile(new URL(request.url))) deadUntil = 0;
  };
  answered.then(note).catch(() => {});
  if (patience === PATIENCE && Date.now() < deadUntil) throw new Error("dead network");
  let isSilent = false;
  const silence = new Promise((_, reject) => {
    setTimeout(() => reject((isSilent = true)), patience);
  });
  try {
    return await Promise.race([answered, silence]);
  } catch (error) {
    if (isSilent || stop.signal.aborted) deadUntil = Date.now() + DEAD;
    throw error;
  }
}

// The page says since when it may be out of date: static/js/offline.js reads it.
async function marked(answer, about) {
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) return answer;
  const text = (await answer.text()).replace("<html ", `<html data-kept="${about.confirmed}" `);
  return new Response(text, { headers: answer.headers });
}

// The set of a tournament that is complete; null without one.
async function setOf(root) {
  if (!root) return null;
  let newest = null;
  for (const name of (await caches.keys()).filter(isSetOf(root))) {
    const cache = await caches.open(name);
    const about = await (await cache.match(ABOUT))?.json();
    if (about && (!newest || about.at > newest.about.at)) newest = { name, cache, about };
  }
  return newest;
}

// Keeping

self.addEventListener("message", (event) => {
  const { keep } = event.data ?? {};
  if (!keep) return;
  const root = rootOf(new URL(event.source?.url ?? "about:blank"));
  if (!root || root !== keep.root) return;
  keeping = keeping.then(() => keepAll(root, keep)).catch((error) => `lost: ${error.message}`);
  event.waitUntil(keeping.then((state) => event.ports[0]?.postMessage(state)));
});

async function keepAll(root, keep) {
  const state = isTournament(root) ? await keepOne(root, keep) : "kept";
  for (const lone of keep.lone) await keepLone(lone, keep, lone === root ? keep.key : "", state === "replaced");
  return state;
}

async function keepOne(root, keep) {
  const set = await setOf(root);
  const pages = keep.pages.filter(isOurs(root));
  const opened = [...new Set([...keep.opened, ...(set?.about.opened ?? [])].filter(isOurs(root)))].slice(0, MOST_OPENED);
  const isSame = set && set.about.key === keep.key && set.about.language === keep.language && set.about.build === keep.build;
  if (!isSame) return replace(root, keep, pages, opened, set);
  return confirm(set, keep, [...pages, ...opened].map(named), opened);
}

const isOurs = (root) => (address) => typeof address === "string" && rootOf(new URL(address, self.location)) === root;
const named = (address) => nameOf(new URL(address, self.location));

// The same version once more: the time, and pages that the reader opened since.
async function confirm(set, keep, names, opened) {
  const { about, cache, name } = set;
  const missing = [];
  for (const each of new Set(names)) if (!(await cache.match(each)) && !about.without.includes(each)) missing.push(each);
  const isOld = Date.now() - about.confirmed > CONFIRMED_EVERY;
  if (!missing.length && !isOld) return "kept";
  const found = new Map();
  const without = [...about.without];
  for (const each of missing) if (!(await fetchPage(each, keep, about.build, found))) without.push(each);
  await fetchFiles(found, cache);
  for (const [each, answer] of found) await cache.put(each, answer);
  // A set that was replaced in the meantime must not come back.
  if (!(await caches.has(name))) return "replaced";
  await writeAbout(cache, { ...about, opened, without, confirmed: Date.now() });
  return "kept";
}

// A new set beside the old one. It counts once it is complete and the tournament still has the same
// version.
async function replace(root, keep, pages, opened, old) {
  const found = new Map();
  const at = Date.now();
  const first = await fetch(versioned(new URL(root, self.location), keep), { cache: "no-cache" });
  if (first.status === 404) {
    await drop(isSetOf(root));
    return "gone";
  }
  const build = (await first.text()).match(/\bdata-build="([0-9a-f]+)"/)?.[1];
  if (!build) return "not for phones";
  const main = [...new Set(pages.map(named))];
  const without = [];
  for (const each of main) if (!(await fetchPage(each, keep, build, found))) throw new Error(`not kept: ${each}`);
  for (const each of new Set(opened.map(named))) {
    if (!found.has(each) && !(await fetchPage(each, keep, build, found))) without.push(each);
  }
  await fetchFiles(found, old?.about.build === build ? old.cache : null);
  const news = await (await fetch(`${root}news.json`, { cache: "no-cache", credentials: "omit" })).json();
  if (news.key !== keep.key) return "newer";
  const { key, language, reader } = keep;
  await write(root, found, { key, language, build, reader: named(reader), opened, without, at, confirmed: at });
  return old ? "replaced" : "kept";
}

async function write(root, found, about) {
  const name = `${FORMAT}${root} ${about.at}`;
  const cache = await caches.open(name);
  for (const [each, answer] of found) await cache.put(each, answer);
  await writeAbout(cache, about); // from here on it is the set of *root*
  await drop((each) => isSetOf(root)(each) && each !== name);
  await dropForgotten();
}

// The pages of an event, or the home page and where it leads while one event is running. An open
// one of them knows its version, *key*; a page of a tournament does not, and has them fetched with
// a new set or after some time.
async function keepLone(root, { language, build }, key, isNew) {
  if (isTournament(root) || rootOf(new URL(root, self.location)) !== root) return;
  const set = await setOf(root);
  const isSame = set && set.about.language === language && set.about.build === build && (!key || key === set.about.key);
  const age = Date.now() - (set?.about.confirmed ?? 0);
  if (isSame && !isNew && age < (key ? CONFIRMED_EVERY : LONE_EVERY)) return;
  if (isSame && key) return writeAbout(set.cache, { ...set.about, confirmed: Date.now() });
  const at = Date.now();
  const isHome = root === config.scope;
  const first = await fetch(root, { cache: "no-cache" });
  if (first.status === 404) return drop(isSetOf(root));
  const found = new Map();
  const versions = new Set();
  for (const address of isHome ? [`${root}?all`] : [root, `${root}me/`]) {
    const answer = await fetch(address, { cache: "no-cache" });
    const body = await answer.text();
    const isPublic = answer.status === 200 && !/no-store|private/.test(answer.headers.get("Cache-Control") ?? "no-store");
    const [, version] = body.match(`data-version="(.*?)" data-language="${language}" data-build="${build}"`) ?? [];
    if (!isPublic || !version || !body.trimEnd().endsWith("</html>")) return;
    versions.add(version);
    found.set(named(address), new Response(body, { headers: headersOf(answer) }));
  }
  if (versions.size > 1) return;
  await fetchFiles(found, set?.about.build === build ? set.cache : null);
  const redirect = isHome && first.redirected ? new URL(first.url).pathname : "";
  await write(root, found, { key: [...versions][0], language, build, redirect, opened: [], without: [], at, confirmed: at });
}

// Sets of other tournaments that nobody has opened for a month.
async function dropForgotten() {
  for (const name of (await caches.keys()).filter((each) => each.startsWith(FORMAT))) {
    const about = await (await (await caches.open(name)).match(ABOUT))?.json();
    if (about && Date.now() - about.confirmed > FORGOTTEN) await caches.delete(name);
  }
}

function writeAbout(cache, about) {
  return cache.put(ABOUT, new Response(JSON.stringify(about), { headers: { "Content-Type": "application/json" } }));
}

// With its version in the address a proxy answers for all phones.
function versioned(url, { key, build }) {
  const address = new URL(url);
  address.searchParams.set("v", key);
  address.searchParams.set("b", build);
  return address;
}

// Fetch a page with the parts of its list; false if it may not be kept. An error if it is of
// another version.
async function fetchPage(name, keep, build, found) {
  const url = new URL(name);
  const answer = await fetch(versioned(url, keep), { cache: "no-cache", redirect: "manual" });
  if (NO_ANSWER.includes(answer.status)) throw new Error(`no answer: ${name}`);
  const kind = answer.headers.get("Content-Type") ?? "";
  if (answer.status !== 200 || /no-store|private/.test(answer.headers.get("Cache-Control") ?? "no-store")) return false;
  const body = await answer.text();
  found.set(name, new Response(body, { headers: headersOf(answer) }));
  if (!kind.startsWith("text/html")) return true;
  const version = `data-version="${keep.key}" data-language="${keep.language}" data-build="${build}"`;
  if (!body.includes(version) || !body.trimEnd().endsWith("</html>")) throw new Error(`another version: ${name}`);
  if (!/\/pairings\//.test(name) || url.searchParams.has("page")) return true;
  const parts = [...body.matchAll(/href="([^"#]*[?;&]page=\d+[^"#]*)"/g)].map(([, address]) => named(address.replaceAll("&amp;", "&")));
  const isPart = ({ pathname, searchParams }) =>
    pathname === url.pathname && searchParams.get("order") === url.searchParams.get("order");
  const own = new Set(parts.filter((part) => isPart(new URL(part))));
  if (own.size < MOST_PARTS) for (const part of own) if (!found.has(part)) await fetchPage(part, keep, build, found);
  return true;
}

// The styles, scripts and pictures of the pages, and the modules that the scripts import; those of
// the same build are here.
async function fetchFiles(found, same) {
  const files = new Set(config.modules);
  for (const answer of [...found.values()]) {
    for (const [, address] of (await answer.clone().text()).matchAll(/(?:src|href)="([^"#]+)"/g)) {
      if (address.startsWith(config.files)) files.add(address);
    }
  }
  for (const address of files) {
    const { href } = new URL(address, self.location);
    const answer = (await same?.match(href)) ?? (await fetch(address));
    if (answer.status !== 200) throw new Error(`not kept: ${address}`);
    found.set(href, new Response(await answer.arrayBuffer(), { headers: headersOf(answer) }));
  }
}

// The body is kept as it was before it was compressed.
function headersOf(answer) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Transfer-Encoding"]) headers.delete(name);
  return headers;
}
