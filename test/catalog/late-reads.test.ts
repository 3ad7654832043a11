import { expect, test } from "vitest";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { readCatalog, readCatalogToShow } from "../../service/catalog/catalog.sql.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { Cursors } from "../../service/cursor.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { TestClock } from "../support/service-parts.ts";
import { smallCatalog } from "./fixtures.ts";

test.each(engines)(
  "on %s the server that takes writes is asked only where the other one is behind what was seen",
  async (engine) => {
    const real = await openDatabase(engine);
    const writer = new CatalogWriter({ database: real, clock: new TestClock() });
    await writer.apply(smallCatalog, { isDryRun: false });
    let isEmpty = false;
    const asked: string[] = [];
    const run: Database["run"] = async (statement, values) => {
      asked.push(statement.name);
      return statement.mayBeStale === true && isEmpty ? [] : real.run(statement, values);
    };
    const cursors = new Cursors(new Uint8Array(32));
    const reader = new CatalogReader({ database: { ...real, run }, cursors });
    const request = { merchantId: "mer_1", environment: "test", limit: 9 } as const;
    const shown = async () => (await reader.list(request)).catalog.version;
    const late = readCatalogToShow.name;
    for (const version of [1n, 1n]) expect(await shown()).toBe(version);
    expect(asked).toEqual([late, late]);
    // A replica that has not got the first file yet.
    isEmpty = true;
    expect(await shown()).toBe(1n);
    expect(asked).toEqual([late, late, late, readCatalog.name]);
  },
);
