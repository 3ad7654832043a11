// One after the other, each by itself.

import { ServiceError } from "../errors.ts";

/**
 * How many of them `work` has done. One that fails must not keep those behind it waiting, run after
 * run, so they are done all the same; then the first failure is thrown. Only where the database is
 * away there is no point in going on.
 */
export async function doEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      if (await work(item)) done += 1;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "service_unavailable") throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
