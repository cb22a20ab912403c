// Whether keys without Ctrl work in this browser. Off: a program that writes what somebody says
// cannot press them.

import { keep, kept } from "./common.js";

const NAME = "single-keys";

export const singleKeysWork = () => kept(NAME) !== "off";
export const letSingleKeysWork = (yes) => keep(NAME, yes ? "on" : "off");

// French keyboards need Shift for the digits of the top row: the bare keys do as well.
export function bareDigit({ shiftKey, code }) {
  return shiftKey ? undefined : /^Digit(\d)$/.exec(code)?.[1];
}
