// The embedded database keeps every acknowledged write when its process is killed.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { DataDirectoryInUse } from "../../adapters/configuration/data-directory.ts";
import { keepTemplate, templatePath } from "../../adapters/database/template.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { endChildren, startChild } from "../programs/child.ts";
import { shared } from "../support/shared.ts";
import { openEmbedded } from "./embedded.ts";

afterEach(endChildren);

const listIds = statement<object>("test.list_ids")(() =>
  queries.selectFrom("merchants").select("id"),
);

/** What a new database is a copy of, but where its making is what is killed: to make it takes three times as long. */
let templates: string;
beforeAll(async () => {
  templates = mkdtempSync(join(tmpdir(), "crash-templates-"));
  keepTemplate(templatePath(templates), await shared("pgliteFolder"));
  return () => rmSync(templates, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), "crash-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

const rounds = 4;
// Starts and recoveries take seconds each, and other tests run beside these.

test("has every acknowledged row after each kill -9", async () => {
  const folder = temporaryFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = startChild(["test/database/writer.ts", folder, String(round), templates]);
    // Killed at another place in its work each time.
    await child.waitFor(new RegExp(`wrote mer_${round}_${50 + round * 37}\n`));
    child.kill("SIGKILL");
    expect(await child.ended).toMatchObject({ signal: "SIGKILL" });
    const ids = [...child.output().matchAll(/wrote (\S+)\n/g)].map(([, id]) => id ?? "");
    acknowledged.push(...ids);
  }
  const database = await openEmbedded(folder);
  const rows = await database.run(listIds, {});
  await database.close();
  const found = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !found.has(id))).toStrictEqual([]);
  // At most the one row of each round that was written but not yet acknowledged.
  expect(found.size).toBeLessThanOrEqual(acknowledged.length + rounds);
});

test("opens a folder whose first start was killed", async () => {
  const folder = temporaryFolder();
  for (const milliseconds of [600, 1_500, 2_500]) {
    const child = startChild(["test/database/writer.ts", folder, "x"]);
    await Promise.race([child.ended, new Promise((resolve) => setTimeout(resolve, milliseconds))]);
    child.kill("SIGKILL");
    await child.ended;
  }
  const database = await openEmbedded(folder);
  await expect(database.run(listIds, {})).resolves.toBeInstanceOf(Array);
  await database.close();
});

test("keeps a second process out, by the number of the first", async () => {
  const folder = temporaryFolder();
  const child = startChild(["test/database/writer.ts", folder, "0", templates]);
  await child.waitFor(/wrote mer_0_1\n/);
  const second = openEmbedded(folder);
  await expect(second).rejects.toThrow(DataDirectoryInUse);
  await expect(second).rejects.toThrow(`is used by another server (process ${child.pid})`);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("lets one of two in when they open the folder at the same moment", async () => {
  const folder = temporaryFolder();
  const children = [0, 1, 2].map((n) =>
    startChild(["test/database/writer.ts", folder, String(n), templates]),
  );
  const ends = await Promise.race([
    Promise.all(children.map((child) => child.ended.then(() => child.errors()))),
    Promise.any(children.map((child) => child.waitFor(/wrote/))).then(async () => {
      const winner = children.find((child) => child.output().includes("wrote"));
      const losers = children.filter((child) => child !== winner);
      await Promise.all(losers.map((child) => child.ended));
      return losers.map((child) => child.errors());
    }),
  ]);
  expect(ends).toHaveLength(2);
  for (const text of ends) expect(text).toContain("is used by another server");
});

test("acknowledges nothing that the disk does not keep", async () => {
  const folder = temporaryFolder();
  const child = startChild(["test/database/bad-disk.ts", folder, templates]);
  const text = await child.waitFor(/\{.*\}\n/);
  expect(JSON.parse(text)).toStrictEqual({
    isCalled: true,
    outcomes: ["acknowledged", "service_unavailable", "service_unavailable"],
  });
  await child.ended;
  const database = await openEmbedded(folder);
  expect(await database.run(listIds, {})).toContainEqual({ id: "mer_1" });
  await database.close();
});
