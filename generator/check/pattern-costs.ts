// Patterns that keep a server busy: whoever may send a text chooses how long it is.

import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Said } from "../problems.ts";
import type { Report, Where } from "../read/origins.ts";
import { type Cost, costOf } from "./patterns/cost.ts";
import { typesOf } from "./types.ts";

/** Some tenth of a second, where each takes two nanoseconds. */
const stepsMost = 40_000_000;

/** Texts up to here take no longer: what is longer than its `maxLength` is not held against its pattern. */
function harmlessLength({ growth, degreeMost }: Cost): number {
  if (growth === "exponential") return 10;
  return Math.min(5_000, Math.floor(stepsMost ** (1 / Math.max(degreeMost, 2))));
}

export type PatternCosts = (node: JsonObject) => void;

/** Says of each schema what its patterns can cost. */
export function patternCosts(report: Report): PatternCosts {
  const known = new Map<string, Cost | undefined>();
  const cost = (pattern: string): Cost | undefined => {
    if (!known.has(pattern)) known.set(pattern, costOf(pattern));
    return known.get(pattern);
  };
  return (node) => {
    for (const { text, where, maxLength } of patternsOf(node)) {
      const found = cost(text);
      if (found === undefined || isShort(maxLength, found)) continue;
      const most = harmlessLength(found);
      // a name is as long as a body may be
      const way = where[2] === "key" ? "" : `give a maxLength of at most ${most}, or `;
      report.warning("OAG428", where, said(found, way));
    }
  };
}

interface Pattern {
  readonly text: string;
  readonly where: Where;
  readonly maxLength?: Json | undefined;
}

function patternsOf(node: JsonObject): readonly Pattern[] {
  const { pattern, maxLength, patternProperties: names } = node;
  const types = typesOf(node);
  const isOfTexts = types.length === 0 || types.includes("string");
  const own: Pattern[] =
    typeof pattern === "string" && isOfTexts
      ? [{ text: pattern, where: [node, "pattern"], maxLength }]
      : [];
  if (!isObject(names)) return own;
  return [
    ...own,
    ...Object.keys(names).map((text): Pattern => ({ text, where: [names, text, "key"] })),
  ];
}

function isShort(maxLength: unknown, cost: Cost): boolean {
  return typeof maxLength === "number" && maxLength <= harmlessLength(cost);
}

function said({ growth, begin, pump, end }: Cost, otherWay: string): Said {
  const text = JSON.stringify(`${begin}${pump.repeat(3)}…${pump}${end}`);
  const long =
    growth === "exponential"
      ? `at least twice as long with each ${JSON.stringify(pump)} that it has more`
      : "four times as long, or more, when it has twice the length";
  return [
    `a text such as ${text} can keep this pattern busy ${long}`,
    `${otherWay}write the pattern so that there is one way to read such a text`,
  ];
}
