// Patterns that keep a server busy: whoever may send a text chooses how long it is.

import { isObject, type JsonObject, textOf } from "../json.ts";
import type { Said } from "../problems.ts";
import type { Report } from "../read/origins.ts";
import { type Cost, costOf } from "./patterns/cost.ts";

/** Texts up to here take milliseconds: what is longer than its `maxLength` is not held against its pattern. */
const harmlessLength: Readonly<Record<Cost["growth"], number>> = {
  exponential: 20,
  polynomial: 5_000,
};

export type PatternCosts = (node: JsonObject) => void;

/** Says of each schema what its patterns can cost. */
export function patternCosts(report: Report): PatternCosts {
  const known = new Map<string, Cost | undefined>();
  const cost = (pattern: string): Cost | undefined => {
    if (!known.has(pattern)) known.set(pattern, costOf(pattern));
    return known.get(pattern);
  };
  return (node) => {
    const pattern = textOf(node["pattern"]);
    const found = pattern === undefined ? undefined : cost(pattern);
    if (found !== undefined && !isShort(node["maxLength"], found)) {
      const way = `give a maxLength of at most ${harmlessLength[found.growth]}`;
      report.warning("OAG428", [node, "pattern"], said(found, `${way}, or `));
    }
    const patterns = node["patternProperties"];
    for (const name of isObject(patterns) ? Object.keys(patterns) : []) {
      const ofName = cost(name);
      if (ofName !== undefined && isObject(patterns))
        report.warning("OAG428", [patterns, name, "key"], said(ofName, ""));
    }
  };
}

function isShort(maxLength: unknown, { growth }: Cost): boolean {
  return typeof maxLength === "number" && maxLength <= harmlessLength[growth];
}

function said({ growth, begin, pump, end }: Cost, otherWay: string): Said {
  const text = JSON.stringify(`${begin}${pump.repeat(3)}…${pump}${end}`);
  const long =
    growth === "exponential"
      ? `twice as long with each ${JSON.stringify(pump)} that it has more`
      : "four times as long, or more, when it has twice the length";
  return [
    `a text such as ${text} can keep this pattern busy ${long}`,
    `${otherWay}write the pattern so that there is one way to read such a text`,
  ];
}
