// Characters that tell the places of a pattern apart: those that it names, their neighbours, and one of each common kind.

import type { Letters } from "./positions.ts";

export interface Alphabet {
  readonly letters: readonly string[];
  /** which of them one character of the pattern lets pass, as it is written there */
  readonly lettersOf: (source: string) => Letters;
}

/** Those first that people like to read. */
const common = Array.from("a0A1_-./@ ,:;!#+=é\u0416漢\t\n\u00a0🙂");
const lettersMax = 300;

export function alphabetOf(pattern: string, isUnicode: boolean): Alphabet {
  const points = new Set(common.map(pointOf));
  for (const sign of pattern) for (const near of [-1, 0, 1]) points.add(pointOf(sign) + near);
  for (const [, high, low, long, short, byte] of pattern.matchAll(escaped)) {
    const point =
      high === undefined || low === undefined
        ? Number.parseInt(long ?? short ?? byte ?? "0", 16)
        : pointOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
    for (const near of [-1, 0, 1]) points.add(point + near);
  }
  const last = isUnicode ? 0x10_ffff : 0xffff;
  const isWhole = (point: number): boolean =>
    point >= 0 && point <= last && !(point >= 0xd8_00 && point <= 0xdf_ff);
  const letters = [...points]
    .filter(isWhole)
    .slice(0, lettersMax)
    .map((one) => String.fromCodePoint(one));
  const known = new Map<string, Letters>();
  const lettersOf = (source: string): Letters => {
    const found = known.get(source) ?? passing(source, letters, isUnicode);
    known.set(source, found);
    return found;
  };
  return { letters, lettersOf };
}

const escaped =
  /\\u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|\\u\{([0-9A-Fa-f]+)\}|\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})/g;

function pointOf(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}

function passing(source: string, letters: readonly string[], isUnicode: boolean): Letters {
  const expression = new RegExp(`^(?:${source})$`, isUnicode ? "u" : "");
  return letters.reduce(
    (all, letter, index) => (expression.test(letter) ? all | (1n << BigInt(index)) : all),
    0n,
  );
}
