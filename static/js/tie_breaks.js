// Drag a tie-break to another place of the list. The buttons do the same without this script, also
// with the keyboard.

let dragged = null;

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.(".tie-break-list li") ?? null;
  if (!dragged) return;
  dragged.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.dataset.code);
});

document.addEventListener("dragover", (event) => {
  const over = event.target.closest?.(".tie-break-list li");
  if (!dragged || !over || over.parentElement !== dragged.parentElement) return;
  event.preventDefault();
  if (over === dragged) return;
  const { top, height } = over.getBoundingClientRect();
  if (event.clientY < top + height / 2) over.before(dragged);
  else over.after(dragged);
});

document.addEventListener("dragend", () => {
  if (!dragged) return;
  const picker = dragged.closest(".tie-break-picker");
  dragged.classList.remove("dragged");
  dragged = null;
  const codes = [...picker.querySelectorAll(".tie-break-list li")].map((row) => row.dataset.code);
  picker.querySelector("input[name=tie_breaks]").value = codes.join(",");
  picker.querySelector("[role=status]").textContent = picker.dataset.moved;
});
