// The signer remembers which deposit addresses may have been given out, through crashes of its own
// and restores of the database (threat 78).

import { cpSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { openPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { connectSigner, signerClientLimits } from "../../adapters/signer-client/client.ts";
import type { ConnectedSigner } from "../../adapters/signer-client/client.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import { AddressIndexes } from "../../service/addresses/indexes.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import type { Database } from "../../service/ports/database.ts";
import type { WorkerWish } from "../addresses/index-worker.ts";
import { addPayments } from "../addresses/payments.ts";
import { endChildren, makeDataDirectory, makeFolder, startChild } from "../programs/child.ts";
import { type Engine, engines, makePostgresDatabase, openDatabase } from "../support/engines.ts";
import { openDesk } from "./desk.ts";
import { exchange, startSigner } from "./process.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
  await endChildren();
});

const log = { warn: () => undefined, error: () => undefined };

async function connected(socketPath: string, answerMilliseconds = 10_000) {
  const limits = { ...signerClientLimits, answerMilliseconds };
  const client = await connectSigner({ socketPath, clock: systemClock, log, limits });
  cleanUp.push(() => client.close());
  return client;
}

interface Store {
  readonly open: () => Promise<OpenedDatabase>;
  /** Both while nobody has it open. */
  readonly backUp: () => Promise<void>;
  readonly restore: () => Promise<void>;
}

async function storeInFolder(): Promise<Store> {
  const folder = join(await makeDataDirectory(), "database");
  const copy = join(makeFolder(), "backup");
  return {
    open: () => openPglite({ folder }),
    backUp: () => Promise.resolve(cpSync(folder, copy, { recursive: true })),
    restore: () => {
      rmSync(folder, { recursive: true });
      return Promise.resolve(renameSync(copy, folder));
    },
  };
}

async function storeOnServer(): Promise<Store> {
  const make = async (template?: string): Promise<string> => {
    const { url, remove } = await makePostgresDatabase(template);
    cleanUp.push(remove);
    return url;
  };
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  let url = await make();
  let copy = "";
  return {
    open: () => openPostgres({ url, connectionsMax: 2 }),
    backUp: async () => void (copy = nameOf(await make(nameOf(url)))),
    restore: async () => void (url = await make(copy)),
  };
}

const storeOf = (engine: Engine) => (engine === "PGlite" ? storeInFolder() : storeOnServer());

/** What a process gives out, from its start on. */
async function addressesFor(
  database: Database,
  signer: ConnectedSigner,
  paymentIds: readonly string[],
) {
  const clock = systemClock;
  const alarms: string[] = [];
  const alarm = (what: string) => void alarms.push(what);
  const indexes = new AddressIndexes({ database, clock, keeper: signer, alarm });
  const sources = { evm: openDepositAddresses(signer.accounts.depositPublicKey) };
  const addresses = new DepositAddresses({ database, clock, sources, indexes });
  const given: string[] = [];
  for (const id of paymentIds) given.push(await addresses.open(id, "evm"));
  return { given, alarms };
}

describe.each(engines)("on %s", (engine) => {
  test("after a restore the next address was never given before, nor from an empty database", async () => {
    const signer = await connected((await startSigner()).socketPath);
    const store = await storeOf(engine);
    const first = await store.open();
    await addPayments(first, ["pay_1", "pay_2", "pay_3", "pay_4"]);
    const kept = await addressesFor(first, signer, ["pay_1"]);
    await first.close();
    await store.backUp();
    const second = await store.open();
    const lost = await addressesFor(second, signer, ["pay_2", "pay_3"]);
    await second.close();
    expect([...kept.alarms, ...lost.alarms]).toEqual([]);

    await store.restore();
    const restored = await store.open();
    const again = await addressesFor(restored, signer, ["pay_1", "pay_4", "pay_3"]);
    await restored.close();
    expect(again.given[0]).toBe(kept.given[0]);
    expect(again.alarms).toEqual(["database_restored"]);

    // The same seed, and a database where nothing ever happened.
    const empty = await openDatabase(engine);
    await addPayments(empty, ["pay_5", "pay_6"]);
    const anew = await addressesFor(empty, signer, ["pay_5", "pay_6"]);
    expect(anew.alarms).toEqual(["database_restored"]);
    const all = [kept, lost, again, anew].flatMap(({ given }) => given);
    expect(new Set(all).size).toBe(all.length - 1);
  });
});

test("two server processes at once on a restored database never give the same", async () => {
  const { socketPath } = await startSigner();
  const signer = await connected(socketPath);
  const { url, remove } = await makePostgresDatabase();
  cleanUp.push(remove);
  await signer.claimIndexes(5_000n, 1_000n);
  const wish: WorkerWish = { databaseUrl: url, socketPath, rounds: 350 };
  const workers = [1, 2].map(() =>
    startChild(["test/addresses/index-worker.ts", JSON.stringify(wish)]),
  );
  const taken = await Promise.all(
    workers.map(async ({ ended, output }) => {
      expect(await ended).toMatchObject({ code: 0 });
      // The worker writes a list of numbers.
      return (JSON.parse(output()) as readonly string[]).map(BigInt);
    }),
  );
  const all = taken.flat();
  expect(all).toHaveLength(7_000);
  expect(new Set(all).size).toBe(7_000);
  expect(all.filter((index) => index < 6_000n)).toEqual([]);
});

test("a signer that is killed between its journal and its answer keeps the claim", async () => {
  const folder = join(makeFolder(), "signer");
  const program = "test/signer/dying-signer.ts";
  const doomed = await startSigner({ SIGNER_DIR: folder, DIE_AT: "claimed" }, program);
  const client = await connected(doomed.socketPath, 1_000);
  const claim = client.claimIndexes(0n, 1_000n);
  await expect(claim).rejects.toMatchObject({ code: "chain_unavailable" });
  expect(await doomed.ended).toMatchObject({ signal: "SIGKILL" });
  const heir = await connected((await startSigner({ SIGNER_DIR: folder })).socketPath);
  // Nobody knows whether somebody got the answer.
  expect(await heir.claimIndexes(0n, 1_000n)).toBe(1_000n);
  expect(await heir.claimIndexes(1_000n, 1_000n)).toBe(1_000n);
  expect(await heir.claimIndexes(0n, 0n)).toBe(2_000n);
});

test("claims are remembered by one that is started again, and the journal stays short", () => {
  const folder = join(makeFolder(), "signer");
  const first = openDesk(folder);
  for (let block = 0n; block < 1_010n; block++) {
    expect(first.desk.claimIndexes(block * 10n, 10n)).toBe(block * 10n);
  }
  expect(first.desk.claimIndexes(10_099n, 10n)).toBe(10_100n);
  first.close();
  expect(statSync(first.journal).size).toBeLessThan(2_000);
  const second = openDesk(folder);
  expect(second.desk.claimIndexes(0n, 0n)).toBe(10_100n);
  second.close();
  const third = openDesk(folder);
  expect(third.desk.claimIndexes(20_000n, 5n)).toBe(10_100n);
  expect(third.desk.claimIndexes(0n, 0n)).toBe(20_005n);
  third.close();
  expect(readFileSync(first.journal, "utf8")).toContain('"freeFrom":"20005"');
});

test("a claim that is none is refused, and changes nothing", async () => {
  const { socketPath } = await startSigner();
  const line = '{"id":9,"ask":"claim","first":"7000","count":"1000"}';
  for (const [found, instead, place] of [
    ['"7000"', "7000", "/first"],
    ['"7000"', '"-1"', "/first"],
    ['"7000"', `"${2n ** 31n + 1n}"`, "/first is too large"],
    ['"7000"', `"${2n ** 31n - 999n}"`, "/count is too large"],
    ['"count":"1000"', '"count":"1000","to":"0x"', "/to is not known here"],
    [',"count":"1000"', "", "/count is missing"],
  ] as const) {
    const answer = await exchange(socketPath, `${line.replace(found, instead)}\n`);
    expect(answer).toMatch(/^\{"id":9,"error":\{"kind":"invalid","text":"/);
    expect(answer).toContain(place);
  }
  expect(await exchange(socketPath, `${line}\n`)).toBe('{"id":9,"free_from":"0"}\n');
  expect(await exchange(socketPath, `${line}\n`)).toBe('{"id":9,"free_from":"8000"}\n');
});
