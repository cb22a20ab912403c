// A public page is the same for everybody. For a reader who is logged in this adds what belongs to
// the reader: name, log-out button, messages, and an arbiter's tabs and keys. Visitors never load
// it (app.js).

import { htmxArrived, make, pageAt } from "./common.js";

const address = document.querySelector("[data-own-part]").dataset.ownPart;

function load(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(make("link", { rel: "stylesheet", href }));
}

async function addOwnPart() {
  const parts = await pageAt(address, { headers: { "HX-Current-URL": location.href } });
  for (const part of parts?.querySelectorAll("[data-for]") ?? []) {
    document.querySelector(part.dataset.for)?.replaceWith(...part.childNodes);
    document.dispatchEvent(new Event("tabs")); // app.js shows the current one
    if (part.dataset.styles) load(part.dataset.styles);
    if (!part.dataset.module) continue;
    if (!(await htmxArrived())) continue;
    await import(part.dataset.module);
    htmx.process(document.body);
    document.body.dataset.keysWork = "yes";
  }
}

addOwnPart();
// News for everybody contains the tabs of visitors: the arbiter's are asked for again instead.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target?.id !== "event-tabs") return;
  event.detail.shouldSwap = false;
  addOwnPart();
});
