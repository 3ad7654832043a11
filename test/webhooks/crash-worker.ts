// A process that a test kills: it opens the database that it is told, does one thing, says so, and
// waits for its end. Parameters: what to do, where the database is, a JSON object of more.

import { openPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { Outbox } from "./outbox.ts";

const [, , act = "", place = "", more = "{}"] = process.argv;
const database = place.startsWith("postgres")
  ? await openPostgres({ url: place })
  : await openPglite({ folder: place });
const outbox = new Outbox({ database });

switch (act) {
  case "record": {
    // The test that started us wrote it.
    const { url } = JSON.parse(more) as { readonly url: string };
    const { secret } = await outbox.addEndpoint({ url });
    const id = await outbox.record({ resourceId: "pay_1" });
    // Said after the commit: whatever is killed now must not be lost.
    process.stdout.write(`recorded ${JSON.stringify({ id, secret })}\n`);
    break;
  }
  case "deliver":
    process.stdout.write("delivering\n");
    await outbox.round();
    process.stdout.write("recorded\n");
    break;
  default:
    throw new Error(`cannot ${act}`);
}
// Until it is killed.
setInterval(() => {}, 60_000);
