// A database from before payout schedules remembered their keys: what could have been made from
// anywhere counts as made from anywhere.

import { expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import { addOldAddress, openOldDatabase } from "../support/old-database.ts";
import { ScriptedActionSigner } from "../support/scripted-outgoing.ts";
import { query } from "../support/service-parts.ts";
import { chainId, openSceneOn, usdc } from "../withdrawals/scene.ts";

const lastBefore = 15;

interface OldKey {
  readonly name: string;
  readonly environment?: "live" | "test";
  readonly scopes?: string;
  readonly cidrs?: string;
}

const near = "{192.0.2.0/24}";

test.each<[string, readonly OldKey[], unknown]>([
  ["the only key, which is bound", [{ name: "one", cidrs: near }], ["mk_test_one", true]],
  ["the only key, which is not", [{ name: "one" }], ["mk_test_one", false]],
  [
    "one of two bound keys",
    [
      { name: "one", cidrs: near },
      { name: "two", cidrs: near, scopes: "{payouts:write,withdraw_addresses:write}" },
    ],
    [null, true],
  ],
  [
    "a bound key or one that is not",
    [{ name: "one", cidrs: near }, { name: "two" }],
    [null, false],
  ],
  [
    "a bound key, beside one that makes no schedules and one of the other half",
    [
      { name: "one", cidrs: near },
      { name: "two", scopes: "{payments:write}" },
      { name: "three", environment: "live" },
    ],
    ["mk_test_one", true],
  ],
  [
    "a live key that registers addresses as well",
    [
      {
        name: "one",
        environment: "live",
        cidrs: near,
        scopes: "{payouts:write,withdraw_addresses:write}",
      },
    ],
    ["mk_live_one", false],
  ],
  ["nobody, as it seems", [{ name: "one", scopes: "{payouts:read}", cidrs: near }], [null, false]],
])("threat 84: a schedule made by %s", async (_, keys, expected) => {
  const { client, database } = await openOldDatabase(lastBefore);
  const places = { chain: new ScriptedChain({ chainId }), signer: new ScriptedActionSigner() };
  const scene = await openSceneOn(database, places);
  const { merchantId } = await scene.newOwner();
  const environment = keys[0]?.environment ?? "test";
  const { id: addressId } = await addOldAddress(database, { merchantId, environment }, chainId);
  for (const {
    name,
    environment: half = "test",
    scopes = "{payouts:write}",
    cidrs = "{}",
  } of keys) {
    await query(database)`insert into api_keys
        (id, merchant_id, environment, secret_sealed, scopes, cidrs, created_at)
      values (${`mk_${half}_${name}`}, ${merchantId}, ${half}, '', ${scopes}::text[],
        ${cidrs}::text[], now())`;
  }
  await query(database)`insert into payout_schedules (id, merchant_id, environment, currency_id,
      deployment_id, chain_id, withdraw_address_id, interval_seconds, min_send_raw, mode,
      next_run_at, created_at, updated_at, idempotency_key)
    values ('pos_old', ${merchantId}, ${environment}, ${usdc.currencyId}, ${usdc.deploymentId},
      ${chainId}, ${addressId}, 3600, 1, 'auto_request', now(), now(), now(), 'old')`;
  expect(await migrate(client)).toContain("0016_payout_keys.sql");
  const rows = await query(database)<{ api_key_id: string | null; is_key_bound: boolean }>`
    select api_key_id, is_key_bound from payout_schedules`;
  expect(rows.map((row) => [row.api_key_id, row.is_key_bound])).toEqual([expected]);
});

test("a key that was revoked before was revoked for cause", async () => {
  const { client, database } = await openOldDatabase(lastBefore);
  await query(
    database,
  )`insert into merchants (id, name, created_at) values ('mer_1', 'Shop', now())`;
  await query(database)`insert into api_keys
      (id, merchant_id, environment, secret_sealed, scopes, created_at, revoked_at)
    values ('mk_test_1', 'mer_1', 'test', '', '{}', now(), now()),
      ('mk_test_2', 'mer_1', 'test', '', '{}', now(), null)`;
  await migrate(client);
  const rows = await query(database)`select id, revoked_for_cause from api_keys order by id`;
  expect(rows).toEqual([
    { id: "mk_test_1", revoked_for_cause: true },
    { id: "mk_test_2", revoked_for_cause: false },
  ]);
});
