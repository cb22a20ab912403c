// Sheets of paper: the button opens the print dialog. Text for a message: the button copies it.
// Without this file the menu of the browser prints, and the text is selected by hand.

const print = document.getElementById("print");
const copy = document.getElementById("copy");

if (print) {
  print.hidden = false;
  document.querySelector(".without-script").hidden = true;
  print.addEventListener("click", () => globalThis.print());
}
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("text-to-copy").value);
    document.getElementById("copied").textContent = copy.dataset.done;
  });
}
