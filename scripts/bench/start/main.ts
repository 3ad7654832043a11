// What a start costs: processor time of all processes from the command until somebody can use the server, and their
// memory. The embedded database on an empty folder and on that of before, a PostgreSQL server (whose own
// processes are not counted), and commands of an operator.
//
// With --beside another copy of the project is measured in turn with this one: only such ratios mean something on a
// machine that others use as well.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { flags, positive, readCommandLine, worded } from "../../command-line.ts";
import { type Place, runAdmin, runStart, type StartPlan } from "./contenders.ts";
import { print, Results } from "./report.ts";

const help = `npm run bench:start -- [options]

  --rounds N       how often everything is measured, after one round that does not count (5)
  --seconds N      how long after the start memory is looked at again (3)
  --beside FOLDER  another copy of the project, with its packages, measured in turn with this one
  --uncompiled     Node keeps nothing that it has compiled, as in production
  --help`;

const root = join(import.meta.dirname, "../../..");

const config = {
  options: {
    ...worded({ rounds: "5", seconds: "3" }),
    ...flags("uncompiled"),
    beside: { type: "string" },
  },
} as const;
const values = readCommandLine(help, config, ({ values: { rounds, seconds, ...rest } }) => ({
  ...rest,
  rounds: positive("rounds", rounds, 100),
  seconds: positive("seconds", seconds, 100),
}));

/** A copy that is measured, with a folder for what its servers keep. */
interface Copy {
  readonly label: string;
  readonly root: string;
  readonly scratch: string;
  readonly url: string;
}

const encryptionKey = randomBytes(32).toString("base64");
const caching: Readonly<Record<string, string>> = values.uncompiled
  ? { NODE_DISABLE_COMPILE_CACHE: "1" }
  : {};

const usable = {
  // What the start tells people to do next is the last thing that it prints.
  embedded: /npm run admin -- /,
  postgres: /listening on http/,
};

/** The words of a command, which change nothing. */
const commands = [["--help"], ["merchant", "list"], ["job", "list"]] as const;

async function measureRound(copy: Copy, settleSeconds: number, results: Results): Promise<void> {
  const note = results.of(copy.label);
  const dataDirectory = mkdtempSync(join(copy.scratch, "data-"));
  const embedded: Place = {
    root: copy.root,
    environment: { ...caching, DATA_DIR: dataDirectory },
  };
  const plan: StartPlan = { ready: usable.embedded, settleSeconds };
  note.start("embedded, first start", await runStart(embedded, plan));
  note.command(
    "admin merchant list, embedded, no server",
    runAdmin(embedded, ["merchant", "list"], { isAlone: true }),
  );
  const meanwhile = (): void => {
    const seconds = runAdmin(embedded, ["merchant", "list"], { isAlone: true });
    note.command("admin merchant list, embedded, by the server", seconds);
  };
  note.start("embedded, warm start", await runStart(embedded, { ...plan, meanwhile }));
  rmSync(dataDirectory, { recursive: true });
  const served = onServer(copy);
  const ready = usable.postgres;
  note.start("PostgreSQL, warm start", await runStart(served, { ready, settleSeconds }));
  for (const words of commands) {
    const name = `admin ${words.join(" ")}`;
    note.command(`${name}, PostgreSQL`, runAdmin(served, words, { isAlone: true }));
    note.command(`${name}, PostgreSQL, with npm`, runAdmin(served, words, { isAlone: false }));
  }
}

function onServer({ root: folder, scratch, url }: Copy): Place {
  const server = { DATA_DIR: scratch, DATABASE_URL: url, ENCRYPTION_KEY: encryptionKey };
  return { root: folder, environment: { ...caching, ...server } };
}

async function prepare(server: PostgresServer, folder: string, label: string): Promise<Copy> {
  await server.execute(`create database "${label}"`);
  const scratch = mkdtempSync(join(tmpdir(), "bench-start-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  return { label, root: folder, scratch, url: server.url(label) };
}

async function main(rounds: number, settleSeconds: number): Promise<void> {
  const server = await startPostgresServer({ isDurable: true });
  try {
    const copies = [await prepare(server, root, "here")];
    if (values.beside !== undefined) {
      const beside = resolve(process.env["INIT_CWD"] ?? "", values.beside);
      copies.push(await prepare(server, beside, "beside"));
    }
    const results = new Results();
    for (let round = 0; round <= rounds; round++) {
      // The first one compiles what is kept, and makes the tables: it does not count.
      const into = round === 0 ? new Results() : results;
      for (const copy of round % 2 === 0 ? copies : copies.toReversed()) {
        await measureRound(copy, settleSeconds, into);
      }
      console.error(round === 0 ? "everything stands ready" : `round ${round} of ${rounds}`);
    }
    print(results);
  } finally {
    await server.remove();
  }
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(values.rounds, values.seconds);
