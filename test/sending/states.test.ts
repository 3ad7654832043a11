// The ways of a transaction of ours through its states, here and in the database (threat 15).

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { outgoingSteps } from "../../service/sending/model.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import type { OutgoingStatus } from "../../service/database/words.ts";
import { openScene } from "./scene.ts";

// All of them: the compiler sees that none is missing in the table.
const statuses = Object.keys(outgoingSteps) as OutgoingStatus[];

describe.each(engines)("on %s", (engine) => {
  test("the database takes these steps and no others, whoever asks", async () => {
    const { database, queue } = await openScene(engine);
    const { id } = await queue();
    for (const from of statuses) {
      const taken: string[] = [];
      for (const to of statuses) {
        if (from !== to && (await isTaken(from, to))) taken.push(to);
      }
      expect([from, taken.toSorted()]).toEqual([from, outgoingSteps[from].toSorted()]);
    }

    async function isTaken(from: OutgoingStatus, to: OutgoingStatus): Promise<boolean> {
      // As if it had come there by whatever way.
      await write("alter table outgoing_transactions disable trigger outgoing_transactions_step");
      await write(`update outgoing_transactions set ${columnsOf(from)} where id = '${id}'`);
      await write("alter table outgoing_transactions enable trigger outgoing_transactions_step");
      try {
        await write(`update outgoing_transactions set ${columnsOf(to)} where id = '${id}'`);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ constraint: "outgoing_transactions_step" });
        return false;
      }
    }

    function write(text: string) {
      return query(database, sql.raw(text));
    }
  });
});

/** With what the other columns have to be then. */
function columnsOf(status: OutgoingStatus): string {
  const isSigned = status !== "queued" && status !== "withdrawn";
  const values = isSigned ? ["now()", "1", "1", "'0x1'"] : ["null", "null", "null", "null"];
  const names = ["signed_at", "gas_units_max", "gas_max_raw", "tx_hash"];
  const others = names.map((name, index) => `${name} = ${values[index]}`);
  return [`status = '${status}'`, ...others].join(", ");
}
