// The page about pages without network. The worker also shows it in place of a page that is not kept.

const reader = document.getElementById("reader");

if (location.pathname !== reader.dataset.own) {
  document.getElementById("not-kept").hidden = false;
  document.getElementById("again").href = location.href;
}
