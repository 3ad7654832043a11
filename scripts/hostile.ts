// Hostile documents: npm run hostile

import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import * as yaml from "yaml";
import type { Json } from "../generator/json.ts";
import { Dice } from "../generator/suite/dice.ts";
import { filesOf, pathOf, positive, readCommandLine, seedOf, worded } from "./command-line.ts";
import { type Judgement, judge } from "./hostile/judge.ts";
import { spoil, type Spoiled } from "./hostile/spoil.ts";

const root = join(import.meta.dirname, "..");
const slowMilliseconds = 10_000;

const usage = `npm run hostile -- [FILE...] [options]

Puts one fault after the other into documents and looks what the generator makes of each: it has to be refused with places
that are there, or to become code that loads. Without files: the project's own contract, and the cases of the generator's
tests.

  --seed N       which faults (by the time of day when left out, and printed)
  --count N      how many documents (200)
  --keep FOLDER  where those are written of which anything else came out
  --help

Exit code 1: there are such.`;

const config = {
  allowPositionals: true,
  options: {
    ...worded({ seed: String(Date.now() % 1_000_000), count: "200" }),
    keep: { type: "string" },
  },
} as const;
const { seed, count, keep, files } = readCommandLine(usage, config, ({ values, positionals }) => {
  const named = filesOf(positionals);
  return {
    seed: seedOf(values.seed),
    count: positive("count", values.count, 1_000_000_000),
    keep: values.keep === undefined ? undefined : pathOf(values.keep),
    files: named.length > 0 ? named : ownDocuments(),
  };
});
const documents = files.map(
  (path) => yaml.parse(readFileSync(path, "utf8"), { merge: true }) as Json,
);

console.log(`--seed ${seed}`);
const results = join(root, "test-results");
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, "hostile-"));
const sums = new Map<string, Map<Judgement["verdict"], number>>();
let slowest = 0;
let faults = 0;
try {
  for (let index = 0; index < count; index += 1) {
    // each document has dice of its own, so that one can be tried again alone
    const spoiled = spoil(
      documents[index % files.length] ?? null,
      new Dice(seed * 100_003 + index),
    );
    const judgement = await judge(
      spoiled.text,
      `${files[index % files.length]}.spoiled${spoiled.ending}`,
      folder,
    );
    take(nameOf(index), index, { ...judgement, spoiled });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log("| document | refused | generated | faults |");
console.log("| --- | --: | --: | --: |");
for (const [name, sum] of sums) {
  const cells = (["refused", "generated", "fault"] as const).map(
    (verdict) => sum.get(verdict) ?? 0,
  );
  console.log(`| ${[name, ...cells].join(" | ")} |`);
}
console.log(
  `${count} documents, ${faults} faults, the slowest in ${(slowest / 1000).toFixed(1)} s`,
);
process.exitCode = faults === 0 ? 0 : 1;

function ownDocuments(): readonly string[] {
  return [
    join(root, "spec/openapi.yaml"),
    ...globSync("test/generator/cases/*/openapi.{yaml,json}", { cwd: root })
      .filter((path) => !existsSync(join(root, dirname(path), "problems.txt")))
      .toSorted()
      .map((path) => join(root, path)),
  ];
}

function nameOf(index: number): string {
  return relative(root, files[index % files.length] ?? "");
}

function take(
  name: string,
  index: number,
  { verdict, told, milliseconds, spoiled }: Judgement & { readonly spoiled: Spoiled },
): void {
  slowest = Math.max(slowest, milliseconds);
  const isSlow = milliseconds > slowMilliseconds;
  const judged = isSlow ? "fault" : verdict;
  const sum = sums.get(name) ?? new Map<Judgement["verdict"], number>();
  sums.set(name, sum.set(judged, (sum.get(judged) ?? 0) + 1));
  if (judged !== "fault") return;
  faults += 1;
  const seconds = (milliseconds / 1000).toFixed(1);
  const why = isSlow && verdict !== "fault" ? `it took ${seconds} s` : told;
  console.log(
    `\n${index}: ${name}: ${spoiled.fault}\n    ${why.replaceAll("\n", "\n    ").slice(0, 1200)}`,
  );
  if (keep === undefined) return;
  mkdirSync(keep, { recursive: true });
  writeFileSync(join(keep, `${index}${spoiled.ending}`), spoiled.text);
}
