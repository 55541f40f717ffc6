/**
 * Guesses the word that was meant by a misspelt one. It stays although `--help` lists all words,
 * because commands are typed seldom, and at times in haste: the message itself says how to go on.
 *
 * @module
 */

/**
 * Number of letters that may be wrong in a word of more than {@linkcode SHORT} letters; in shorter
 * words one may.
 */
const MOST_WRONG = 2;
const SHORT = 4;

/** Asks, in brackets, whether the nearest of the known words was meant; empty if none is near. */
export function meant(word: string, known: readonly string[]): string {
  const most = word.replace(/^-+/, "").length > SHORT ? MOST_WRONG : 1;
  const [nearest] = known.map((one) => ({ one, distance: distanceOf(word, one) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return nearest === undefined ? "" : ` (did you mean ${nearest.one}?)`;
}

/**
 * Counts the letters to add, to remove, to replace, or to swap with the next one. (The function of
 * the std library knows no swaps, and takes 4 MB.)
 */
function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let on = 1; on <= other.length; on++) {
      const above = rows[at - 1]!;
      const isSame = one[at - 1] === other[on - 1];
      const isSwapped = on > 1 && one[at - 1] === other[on - 2] && one[at - 2] === other[on - 1];
      row.push(Math.min(
        above[on]! + 1,
        row[on - 1]! + 1,
        above[on - 1]! + (isSame ? 0 : 1),
        isSwapped ? rows[at - 2]![on - 2]! + 1 : Infinity,
      ));
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}
