// Withdrawals of tokens that keep a part of what is sent, or charge the sender, on a real chain: what has
// left the hot account decides, and what a token takes beside is never the platform's without a word.

import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { addressOf } from "../support/scripted-signer.ts";
import { chainUnavailable } from "../support/scripted-faults.ts";
import { query } from "../support/service-parts.ts";
import { openChainScene, useChain } from "./on-chain.ts";
import { finalBlocks, usdc, whole } from "./scene.ts";

const world = useChain();
let names = 0;

/** The token behaves like this one from now on. */
async function become(name: string): Promise<void> {
  const { node } = world();
  const made = await node.deploy(name);
  const code = await node.rpc("eth_getCode", [made, "latest"]);
  await node.rpc("anvil_setCode", [usdc.contractAddress, code]);
  await node.mint(hot(), 1_000_000n * whole, usdc.contractAddress);
}

const hot = () => world().signer.accounts.hotAddress;
const held = (address: string) => world().node.balanceOf(address, usdc.contractAddress);

async function openMarked(name: string) {
  await become(name);
  const scene = await openChainScene(world());
  const { database } = scene;
  await query(
    database,
    sql.raw(`insert into capabilities values
      ('${usdc.deploymentId}', 'withdrawal', 'transfer_fee', 'supported', '{}', 1, null)`),
  );
  await query(database, sql`update catalog set version = version + 1`);
  const owner = await scene.newOwner();
  await scene.fund(owner, 1000n * whole);
  const { id: addressId, address } = await scene.register(owner, addressOf(`taxed ${++names}`));
  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 2; round++) {
      await process.send();
      await world().node.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };
  const booked = async (kind: string): Promise<bigint> => {
    const rows = await query(
      database,
      sql<{ raw: string }>`select balance::text as raw from ledger_accounts
        where kind = ${sql.lit(kind)} and deployment_id = ${sql.lit(usdc.deploymentId)}
          and merchant_id is null`,
    );
    return BigInt(rows[0]?.raw ?? 0);
  };
  const before = await held(hot());
  return {
    ...scene,
    owner,
    address,
    settle,
    booked,
    ask: async (amount: string) => (await scene.request(owner, addressId, amount)).id,
    /** what has really left the hot account since */
    left: async () => before - (await held(hot())),
  };
}

beforeAll(() => world().node.mine(2));

describe("of a token that keeps a part", () => {
  test.each(["FeeToken", "ShortToken", "BackFeeToken"])(
    "%s: the amount leaves, the recipient gets less, and it is confirmed",
    async (name) => {
      const scene = await openMarked(name);
      // Both in one block: each is told from the other.
      const ids = [await scene.ask("100"), await scene.ask("7")];
      await scene.settle();
      expect(await Promise.all(ids.map((id) => scene.statusOf(id)))).toEqual([
        "confirmed",
        "confirmed",
      ]);
      expect(await held(scene.address)).toBe((107n * whole * 99n) / 100n);
      expect(await scene.left()).toBe(107n * whole);
      expect(await scene.booked("chain:hot")).toBe(893n * whole);
      expect(await scene.booked("platform:gas")).toBe(0n);
      expect(scene.alarms).toEqual([]);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
  );
});

test("what a token charges beside is not taken from the platform without a word", async () => {
  const scene = await openMarked("TopToken");
  const id = await scene.ask("100");
  await scene.settle();
  expect(await held(scene.address)).toBe(100n * whole);
  expect(await scene.statusOf(id)).toBe("broadcast");
  expect(scene.alarms).toContainEqual([
    "unclear_transfer",
    expect.objectContaining({ withdrawal_id: id, amount_raw: "100000000", left_raw: "101000000" }),
  ]);
  await scene.policy.decide(id, "confirmed", "the token charges its sender");
  scene.clock.advance(20_000);
  await scene.settle();
  expect(await scene.statusOf(id)).toBe("confirmed");
  expect(await scene.left()).toBe(101n * whole);
  expect(await scene.booked("chain:hot")).toBe(899n * whole);
  expect(await scene.booked("platform:gas")).toBe(whole);
  expect(await scene.isLedgerWhole()).toBe(true);
});

test("what people have decided ends also where nodes have forgotten its block since a restart", async () => {
  const { chain } = world();
  const scene = await openMarked("TopToken");
  const id = await scene.ask("100");
  await scene.settle();
  const forgetful = scene.startProcess({
    chain: { ...chain, balanceAt: () => Promise.reject(chainUnavailable()) },
  });
  await scene.policy.decide(id, "confirmed", "the token charges its sender");
  scene.clock.advance(20_000);
  await forgetful.confirm();
  expect(await scene.statusOf(id)).toBe("confirmed");
  expect(await scene.booked("platform:gas")).toBe(whole);
  expect(scene.alarms.map(([what]) => what)).not.toContain("move_unmeasured");
});

test("what was never measured is not decided by people, who hear what ends it", async () => {
  const { chain, node } = world();
  const scene = await openMarked("TopToken");
  const id = await scene.ask("100");
  await scene.startProcess().send();
  await node.mine(finalBlocks);
  scene.clock.advance(20_000);
  const forgetful = { ...chain, balanceAt: () => Promise.reject(chainUnavailable()) };
  await scene.startProcess({ chain: forgetful }).confirm();
  expect(await scene.statusOf(id)).toBe("broadcast");
  await expect(scene.policy.decide(id, "confirmed", "it must have")).rejects.toThrow(
    /is not known since .*alarm move_unmeasured\)\. An archive node in EVM_RPC_URLS ends that/,
  );
  await scene.settle();
  await scene.policy.decide(id, "confirmed", "the token charges its sender");
  scene.clock.advance(20_000);
  await scene.settle();
  expect(await scene.statusOf(id)).toBe("confirmed");
});

test("a recipient that sends a unit back in the same transaction makes no other one unclear", async () => {
  const scene = await openMarked("HookToken");
  const returner = await world().node.deploy("Returner");
  const { id: addressId } = await scene.register(scene.owner, returner);
  const [{ id: returned }, plain] = [
    await scene.request(scene.owner, addressId, "100"),
    await scene.ask("7"),
  ];
  await scene.settle();
  expect(await scene.statusOf(plain)).toBe("confirmed");
  expect(await scene.statusOf(returned)).toBe("confirmed");
  expect(scene.alarms).toEqual([]);
  expect(await held(returner)).toBe(100n * whole - 1n);
  expect(await scene.left()).toBe(107n * whole - 1n);
  // The unit is nobody's that we know: the comparison of the accounts tells of it.
  expect(await scene.booked("chain:hot")).toBe(893n * whole);
});

test("a node that leaves out the logs of a block decides nothing", async () => {
  const { chain } = world();
  const scene = await openMarked("ShortToken");
  const id = await scene.ask("100");
  let isHiding = true;
  const hiding = {
    ...chain,
    block: async (...of: Parameters<typeof chain.block>) => {
      const block = await chain.block(...of);
      return block && (isHiding ? { ...block, transfers: [] } : block);
    },
  };
  const process = scene.startProcess({ chain: hiding });
  await scene.settle(process);
  expect(await scene.statusOf(id)).toBe("broadcast");
  expect(scene.alarms).toEqual([]);
  isHiding = false;
  scene.clock.advance(20_000);
  await scene.settle(process);
  expect(await scene.statusOf(id)).toBe("confirmed");
});

test("a log that nothing stands behind proves nothing: people decide", async () => {
  const scene = await openMarked("EmptyToken");
  const id = await scene.ask("100");
  await scene.settle();
  expect(await scene.statusOf(id)).toBe("broadcast");
  expect(scene.alarms).toContainEqual([
    "unclear_transfer",
    expect.objectContaining({ withdrawal_id: id, left_raw: "0" }),
  ]);
});
