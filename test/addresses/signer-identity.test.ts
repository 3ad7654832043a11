// Which signer a database belongs to, and that no other one's addresses are given.

import { HDKey } from "@scure/bip32";
import { describe, expect, test } from "vitest";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import { DepositAddresses } from "../../service/addresses/deposit-addresses.ts";
import { SignerIdentity } from "../../service/addresses/signer-identity.ts";
import type { Database } from "../../service/ports/database.ts";
import type { SignerAccounts } from "../../service/ports/signer.ts";
import { unkeptIndexes } from "../support/address-indexes.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { TestClock } from "../support/service-parts.ts";
import { addPayments } from "./payments.ts";

function signerOf(name: string): SignerAccounts {
  const seed = Buffer.from(name.padEnd(32, "."));
  return {
    hotAddress: addressOf(`hot ${name}`),
    settlementAddress: addressOf(`settlement ${name}`),
    depositPublicKey: HDKey.fromMasterSeed(seed).publicExtendedKey,
  };
}

const [ours, other] = [signerOf("ours"), signerOf("other")];

function openProcess(database: Database, accounts: SignerAccounts) {
  const ports = { database, clock: new TestClock() };
  const source = openDepositAddresses(accounts.depositPublicKey);
  const indexes = unkeptIndexes(database);
  const addresses = new DepositAddresses({ ...ports, sources: { evm: source }, indexes });
  const identity = new SignerIdentity(ports);
  return { addresses, identity, confirm: () => identity.confirm(accounts, source.derive) };
}

describe.each(engines)("on %s", (engine) => {
  test("the first one is remembered, and asked for again it is the same", async () => {
    const database = await openDatabase(engine);
    const { confirm, identity } = openProcess(database, ours);
    await Promise.all([confirm(), confirm()]);
    await confirm();
    const { hotAddress, settlementAddress } = ours;
    const accepted = { state: "accepted", hotAddress, settlementAddress };
    expect(await identity.list()).toMatchObject([accepted]);
  });

  test("of two that come first at once one is taken", async () => {
    const database = await openDatabase(engine);
    const both = [ours, other].map((one) => openProcess(database, one).confirm());
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("a database with addresses of another key takes none at first contact", async () => {
    const database = await openDatabase(engine);
    await addPayments(database, ["pay_1"]);
    await openProcess(database, ours).addresses.open("pay_1", "evm");
    await expect(openProcess(database, other).confirm()).rejects.toThrow(/another signer/);
    await openProcess(database, ours).confirm();
  });

  test("a process of before gives no address once another signer is accepted", async () => {
    const database = await openDatabase(engine);
    await addPayments(database, ["pay_1", "pay_2"]);
    const [before, after] = [openProcess(database, ours), openProcess(database, other)];
    await before.confirm();
    const given = await before.addresses.open("pay_1", "evm");
    await expect(after.confirm()).rejects.toThrow(/signer accept [0-9a-f]{32}/);
    const [, refused] = await after.identity.list();
    await after.identity.accept(refused?.fingerprint ?? "");
    await after.confirm();
    const more = before.addresses.open("pay_2", "evm");
    await expect(more).rejects.toMatchObject({ code: "chain_unavailable" });
    // What was given stays.
    expect(await before.addresses.open("pay_1", "evm")).toBe(given);
    await after.addresses.open("pay_2", "evm");
    await expect(before.confirm()).rejects.toThrow(/another signer/);
  });
});
