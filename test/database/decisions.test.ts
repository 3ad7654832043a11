// What each statement of the service decides by, as lists that people read: a condition, an order, a bound or a
// column that is set otherwise is a changed line.

import { beforeAll, describe, expect, test } from "vitest";
import { simulate } from "../simulation/simulation.ts";
import { type FoundStatement, readStatements } from "../tidy/statements.ts";
import { dropRules, permitForce } from "./decision-values.ts";
import { Decisions } from "./decisions.ts";
import { fillEmptyTables } from "./filling.ts";
import { lookAtOthers, lookingAt, readTables } from "./looking.ts";
import { useQuietServer } from "./quiet-server.ts";

const openQuiet = useQuietServer();
const life = { seed: 11, steps: 400 };
/** What it finds depends on which attempts of a life have ended when it runs. */
const unsteady = "finish_given_up_deliveries";
const byRoom = Map.groupBy(
  (await readStatements()).filter(({ name }) => name !== unsteady),
  roomOf,
);

function roomOf({ path }: FoundStatement): string {
  return path.split("/")[1] ?? "";
}

/** Each has a test of its name: by that, `npm run mutate` asks the statements of one room alone. */
const rooms = [...byRoom.keys()].toSorted();

describe("each statement is asked what it decides by", () => {
  let linesOf: Decisions["linesOf"];

  // One life for all rooms that are asked: to play it takes as long as to ask the statements of the largest.
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads it as the list of fixtures that are wanted: none
  beforeAll(async ({}, { tasks }) => {
    const asked = rooms.filter((_room, place) => tasks[place]?.mode !== "skip");
    const statements = asked.flatMap((room) => byRoom.get(room) ?? []);
    const decisions = await askIn(statements);
    linesOf = decisions.linesOf.bind(decisions);
  });

  test.each(rooms)("%s", async (room) => {
    const names = (byRoom.get(room) ?? []).map(({ name }) => name);
    const lines = names.toSorted().flatMap((name) => linesOf(name));
    if (lines.length === 0) return;
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`decisions/${room}.txt`);
  });
});

async function askIn(statements: readonly FoundStatement[]): Promise<Decisions> {
  const database = await openQuiet();
  const tables = await readTables(database);
  const decisions = new Decisions(
    tables,
    statements.map(({ name }) => name),
  );
  await permitForce(database);
  await dropRules(database, "combined");
  await simulate(lookingAt(database, decisions), life);
  await dropRules(database, "all");
  const filled = await fillEmptyTables(database, tables);
  await lookAtOthers(decisions, { database, tables, statements });
  const asked = statements.filter(({ name }) => decisions.isDone(name)).length;
  process.stderr.write(
    `${asked} of ${statements.length} statements asked ${decisions.trials} times, ` +
      `${filled.length} empty tables were filled\n`,
  );
  return decisions;
}
