// What an operator reads of API keys: the right key, its state, and what is to be done about the old one.

import { expect, test } from "vitest";
import { answerOf } from "../../adapters/operator/answers.ts";
import { keyCommands, type KeyOperator } from "../../adapters/operator/keys.ts";
import { readWords, UsageError } from "../../adapters/operator/words.ts";
import { Audit } from "../../service/audit/audit.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { buildHarness } from "../merchants/authentication-harness.ts";

async function buildKeys(engine: Engine) {
  const database = await openDatabase(engine);
  const { apiKeys, clock, merchant } = buildHarness(database);
  const operator: KeyOperator = { apiKeys, clock };
  const run = async (line: string) => {
    const words = line.split(" ");
    const command = keyCommands.find(({ name }) => name === `key ${words[0]}`);
    if (command === undefined) throw new Error(`no such command: ${line}`);
    return answerOf(await command.run(readWords(command, words.slice(1)), operator), false);
  };
  const { id } = await merchant();
  return { run, clock, apiKeys, audit: new Audit({ database }), merchantId: id };
}

const noted = "The secret is shown this once: it cannot be read again, only rotated.\n";

test.each(engines)("on %s, a new key is shown whole, and once", async (engine) => {
  const { run, apiKeys, merchantId } = await buildKeys(engine);
  const made = await run(`create --merchant ${merchantId} --no-scopes`);
  const [key] = await apiKeys.list(merchantId);
  expect(made.errors).toBe(noted);
  expect(made.output.replace(/sk_test_\S+/, "SECRET")).toBe(
    `API key     ${key?.id}\nAPI secret  SECRET\nMerchant    ${merchantId}\nScopes      none\n` +
      "From        any address\nExpires     never\n",
  );
  const live = await run(
    `create --merchant ${merchantId} --live --scopes payments:write,currencies:read, --cidr 192.0.2.0/24 --cidr ::1/128 --expires 90d`,
  );
  expect(live.output.replace(/[ms]k_live_\S+/g, "ONE")).toBe(
    `API key     ONE\nAPI secret  ONE\nMerchant    ${merchantId}\nScopes      payments:write currencies:read\n` +
      "From        192.0.2.0/24 ::1/128\nExpires     2026-04-01T00:00:00.000Z\n",
  );
});

test.each(engines)("on %s, rights are said in one way", async (engine) => {
  const { run, apiKeys, merchantId } = await buildKeys(engine);
  const start = `create --merchant ${merchantId}`;
  const both = "Give one of --scopes, --role and --no-scopes.";
  for (const [words, problem] of [
    ["", both],
    [" --role agent --no-scopes", both],
    [" --scopes payments:write --role agent", both],
    [" --scopes payments:write --no-scopes", both],
    [" --role owner", 'There is no role "owner".'],
  ] as const) {
    await expect(run(start + words)).rejects.toEqual(new UsageError(problem));
  }
  expect(await apiKeys.list(merchantId)).toEqual([]);
  const when = "--expires is a duration such as 90d, or a date such as 2027-01-31.";
  for (const line of [`${start} --no-scopes`, "rotate mk_test_1"]) {
    await expect(run(`${line} --expires soon`)).rejects.toEqual(new UsageError(when));
  }
});

test.each(engines)("on %s, the audit log has the role that a key was made for", async (engine) => {
  const { run, audit, merchantId } = await buildKeys(engine);
  await run(`create --merchant ${merchantId} --role agent`);
  await run(`create --merchant ${merchantId} --scopes x402:usage`);
  const entries = await audit.list({ after: undefined, limit: 2 });
  const roleOf = (details: string): unknown => Reflect.get(Object(JSON.parse(details)), "role");
  expect(entries.map(({ details }) => roleOf(details))).toEqual(["agent", null]);
});

test.each(engines)("on %s, the list has the state of each key", async (engine) => {
  const { run, apiKeys, clock, merchantId } = await buildKeys(engine);
  const words = ["", " --expires 1h", " --expires 2h --cidr 192.0.2.0/24", ""];
  for (const more of words) await run(`create --merchant ${merchantId} --role agent${more}`);
  const made = await apiKeys.list(merchantId);
  const ids = [null, 1, 2].map(
    (hours) => made.find(({ expiresAt }) => (expiresAt?.getUTCHours() ?? null) === hours)?.id ?? "",
  );
  const [endless = "", short = "", long = ""] = ids;
  await run(`revoke ${made.find(({ id }) => !ids.includes(id))?.id}`);
  clock.advance(3_600_000);
  const { output } = await run(`list --merchant ${merchantId}`);
  const [heading, ...lines] = output.trimEnd().split("\n");
  const rows = new Map(
    lines.map((line) => [line.split(" ")[0] ?? "", line.split(/ {2,}/).slice(1)]),
  );
  expect(heading?.split(/ {2,}/)).toEqual([
    "KEY",
    "MERCHANT",
    "STATE",
    "EXPIRES",
    "FROM",
    "SCOPES",
  ]);
  expect(lines).toHaveLength(4);
  const scopes = "x402:usage,x402:settle";
  expect(rows.get(endless)).toEqual([merchantId, "active", "never", "any address", scopes]);
  expect(rows.get(short)).toEqual([
    merchantId,
    "expired",
    "2026-01-01T01:00:00.000Z",
    "any address",
    scopes,
  ]);
  expect(rows.get(long)).toEqual([
    merchantId,
    "active",
    "2026-01-01T02:00:00.000Z",
    "192.0.2.0/24",
    scopes,
  ]);
  expect([...rows.values()].filter(([, state]) => state === "revoked")).toHaveLength(1);
  // Without a merchant, of all: of a merchant, no other one's.
  expect((await run("list")).output).toBe(output);
  await run(`create --merchant ${merchantId} --no-scopes`);
  expect((await run("list")).output).toMatch(/ no scopes$/m);
  expect((await run("list --merchant mer_other")).output).toBe(
    "KEY  MERCHANT  STATE  EXPIRES  FROM  SCOPES\n",
  );
});

test.each(engines)("on %s, a rotation ends the old key when it says", async (engine) => {
  const { run, apiKeys, merchantId } = await buildKeys(engine);
  await run(`create --merchant ${merchantId} --role agent --expires 90d`);
  const [old] = await apiKeys.list(merchantId);
  const next = await run(`rotate ${old?.id}`);
  expect(next.errors).toBe(noted);
  const lines = next.output.split("\n").slice(3);
  expect(lines).toEqual([
    "Scopes      x402:usage x402:settle",
    "From        any address",
    "Expires     2026-04-01T00:00:00.000Z",
    `Old key     ${old?.id} until 2026-01-02T00:00:00.000Z`,
    "",
  ]);
  const again = await run(`rotate ${old?.id} --overlap 1h --expires never`);
  expect(again.output.split("\n").slice(5)).toEqual([
    "Expires     never",
    `Old key     ${old?.id} until 2026-01-01T01:00:00.000Z`,
    "",
  ]);
  const dated = await run(`rotate ${old?.id} --overlap 0 --expires 2027-01-31`);
  expect(dated.output.split("\n")[5]).toBe("Expires     2027-01-31T00:00:00.000Z");
});
