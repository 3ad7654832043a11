// Compares a run of the generator with other generators on the same document: processor time of whole processes,
// measured in turn.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { UsageError } from "../../../generator/command/terminal.ts";
import { filesOf, flags, positive, readCommandLine, worded } from "../../command-line.ts";
import { childrenCpuMicroseconds, median } from "../measuring.ts";
import {
  type Contender,
  install,
  installOurs,
  ours,
  ownSources,
  peers,
  types,
} from "./contenders.ts";
import { measureGrowth } from "./growth.ts";
import { measureWatching } from "./watching.ts";

const help = `npm run bench:generator -- [FILE] [options]

FILE is spec/openapi.yaml when it is left out. It has to be YAML in one file.

  --allow A,B    codes that ours needs allowed, to take the document
  --rounds N     how often each is measured (7)
  --installed    ours as its tarball installs it, in place of its sources
  --growth       instead, documents of 100 and of 1,000 routes
  --watch        instead, edits while the generator watches
  --peers a,b    of ${Object.keys(peers).join(", ")}; installed from npm's registry for the run (none)
  --help`;

const config = {
  allowPositionals: true,
  options: {
    ...worded({ rounds: "7", peers: "", allow: "" }),
    ...flags("installed", "growth", "watch"),
  },
} as const;
const { values, names, rounds, document } = readCommandLine(help, config, (words) => {
  const all = words.values.peers.split(",").filter(Boolean);
  const unknown = all.find((name) => !Object.hasOwn(peers, name));
  if (unknown !== undefined) throw new UsageError(`--peers: there is no ${unknown}`);
  const [path = resolve("spec/openapi.yaml"), ...more] = filesOf(words.positionals);
  if (more.length > 0) throw new UsageError("name one document");
  const number = positive("rounds", words.values.rounds, 999);
  return { values: words.values, names: all, rounds: number, document: path };
});

interface Run {
  readonly seconds: number;
  readonly isWhole: boolean;
}

const root = mkdtempSync(join(tmpdir(), "bench-generator-"));
try {
  if (values.growth) measureGrowth(root, rounds);
  else if (values.watch) await watch();
  else measure();
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function watch(): Promise<void> {
  const folder = fresh("watched");
  await measureWatching(folder, rounds + 1, (round) => {
    edit(folder, round);
  });
}

function measure(): void {
  const chosen = names.flatMap((name) => peers[name] ?? []);
  mkdirSync(join(root, "peers"));
  const packages = chosen.flatMap((one) => one.packages);
  const modules = packages.length === 0 ? "" : install(join(root, "peers"), packages);
  const results = new Map<string, Run[]>();
  const take = (contender: Contender, folder: string): void => {
    const own = results.get(contender.label) ?? [];
    results.set(contender.label, [...own, run(contender, folder, modules)]);
  };
  const program = values.installed ? installOurs(fresh("installed")) : ownSources;
  const own = (label: string): Contender => ours(label, program, values.allow);
  warm(modules, [own("ours"), ...chosen]);
  for (let round = 0; round < rounds; round += 1) {
    take(types, fresh(`types-${round}`));
    const folder = fresh(`ours-${round}`);
    take(own("ours, cold"), folder);
    take(own("ours, nothing changed"), folder);
    edit(folder, round);
    take(own("ours, one line changed"), folder);
    for (const [index, peer] of chosen.entries()) take(peer, fresh(`peer-${index}-${round}`));
  }
  print(results);
}

/** What is compiled and cached once and for all stands ready for everybody. */
function warm(modules: string, chosen: readonly Contender[]): void {
  for (const [index, one] of [types, ...chosen].entries()) {
    run(one, fresh(`warm-${index}`), modules);
  }
}

function fresh(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  copyFileSync(document, join(folder, "openapi.yaml"));
  return folder;
}

/** One bound of the document becomes another. */
function edit(folder: string, round: number): void {
  const path = join(folder, "openapi.yaml");
  const text = readFileSync(path, "utf8");
  const changed = text.replace(/(maxLength|maximum|minLength): \d+/, `$1: ${900 + round}`);
  if (changed === text) throw new Error("the document has no maxLength to edit");
  writeFileSync(path, changed);
}

function run(contender: Contender, folder: string, modules: string): Run {
  const before = childrenCpuMicroseconds();
  const { status } = spawnSync(process.execPath, contender.command(folder, modules), {
    cwd: folder,
    stdio: "ignore",
  });
  return { seconds: (childrenCpuMicroseconds() - before) / 1e6, isWhole: status === 0 };
}

function print(results: ReadonlyMap<string, readonly Run[]>): void {
  const yardstick = results.get(types.label) ?? [];
  const unit = median(yardstick.map(({ seconds }) => seconds));
  console.log(`${document}, ${rounds} rounds, processor time of the whole process\n`);
  console.log("| generator | seconds | ratio | between |");
  console.log("| --- | --: | --: | --- |");
  for (const [label, runs] of results) {
    const ratios = runs.map(({ seconds }, at) => seconds / (yardstick[at]?.seconds ?? Number.NaN));
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    const seconds = median(runs.map((one) => one.seconds));
    const failed = runs.every(({ isWhole }) => isWhole) ? "" : " (fails)";
    console.log(
      `| ${label}${failed} | ${seconds.toFixed(2)} | ${(seconds / unit).toFixed(2)} | ${least.toFixed(2)}-${most.toFixed(2)} |`,
    );
  }
}
