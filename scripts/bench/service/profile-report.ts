// A profile as two tables: time by part, and the functions that take most.

import { readFileSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { idle } from "./profile-parts.ts";
import { readProfile } from "./profile.ts";
import type { Share } from "./profile.ts";
import type { Measured } from "./window.ts";

const functionsMax = 25;

/** Of a file that V8's profiler wrote while `measured` was measured. */
export function profileLines(file: string, { perSecond }: Pick<Measured, "perSecond">): string[] {
  // The profiler wrote it.
  const profile = JSON.parse(readFileSync(file, "utf8")) as Profiler.Profile;
  const { parts, functions, microseconds } = readProfile(profile);
  const perRequest = 1e6 / perSecond;
  const row = ({ name, microseconds: spent }: Share): string => {
    const share = spent / microseconds;
    const cells = [name, `${(share * 100).toFixed(1)} %`, (share * perRequest).toFixed(1)];
    return `| ${cells.join(" | ")} |`;
  };
  const busy = sumOf(parts.filter(({ name }) => name !== idle));
  const sums = [
    { name: "at work", microseconds: busy },
    { name: "all", microseconds: sumOf(parts) },
  ];
  const head = (what: string) => [`| ${what} | time | us per request |`, "| --- | ---: | ---: |"];
  return [
    ...head("part"),
    ...parts.map(row),
    ...sums.map(row),
    "",
    ...head("function"),
    ...functions.slice(0, functionsMax).map(row),
  ];
}

function sumOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { microseconds }) => sum + microseconds, 0);
}
