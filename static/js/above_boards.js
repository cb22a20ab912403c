// The line above the boards: what a saved result was, or why a board takes none, with a button for the way on.

// action: what the button with that label does; without a label there is no button.
export function sayAbove(line, board, words, said, label, action) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "small", textContent: label });
  button.addEventListener("click", action);
  line.replaceChildren(`${board.name}${words.colon} ${said} `, ...(label ? [button] : []));
  line.hidden = false;
}
