// How long a text is that a pattern takes: a pattern in place of a length may bind it just as well.

interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** One piece: an escape, a class in brackets, the beginning or end of a group, or any other sign. */
const piece =
  /\\u\{[^}]*\}|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?:|\(|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|./giu;
/** What is none of our business: look-around, names of groups, references and word boundaries. */
const beyond = /\(\?[^:]|\\[1-9bBk]/;

/** Undefined where the pattern is not bound at both ends, or says more than is understood here. */
export function lengthsOf(pattern: string): Lengths | undefined {
  if (!pattern.startsWith("^") || !/(?<!\\)\$$/.test(pattern) || beyond.test(pattern))
    return undefined;
  const pieces = pattern.slice(1, -1).match(piece) ?? [];
  // `^a|b$` is bound at one end on each side
  const reading = { pieces, index: 0, isTop: true };
  const lengths = alternatives(reading);
  return reading.index === pieces.length ? lengths : undefined;
}

interface Reading {
  readonly pieces: readonly string[];
  index: number;
  isTop: boolean;
}

function alternatives(reading: Reading): Lengths | undefined {
  const isTop = reading.isTop;
  reading.isTop = false;
  let sum: Lengths = { least: 0, most: 0 };
  const ways: Lengths[] = [];
  for (; reading.index < reading.pieces.length; reading.index += 1) {
    const sign = reading.pieces[reading.index] ?? "";
    if (sign === ")") break;
    if (sign === "|") {
      if (isTop) return undefined;
      ways.push(sum);
      sum = { least: 0, most: 0 };
      continue;
    }
    if (sign === "^" || sign === "$") return undefined;
    let one: Lengths | undefined = { least: 1, most: 1 };
    if (sign.startsWith("(")) {
      reading.index += 1;
      one = alternatives(reading);
    }
    if (one === undefined) return undefined;
    const times = timesOf(reading.pieces[reading.index + 1]);
    if (times !== undefined) reading.index += 1;
    const { least, most } = times ?? { least: 1, most: 1 };
    const longest = one.most === 0 ? 0 : one.most * most;
    sum = { least: sum.least + one.least * least, most: sum.most + longest };
  }
  ways.push(sum);
  return {
    least: Math.min(...ways.map(({ least }) => least)),
    most: Math.max(...ways.map(({ most }) => most)),
  };
}

function timesOf(sign: string | undefined): Lengths | undefined {
  const most = Number.POSITIVE_INFINITY;
  if (sign === undefined) return undefined;
  if (/^\*\??$/.test(sign)) return { least: 0, most };
  if (/^\+\??$/.test(sign)) return { least: 1, most };
  if (/^\?\??$/.test(sign)) return { least: 0, most: 1 };
  const [, from, comma, to] = /^\{(\d+)(,?)(\d*)\}\??$/.exec(sign) ?? [];
  if (from === undefined) return undefined;
  const end = to === "" || to === undefined ? most : Number(to);
  return { least: Number(from), most: comma === "" ? Number(from) : end };
}
