// What each statement of the service decides by, as lists that people read: a condition, an order, a bound or a
// column that is set otherwise is a changed line.

import { expect, test } from "vitest";
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

// One life for all rooms: to play it takes as long as to ask the statements of the largest.
test("each statement is asked what it decides by", async () => {
  const database = await openQuiet();
  const tables = await readTables(database);
  const rooms = [...byRoom.keys()].toSorted();
  const statements = rooms.flatMap((room) => byRoom.get(room) ?? []);
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
  for (const room of rooms) {
    const names = (byRoom.get(room) ?? []).map(({ name }) => name);
    const lines = names.toSorted().flatMap((name) => decisions.linesOf(name));
    if (lines.length === 0) continue;
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`decisions/${room}.txt`);
  }
  const asked = statements.filter(({ name }) => decisions.isDone(name)).length;
  process.stderr.write(
    `${asked} of ${statements.length} statements asked ${decisions.trials} times, ` +
      `${filled.length} empty tables were filled\n`,
  );
});
