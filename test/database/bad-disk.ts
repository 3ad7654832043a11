// A process whose disk stops keeping what it is given, as after pulling a cable: `node bad-disk.ts
// FOLDER TEMPLATES`. It says what became of each write. Only in a process of its own can fsync be replaced.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { ServiceError } from "../../service/errors.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { openEmbedded } from "./embedded.ts";

const add = statement<{ id: string }>("test.add")((p) =>
  queries.insertInto("merchants").values({ id: p.id, name: "name", created_at: new Date() }),
);

const database = await openEmbedded(process.argv[2] ?? "", process.argv[3]);
async function write(id: string): Promise<string> {
  try {
    await database.run(add, { id });
    return "acknowledged";
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
}

const outcomes = [await write("mer_1")];
let isCalled = false;
fs.fsyncSync = () => {
  isCalled = true;
  throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
};
syncBuiltinESMExports();
outcomes.push(await write("mer_2"), await write("mer_3"));
await database.close();
process.stdout.write(`${JSON.stringify({ isCalled, outcomes })}\n`);
