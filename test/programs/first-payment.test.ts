// A fresh production database has its catalog, and everybody who looks hears what is missing before a
// first payment can be taken (threat 109).

import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { endChildren, giveToPlainUser, makeDataDirectory, startAsPlainUser } from "./child.ts";

afterEach(endChildren);

type Line = Readonly<Record<string, unknown>>;

async function startProduction() {
  const environment = {
    NODE_ENV: "production",
    PORT: "0",
    DATA_DIR: giveToPlainUser(await makeDataDirectory()),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PUBLIC_URL: "https://pay.example",
    TRUSTED_PROXIES: "none",
  };
  const run = (...words: readonly string[]) => startAsPlainUser(words, environment);
  const begin = () => run("--disable-sigusr1", "adapters/main.ts");
  return {
    begin,
    /** @param missing what it says last that it lacks */
    start: async (missing = "merchant") => {
      const child = begin();
      await child.waitFor(new RegExp(`"missing":"${missing}"`));
      const text = await child.waitFor(/"url":"[^"]+"/);
      // JSON.parse gives no type; every line of the log is an object.
      const lines = text.split("\n").flatMap((line) => (line === "" ? [] : [lineOf(line)]));
      return { child, lines, url: /"url":"([^"]+)"/.exec(text)?.[1] ?? "" };
    },
    admin: async (...words: readonly string[]) => {
      const child = run("adapters/admin.ts", ...words);
      const { code } = await child.ended;
      return { code, output: child.output() };
    },
  };
}

function lineOf(text: string): Line {
  // JSON.parse gives no type; every line of the log is an object.
  return JSON.parse(text) as Line;
}

const applied = "the catalog that is shipped was applied";

test("a first start in production has the catalog, and says what is missing", async () => {
  const { start, admin } = await startProduction();
  const first = await start();
  expect(first.lines.filter(({ msg }) => msg === applied)).toMatchObject([{ catalog_version: 1 }]);
  const told = first.lines.filter(({ missing }) => missing !== undefined);
  expect(told.map(({ missing, level }) => [missing, level])).toEqual([
    ["chain", "warn"],
    ["merchant", "warn"],
  ]);
  expect(told[0]?.["msg"]).toContain("EVM_RPC_URLS");
  const ready = await fetch(`${first.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: "ready", missing: ["chain", "merchant"] },
  ]);

  const status = await admin("status");
  expect(status.code).toBe(1);
  expect(status.output).toMatch(/^MISSING +WHAT TO DO\nchain +No chain .*\nmerchant +There is no/);
  await admin("merchant", "create", "--name", "Shop");
  expect((await admin("status")).output).toMatch(/\napi_key +No API key/);

  first.child.kill("SIGTERM");
  await first.child.ended;
  const nothing = await admin("catalog", "apply", "adapters/catalog/catalog.json");
  expect(nothing).toEqual({ code: 0, output: "Nothing to change: catalog version 1.\n" });
});

test("production does not start on a demo's database while its key opens something, and says how to go on", async () => {
  const { start, admin, begin } = await startProduction();
  await admin("merchant", "create", "--name", "Demo shop");
  const listed = await admin("merchant", "list");
  const [merchant = ""] = /mer_\w+/.exec(listed.output) ?? [];
  const issued = await admin("key", "create", "--merchant", merchant, "--role", "storefront");
  const [key = ""] = /mk_test_\w+/.exec(issued.output) ?? [];
  const refused = begin();
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.errors()).toBe(
    'This database has the merchant "Demo shop" of a demo, with a key whose secret was shown on a terminal. Production ' +
      `starts on an empty database, or after:\n  npm run admin -- key revoke ${key}\n`,
  );
  expect(await admin("key", "revoke", key, "--yes")).toMatchObject({ code: 0 });
  await start("api_key");
});
