// Results as they come in: asked for every ten seconds, never while the page is hidden.

const EVERY = 10_000; // ms

const renew = () => document.hidden || window.htmx.trigger("#live", "results");
setInterval(renew, EVERY);
document.addEventListener("visibilitychange", renew);
