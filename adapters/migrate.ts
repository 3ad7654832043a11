// npm run migrate: brings the tables of a PostgreSQL server up to date before the servers of this version start, while
// those of the version before go on serving.

import { parseArgs } from "node:util";
import { startProblem } from "./assembly/start-problem.ts";
import { parseDatabaseUrl } from "./configuration/database-url.ts";
import { parseMigrationPlace } from "./configuration/migration.ts";
import { makeSchema, schemaOf } from "./database/cell-schema.ts";
import type { Schema } from "./database/cell-schema.ts";
import { translateFailure } from "./database/failures.ts";
import { migrate } from "./database/migrate.ts";
import { compatibleFrom, indexesBefore } from "./database/migration-files.ts";
import { checkBeside, planMigrations, prepare } from "./database/migration-plan.ts";
import type { MigrationPlan } from "./database/migration-plan.ts";
import { onMigrationConnection } from "./database/postgres.ts";
import { ServerWatch } from "./database/server-watch.ts";
import { closeInspectorDoor } from "./system/inspector.ts";

const help = `npm run migrate -- [--dry-run] [--stopped]

Brings the tables of DATABASE_URL (and CELL) up to date. The role has to own them. Servers go on serving
meanwhile; two at once wait for each other, and apply nothing twice. DATABASE_URL has to lead to the server itself,
not through a pooler, where a file says what has to be done before it.

  --dry-run   says what would be done, with the SQL, and changes nothing
  --stopped   also what the version before does not work with: its servers are stopped
  --help

Exit codes: 0 the tables are up to date (or would be), 1 they are not, 2 this was typed wrongly.
`;

closeInspectorDoor();

type Client = Parameters<typeof planMigrations>[0];

const wish = readArguments();
const areStopped = wish?.stopped === true;
if (wish !== undefined) {
  try {
    const place = parseMigrationPlace(process.env);
    await run(place.databaseUrl, schemaOf(place.cell), wish.isDryRun ? tell : perform);
  } catch (error) {
    const problem = startProblem(error);
    if (problem === undefined) throw error;
    process.stderr.write(`${problem.trimEnd()}\n`);
    process.exitCode = 1;
  }
}

function readArguments(): { readonly isDryRun: boolean; readonly stopped: boolean } | undefined {
  try {
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({ options: { "dry-run": flag, stopped: flag, help: flag } });
    if (!values.help) return { isDryRun: values["dry-run"], stopped: values.stopped };
    process.stdout.write(help);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${reason}\n\n${help}`);
    process.exitCode = 2;
  }
  return undefined;
}

type Work = (client: Client, schema: Schema) => Promise<void>;

async function run(url: string, schema: Schema, work: Work): Promise<void> {
  const watch = new ServerWatch({ servers: parseDatabaseUrl(url) ?? [] });
  try {
    await watch.choose();
    const { server } = watch;
    say(`${server.name}${schema === undefined ? "" : `, schema ${schema}`}`);
    await onMigrationConnection({ server, schema }, (client) => work(client, schema));
  } catch (error) {
    throw translateFailure(error);
  } finally {
    watch.close();
  }
}

async function tell(client: Client): Promise<void> {
  const plan = await planMigrations(client);
  sayPlan(plan);
  for (const migration of plan.pending) {
    const before = indexesBefore(migration).map(({ statement }) => `  before it: ${statement}\n`);
    const from = compatibleFrom(migration);
    const works =
      from === migration.number
        ? "no version before it works with it: stop the servers first"
        : `versions from ${from} on work with it`;
    say(`\n${migration.name} (${works})\n${before.join("")}\n${migration.sql.trimEnd()}`);
  }
}

async function perform(client: Client, schema: Schema): Promise<void> {
  if (schema !== undefined) await makeSchema(client, schema);
  const plan = await planMigrations(client);
  sayPlan(plan);
  if (!areStopped) checkBeside(plan);
  // Building an index takes longer than any request is allowed to.
  await client.query("set statement_timeout = 0");
  await migrate(client, {
    schema,
    beforeEach: (next) =>
      prepare(client, next, {
        onDone: (statement) => say(`done before: ${statement}`),
        onWaiting: (pid) => say(`waiting for another migration (process ${pid} of the server)`),
      }),
    onApplied: (name) => say(`applied ${name}`),
  });
}

function sayPlan({ appliedCount, pending, newer }: MigrationPlan): void {
  say(`${appliedCount} migrations are applied, ${pending.length} are to be applied`);
  if (newer.length > 0) say(`of a newer version: ${newer.join(", ")}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
