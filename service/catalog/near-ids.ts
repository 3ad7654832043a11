// What somebody may have meant who names a currency that is not there.

const suggestionsMax = 3;
/** Letters that may be wrong, missing or too many. */
const mistakesMax = 2;
const prefix = "cur_";

/** Of these ids the nearest ones: the same but for case and prefix, then by mistakes. */
export function nearIds(wanted: string, ids: readonly string[]): readonly string[] {
  const plain = plainOf(wanted);
  return ids
    .map((id) => ({ id, mistakes: mistakesBetween(plain, plainOf(id)) }))
    .filter(({ mistakes }) => mistakes <= mistakesMax && mistakes < plain.length)
    .toSorted((one, other) => one.mistakes - other.mistakes || (one.id < other.id ? -1 : 1))
    .slice(0, suggestionsMax)
    .map(({ id }) => id);
}

function plainOf(id: string): string {
  const lower = id.toLowerCase();
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
}

/** Levenshtein's distance; more than `mistakesMax` where the lengths alone say so. */
function mistakesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > mistakesMax) return mistakesMax + 1;
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of one.split("").entries()) {
    const line = [row + 1];
    for (let column = 0; column < other.length; column++) {
      const changed = (above[column] ?? 0) + (letter === other.charAt(column) ? 0 : 1);
      const shorter = (above[column + 1] ?? 0) + 1;
      const longer = (line[column] ?? 0) + 1;
      line.push(Math.min(changed, shorter, longer));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
