// How often an engine that goes back to try has to look at a character: the matcher of ECMA-262 (22.2.2), counting.

import type { Tree } from "../../../generator/check/patterns/tree.ts";

class TooMany extends Error {}

export interface Trial {
  readonly looks: number;
  readonly fits: boolean;
}

type Then = (at: number) => boolean;

/** Looks at characters, up to `most`; Infinity where they are more. A text that fits is looked at as far as it takes. */
export function tryOut(tree: Tree, text: string, most = 100_000): Trial {
  let looks = 0;
  const tests = new Map<string, RegExp>();
  const passes = (source: string, sign: string): boolean => {
    const test = tests.get(source) ?? new RegExp(`^(?:${source})$`, "u");
    tests.set(source, test);
    return test.test(sign);
  };
  const match = (node: Tree, at: number, then: Then): boolean => {
    if (node.kind === "edge") return at === (node.of === "start" ? 0 : text.length) && then(at);
    if (node.kind === "row") return row(node.parts, at, then);
    if (node.kind === "choice") return node.ways.some((way) => match(way, at, then));
    if (node.kind === "times") return repeat(node, at, then);
    looks += 1;
    if (looks > most) throw new TooMany();
    const sign = text[at];
    return sign !== undefined && passes(node.source, sign) && then(at + 1);
  };
  const row = (parts: readonly Tree[], at: number, then: Then): boolean => {
    const [part, ...rest] = parts;
    return part === undefined ? then(at) : match(part, at, (next) => row(rest, next, then));
  };
  const repeat = (node: Tree & { kind: "times" }, at: number, then: Then): boolean => {
    if (node.most === 0) return then(at);
    const { part, least, most: top } = node;
    const more: Then = (next) =>
      (least > 0 || next !== at) &&
      repeat({ ...node, least: Math.max(0, least - 1), most: top - 1 }, next, then);
    return match(part, at, more) || (least === 0 && then(at));
  };
  try {
    for (let start = 0; start <= text.length; start += 1) {
      if (match(tree, start, () => true)) return { looks, fits: true };
    }
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return { looks: Infinity, fits: false };
  }
  return { looks, fits: false };
}
