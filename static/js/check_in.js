// The check-in desk: type the first letters, Enter checks in the only player who fits. ↓ and ↑ move
// between the players, ⌫ in the empty field undoes the last check-in, Escape empties it. The list
// is asked for again all the time, because other helpers work at the same moment; what is typed and
// where the keyboard is stay as they are. Nobody waits for the server: what is pressed meanwhile is
// sent afterwards, one after the other. Without this file the field is a form, and the server says
// who fits.

import { say } from "./common.js";
import { moveAmong } from "./hits.js";
import { fits, wordsOf } from "./names.js";

const form = document.getElementById("check-in-find");
const field = document.getElementById("who");
const status = document.getElementById("who-fits");

const rows = () => [...document.querySelectorAll(".check-in-list li[data-name]")];

// Hide who does not fit; called again after every swap of the list, before it is painted.
function filter() {
  const found = [];
  let fitting = 0;
  for (const row of rows()) {
    const is = fits(field.value, wordsOf(row.dataset.name));
    row.hidden = !is;
    fitting += is;
    if (is && "arrives" in row.dataset) found.push(row);
  }
  const isAnswered = lookUp();
  if (!field.value.trim() || !isAnswered) say(status, "");
  else if (!found.length) say(status, fitting ? "" : form.dataset.none);
  else if (found.length === 1) say(status, `${form.dataset.one} ${found[0].dataset.name}`);
  else say(status, form.dataset.many.replace("#", live().dataset.arriving ?? found.length));
}

const live = () => document.getElementById("live");
const TYPING = 150; // ms
let asking;
let waiting = 0; // what was pressed and is not answered yet

// A long list is shown in parts: the server looks through all of it. Return whether what is shown
// is its answer.
function lookUp() {
  const { look, words: answered } = live().dataset;
  const text = field.value.trim();
  clearTimeout(asking);
  if (look === undefined || answered === text) return true;
  if (waiting) return false; // asked for afterwards: this answer could be older
  const address = text ? `${look}${look.includes("?") ? "&" : "?"}q=${encodeURIComponent(text)}` : look;
  asking = setTimeout(() => htmx.ajax("GET", address, { target: "#live", swap: "outerHTML" }).catch(() => {}), TYPING);
  return false;
}

const buttons = () => rows().filter((row) => !row.hidden).map((row) => row.querySelector("button")).filter(Boolean);

let sending = Promise.resolve();

// Send what *values* returns after everything pressed before. The field is emptied at once, for the
// next name; *typed* comes back into it if nobody was checked in and nothing else has been typed.
function send(url, values, typed = "") {
  const token = form.elements.csrfmiddlewaretoken.value;
  waiting += 1;
  field.value = "";
  filter();
  sending = sending.then(async () => {
    const sent = values();
    let saved = false;
    const hear = () => (saved = true);
    document.body.addEventListener("saved", hear);
    if (sent) {
      htmx.trigger(live(), "htmx:abort");
      const request = { source: form, target: "#live", swap: "outerHTML", values: { csrfmiddlewaretoken: token, ...sent } };
      await htmx.ajax("POST", url, request).catch(() => {});
    }
    document.body.removeEventListener("saved", hear);
    waiting -= 1;
    filter();
    if (saved || !typed || waiting || field.value) return;
    field.value = typed;
    if (document.activeElement === field) field.select();
    filter();
  });
}

const list = form?.dataset.tick;

// The button to undo is the one of the newest answer when its turn comes.
function undo() {
  send(list, () => {
    const button = document.getElementById("undo-check-in");
    return button && { [button.name]: button.value };
  });
}

if (form) {
  field.addEventListener("input", filter);
  document.addEventListener("htmx:afterSwap", filter);
  // While a check-in is on its way the list asks for nothing: the answer has to find the same list.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (waiting && event.detail.elt === live()) event.preventDefault();
  });
  document.addEventListener(
    "submit",
    (event) => {
      const { target, submitter } = event;
      if (target !== form && target.getAttribute("action") !== list) return;
      event.preventDefault();
      event.stopPropagation();
      const who = field.value.trim();
      if (target === form) return void (who && send(form.getAttribute("action"), () => ({ who }), who));
      if (submitter.id === "undo-check-in") undo();
      else send(list, () => ({ ...Object.fromEntries(new FormData(target)), [submitter.name]: submitter.value }));
      // A finger on a button of the list wants no keyboard on the screen.
      if (matchMedia("(pointer: fine)").matches) field.focus();
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    const active = document.activeElement;
    const inList = active.closest?.(".check-in-list");
    if (active !== field && !inList) return;
    if (event.key === "Escape" && active === field) {
      field.value = "";
      filter();
    } else if (event.key === "Backspace" && active === field && !field.value && !event.repeat) {
      undo();
    } else moveAmong(event, field, buttons());
  });
  filter();
}
