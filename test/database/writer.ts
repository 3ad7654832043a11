// A process that writes until it is killed: `node writer.ts FOLDER PREFIX [TEMPLATES]`. It says each row that
// the database has acknowledged, in a line of its own.

import { writeSync } from "node:fs";
import { queries, statement } from "../../service/database/statement.ts";
import { openEmbedded } from "./embedded.ts";

const [folder = "", prefix = "", templates] = process.argv.slice(2);
const add = statement<{ id: string }>("test.add")((p) =>
  queries
    .insertInto("merchants")
    .values({ id: p.id, name: "x".repeat(150), created_at: new Date() }),
);

const database = await openEmbedded(folder, templates);
for (let count = 0; ; count++) {
  const id = `mer_${prefix}_${count}`;
  await database.run(add, { id });
  // Not through a stream: what is in its buffer dies with the process.
  writeSync(1, `wrote ${id}\n`);
}
