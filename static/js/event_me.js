// *Me* of an event: a phone that has chosen a player in one of the sections goes to *My board*
// there.

import { chosen } from "./follow.js";

const { sections } = document.getElementById("event-me").dataset;
const mine = sections.split(" ").find((root) => root && chosen(root));
if (mine && !location.search) location.replace(`${mine}me/`);
