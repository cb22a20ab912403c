// The running score of a match, beside the names in the row of its second game.

// worth: points of White and of Black for each result, in tenths.
export function showMatch(first, second, worth) {
  const [white, black] = worth[first.result]; // White of the first game is Black in the second
  const [left, right] = worth[second.result];
  const scores = first.result || second.result ? [left + black, right + white].map(points) : ["", ""];
  second.row.querySelectorAll(".match-points").forEach((place, index) => (place.textContent = scores[index]));
}

function points(tenths) {
  const whole = Math.floor(tenths / 10);
  if (tenths % 10 === 5) return whole ? `${whole}½` : "½";
  return tenths % 10 ? (tenths / 10).toFixed(1) : String(whole);
}
