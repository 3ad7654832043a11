// What somebody has probably meant.

/** The one that is a slip or two away; undefined: none is. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, slips: slipsBetween(word, name) }))
    .toSorted((one, other) => one.slips - other.slips);
  const [first] = ranked;
  const slipsMax = Math.max(2, Math.floor(word.length / 4));
  return first !== undefined && first.slips <= slipsMax ? first.name : undefined;
}

/** How many characters are added, left out or changed (Levenshtein). */
function slipsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const change = (above[column - 1] ?? 0) + Number(one[row - 1] !== other[column - 1]);
      current.push(Math.min(change, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
