// Which project of the tests a file belongs to, and which projects a run has. `npm test` runs "quick": every
// rule, on PostgreSQL. `npm run check` runs the other three as well: "embedded" is the other half of the files
// that ask for `engines`, on the embedded database, "cells" is the contract suite once more, in cells that share a
// database, and "slow" is what starts programs and browsers, and what plays for long.

import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export type Engine = "PGlite" | "PostgreSQL";

export interface Project {
  readonly name: "quick" | "embedded" | "slow" | "cells";
  /** paths below the root */
  readonly files: readonly string[];
  /** those that its files get as `engines` */
  readonly engines: readonly Engine[];
  /** each database of PostgreSQL is a cell beside others */
  readonly isInCells: boolean;
}

const root = join(import.meta.dirname, "..", "..");

/** The longest first: at the end they would keep one process waiting for the other. */
const slow: readonly string[] = [
  "database/decisions",
  "growth/growth",
  "replay/faults",
  "threats/first-start",
  "replay/write-faults",
  "programs/demo",
  "database/neighbours",
  "replay/program",
  "withdrawals/on-chain",
  "simulation/simulation",
  "signer/identity",
  "database/template",
  "generator/typecheck",
  "generator/types/compiles",
  "threats/edited-history",
  "checkout/browser",
  "database/crash",
  "x402/crashes",
  "metrics/lives",
  "monitoring/lives",
  "database/kept-plans",
  "payments/extremes",
  "threats/inspector",
  "operator/program",
  "suspense/rest-orders",
  "growth/backlog",
  "generator/diff-budget",
  "generator/corpus",
  "generator/bench",
  "bench/run",
  "generator/hostile",
  "generator/process",
  "generator/mock/contracts",
  "generator/client/mocks",
  "generator/client/compiles",
  "chains/watcher-crashes",
  "signer/client",
  "webhooks/crash",
  "sending/transfer-fees",
  "signer/indexes",
  "sending/on-chain",
  "threats/spending-keys",
  "client/languages/*",
  "client/examples/programs",
  "client/sign-command",
  "client/documented-client",
  "client/package",
  "client/tool/listen",
  "client/tool/pay-page",
  "client/tool/listen-endings",
  "client/tool/trigger",
  "client/tool/commands",
  "client/tool/documented-tool",
  "signer/journal",
  "withdrawals/two-processes",
  "chains/rescan-command",
  "withdrawals/transfer-fees",
  "jobs/processes",
  "threats/two-processes",
  "threats/cells",
  "database/cell-move",
  "database/merchant-move",
  "threats/lost-deliveries",
  "threats/web-process",
  "tracing/program",
  "x402/thousand-payloads",
  "generator/freshness",
  "evm/crashes",
  "local-chain/compile",
  "withdrawals/restored-database",
  "database/server-gone",
  "database/fitness",
  "database/server-watch",
  "database/replica",
  "database/version-before",
  "database/postgres-server",
  "checkout/browser-chain",
  "http/error-page",
  "site/site",
  "client/x402-middleware",
  "client/guides/money-*",
  "programs/*",
  "simulation/*",
];

/** What says in a file that it runs on each engine. */
const onEachEngine = /\beach\(engines\)|\bdescribeOnEngines\(/;

/**
 * @param mode quick: what `npm test` runs; rest: all that it leaves out; any other: everything
 * @param named parts of paths; who names what is slow gets it in every run
 */
export function projectsOf(mode: string, named: readonly string[]): readonly Project[] {
  const slowFiles = [...new Set(slow.flatMap((name) => find(`test/${name}.test.ts`)))];
  const others = find("test/**/*.test.ts").filter((path) => !slowFiles.includes(path));
  const onBoth = others.filter((path) => onEachEngine.test(readFileSync(join(root, path), "utf8")));
  const wanted = slowFiles.filter((path) => named.some((part) => path.includes(part)));
  const plain = { isInCells: false } as const;
  const quick: Project = { ...plain, name: "quick", files: others, engines: ["PostgreSQL"] };
  const embedded: Project = { ...plain, name: "embedded", files: onBoth, engines: ["PGlite"] };
  const both = ["PGlite", "PostgreSQL"] as const;
  const slowOnes: Project = { ...plain, name: "slow", files: slowFiles, engines: both };
  const suite = find("test/contract/*.test.ts").filter((path) => !slowFiles.includes(path));
  const cells: Project = { name: "cells", files: suite, engines: ["PostgreSQL"], isInCells: true };
  if (mode === "quick") return [quick, { ...slowOnes, files: wanted }];
  return [slowOnes, ...(mode === "rest" ? [] : [quick]), embedded, cells];
}

function find(pattern: string): readonly string[] {
  const found = globSync(pattern, { cwd: root }).map((path) => path.replaceAll(sep, "/"));
  if (found.length === 0) throw new Error(`there is no ${pattern}, which the tests are told of`);
  return found.toSorted();
}
