// Whether the contract suite that a new project gets notices what is wrong with a server: npm run suite:trial

import { UsageError } from "../generator/command/terminal.ts";
import { filesOf, positive, readCommandLine, seedOf, worded } from "./command-line.ts";
import { type Trial, trial } from "./suite-trial/trial.ts";

const help = `Makes a server of an OpenAPI document, plants faults, and looks whether its contract suite notices.

  npm run suite:trial -- FILE... [options]

  --faults N   of each kind: answers, and servers made of another document (40)
  --seed N     which ones, and which requests (1)
  --help

Exit code 1: the suite finds something where nothing is planted, or notices less than 95 of 100.`;

const goal = 95;

const config = {
  allowPositionals: true,
  options: {
    ...worded({ faults: "40", seed: "1" }),
  },
} as const;
const { files, seed, faults } = readCommandLine(help, config, ({ values, positionals }) => {
  if (positionals.length === 0) throw new UsageError("name a document");
  return {
    files: filesOf(positionals),
    seed: seedOf(values.seed),
    faults: positive("faults", values.faults, 1_000_000),
  };
});

const shares: number[] = [];
for (const path of files) shares.push(await tryOne(path));
if (shares.some((share) => share < goal)) process.exitCode = 1;

async function tryOne(path: string): Promise<number> {
  const found = await trial({ path, seed, faults, say: (line) => console.error(line) });
  for (const line of linesOf(path, found)) console.log(line);
  if (found.problems.length > 0) return 0;
  return percent(found.planted);
}

function percent(planted: Trial["planted"]): number {
  const noticed = planted.filter(({ by }) => by !== undefined).length;
  return planted.length === 0 ? 100 : (100 * noticed) / planted.length;
}

function linesOf(path: string, { operations, tries, untried, problems, planted, refused }: Trial) {
  const kinds = ["answer", "document", "protocol"].map((kind) => {
    const own = planted.filter((one) => one.kind === kind);
    const noticed = own.filter(({ by }) => by !== undefined).length;
    return `${kind} ${noticed} of ${own.length}`;
  });
  return [
    `${path}: ${operations} operations, ${tries} tries, ${untried.length} not tried`,
    ...untried.slice(0, 5).map((one) => `  not tried: ${one}`),
    ...problems.slice(0, 10).map((one) => `  found where nothing is planted: ${one}`),
    `  noticed ${percent(planted).toFixed(1)} %: ${kinds.join(", ")} (${refused} refused by the generator)`,
  ];
}
