import { type Engine, openDatabase } from "./engines.ts";
import { addMerchant, buildServiceParts } from "./service-parts.ts";

/** The services on a database of the test's own, with these merchants. */
export async function openParts(engine: Engine, ...merchantIds: readonly string[]) {
  const database = await openDatabase(engine);
  for (const id of merchantIds) await addMerchant(database, id);
  return { database, parts: buildServiceParts(database) };
}
