// Every statement of the service runs on both engines over the same rows, those of a played life and with the
// values that it had there, and both answer the same. What they change is rolled back.

import { expect, test } from "vitest";
import type { Database, Statement } from "../../service/ports/database.ts";
import { simulate } from "../simulation/simulation.ts";
import { openDatabase } from "../support/engines.ts";
import { describeReset } from "../support/recycling.ts";
import { readStatements } from "../tidy/statements.ts";
import { likelyParameters, type Parameters, RecordedLife } from "./recorded-life.ts";

const steps = 200;
const seed = Number(process.env["SEED"]);

class RollBack extends Error {}

interface Answer {
  readonly rows: readonly string[];
  readonly refusal: string | undefined;
}

async function answerOf(
  database: Database,
  { name, text }: Pick<Statement<object, object>, "name" | "text">,
  parameters: Parameters,
): Promise<Answer> {
  let answer: Answer = { rows: [], refusal: undefined };
  const work = async (inside: Database): Promise<never> => {
    const one: Statement<object, object> = { name, text, list: () => parameters };
    try {
      answer = { rows: (await inside.run(one, {})).map(comparable).toSorted(), refusal: undefined };
    } catch (error) {
      answer = { rows: [], refusal: refusalOf(error) };
    }
    throw new RollBack();
  };
  await database.transaction(work).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error;
  });
  return answer;
}

const momentMilliseconds = 3_600_000;
/** A column that says which one it is. */
const ofTheEngine = "server_version";

/**
 * The time of the machine differs between two calls; all other times are of the life. What a row has gathered
 * in a list may come in any order where the statement says none.
 */
function comparable(row: object): string {
  return JSON.stringify(row, (name, value: unknown) => {
    if (name === ofTheEngine) return typeof value;
    if (typeof value === "bigint") return `${value}n`;
    if (Array.isArray(value)) return value.map((one: unknown) => comparable({ one })).toSorted();
    if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value;
    return Math.abs(Date.parse(value) - Date.now()) < momentMilliseconds ? "now" : value;
  });
}

function refusalOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return `${String(error)} ${code}`;
}

test("every statement answers the same on both engines", async () => {
  const server = await openDatabase("PostgreSQL");
  const embedded = await openDatabase("PGlite");
  const life = new RecordedLife();
  await simulate(life.recording(server), { seed, steps });
  await embedded.run(await describeReset(server), {});
  const differences: string[] = [];
  const statements = await readStatements();
  const met = { lived: 0, rows: 0 };
  for (const statement of statements) {
    const lived = life.of(statement.name);
    if (lived.length > 0) met.lived += 1;
    const lists = lived.length > 0 ? lived : [await likelyParameters(server, statement)];
    let hasRows = false;
    for (const parameters of lists) {
      const answers = [
        await answerOf(server, statement, parameters),
        await answerOf(embedded, statement, parameters),
      ] as const;
      hasRows ||= answers[0].rows.length > 0;
      const [one, other] = answers.map((answer) => JSON.stringify(answer));
      if (one !== other) differences.push(`${statement.name}: ${one} but ${other}`);
    }
    if (hasRows) met.rows += 1;
  }
  process.stderr.write(
    `of ${statements.length} statements ${met.lived} were lived, ${met.rows} had rows, SEED=${seed}\n`,
  );
  expect(differences).toEqual([]);
  expect(statements.length).toBeGreaterThan(200);
  // Otherwise nothing is compared.
  expect(met.lived).toBeGreaterThan(statements.length / 4);
  expect(met.rows).toBeGreaterThan(statements.length / 5);
});
