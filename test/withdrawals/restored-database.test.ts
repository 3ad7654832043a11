// A database from a backup that is older than the first nonce of an account knows of none, and the
// chain and the signer do. Nothing is paid a second time, with nothing scripted (threat 19).

import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { openChainScene, useChain } from "./on-chain.ts";
import type { ChainScene } from "./on-chain.ts";
import { finalBlocks, whole } from "./scene.ts";

const world = useChain();
let scene: ChainScene;
let names = 0;
let address: string;

interface Asked {
  readonly owner: Owner;
  readonly id: string;
}

/** The same in each database: what the merchant had asked for when the backup was made. */
async function ask(one: ChainScene): Promise<Asked> {
  const owner = await one.newOwner();
  await one.fund(owner, 1000n * whole);
  const { id: addressId } = await one.register(owner, address);
  return { owner, id: (await one.request(owner, addressId, "100")).id };
}

const settle = async (one: ChainScene): Promise<void> => {
  const process = one.startProcess();
  for (let round = 0; round < 2; round++) {
    await process.send();
    await world().node.mine(finalBlocks);
    one.clock.advance(20_000);
    await process.confirm();
  }
};
const alarms = (one: ChainScene) => one.alarms.map(([what]) => what);

beforeEach(async () => {
  address = addressOf(`restored ${++names}`);
  scene = await openChainScene(world());
});

describe("a backup from before the first nonce of the account", () => {
  const restore = () => openChainScene(world(), { isRestored: true });

  test("pays nothing again that the chain has mined, until somebody has looked", async () => {
    const { id } = await ask(scene);
    await settle(scene);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.arrived(address)).toBe(100n * whole);

    const restored = await restore();
    const again = await ask(restored);
    await settle(restored);
    expect(await restored.arrived(address)).toBe(100n * whole);
    expect(await restored.statusOf(again.id)).toBe("pending");
    expect(await restored.nonces()).toEqual([]);
    expect(alarms(restored)).toEqual(["account_used_by_others"]);

    // Somebody has looked, and rejected what was paid already.
    await restored.policy.reject(again.id, "it was paid after the backup");
    await restored.policy.resume(world().chain.chainId);
    address = addressOf(`after the restore ${names}`);
    const next = await ask(restored);
    await settle(restored);
    expect(await restored.statusOf(next.id)).toBe("confirmed");
    expect(await restored.arrived(address)).toBe(100n * whole);
    expect(alarms(restored)).toEqual(["account_used_by_others"]);
  });

  test("pays nothing again that was signed, and that the nodes have lost", async () => {
    const { node } = world();
    const { id } = await ask(scene);
    await scene.startProcess().send();
    const [sent] = await scene.attempts(id);
    await node.rpc("anvil_dropTransaction", [sent?.tx_hash]);

    const restored = await restore();
    // What an operator found and settled before; what was signed since is another find.
    await restored.lookAtAccount();
    const again = await ask(restored);
    await settle(restored);
    expect(await restored.statusOf(again.id)).toBe("pending");
    expect(await restored.arrived(address)).toBe(0n);
    expect(alarms(restored)).toEqual(["account_used_by_others"]);
    const [, facts] = restored.alarms[0] ?? [];
    expect(facts).toMatchObject({ signed_count: String((sent?.nonce ?? -1n) + 1n) });
    // The one that knows of it brings it to its end.
    await settle(scene);
    expect(await scene.arrived(address)).toBe(100n * whole);
  });

  test("is told by which transaction it was paid, and books its gas", async () => {
    const { id } = await ask(scene);
    await settle(scene);
    const [sent] = await scene.attempts(id);

    const restored = await restore();
    const { hotAddress: account } = world().signer.accounts;
    await rememberOwnAccounts(restored, [{ account, role: "hot" }]);
    const again = await ask(restored);
    await settle(restored);
    expect(await restored.statusOf(again.id)).toBe("pending");
    const txHash = sent?.tx_hash ?? "";
    const { transaction } = await restored.forgotten.remember(again.id, txHash, "paid before");
    expect(transaction).toMatchObject({ account, nonce: sent?.nonce, isSuccess: true });
    await settle(restored);
    expect(await restored.statusOf(again.id)).toBe("confirmed");
    expect(await restored.arrived(address)).toBe(100n * whole);
    expect(await restored.balance(again.owner, "merchant:available")).toBe(900n * whole);
    expect(await restored.isLedgerWhole()).toBe(true);
    const gasOf = async ({ database }: ChainScene) => {
      const [row] = await query(database)<{ raw: string | null }>`
        select gas_raw::text as raw from outgoing_transactions where tx_hash = ${txHash}`;
      return row?.raw;
    };
    expect(await gasOf(restored)).toMatch(/^[1-9]/);
    expect(await gasOf(restored)).toBe(await gasOf(scene));
  });

  test("shows what had its nonce when the backup was made, and was sent since, also where all is stopped", async () => {
    const { chain, signer } = world();
    const { id } = await ask(scene);
    const sent: Uint8Array[] = [];
    // The database is one of a moment after the nonce was reserved, and before what was signed was stored.
    const process = scene.startProcess({
      signer: {
        ...signer,
        signAction: async (chainId, intent) => {
          const signed = await signer.signAction(chainId, intent);
          sent.push(signed.raw);
          throw new Error("the backup is of now");
        },
      },
    });
    await expect(process.send()).rejects.toThrow("the backup is of now");
    for (const raw of sent) await chain.send(raw);
    await world().node.mine();
    expect(await scene.arrived(address)).toBe(100n * whole);
    // Another account was found out first.
    await scene.policy.stop(chain.chainId, "look at what was sent");
    expect(await scene.statusOf(id)).toBe("processing");
    scene.clock.advance(60_000);
    await scene.startProcess().send();
    expect(alarms(scene)).toContain("account_used_by_others");
    // Now it can be rejected before anything is resumed.
    expect(await scene.statusOf(id)).toBe("pending");
    await scene.policy.reject(id, "it was paid after the backup");
    await scene.policy.resume(chain.chainId);
    await settle(scene);
    expect(await scene.arrived(address)).toBe(100n * whole);
  });

  test("gives nothing back that was sent with fees that were raised since", async () => {
    const { chain, signer, node } = world();
    const { owner, id } = await ask(scene);
    const intents: ActionIntent[] = [];
    const process = scene.startProcess({
      signer: {
        ...signer,
        signAction: async (chainId, intent) => {
          intents.push(intent);
          return await signer.signAction(chainId, intent);
        },
      },
    });
    await process.send();
    // The backup is of now; then the process that was lost has raised the fees, and that one was mined.
    const [first] = await scene.attempts(id);
    await node.rpc("anvil_dropTransaction", [first?.tx_hash]);
    const [intent] = intents;
    if (intent === undefined) throw new Error("nothing was signed");
    const { maxFeePerGas, maxPriorityFeePerGas } = intent.fees;
    const fees = {
      maxFeePerGas: 2n * maxFeePerGas,
      maxPriorityFeePerGas: 2n * maxPriorityFeePerGas,
    };
    const raised = await signer.signAction(chain.chainId, { ...intent, fees });
    await chain.send(raised.raw);
    await node.mine();
    for (let round = 0; round < 2; round++) await settle(scene);
    expect(await scene.arrived(address)).toBe(100n * whole);
    // By the nonce alone it would have failed, and its merchant could withdraw the same money again.
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
    expect(alarms(scene)).toContain("number_used_by_another");
    expect(alarms(scene)).toContain("unclear_transfer");
    const { as } = await scene.forgotten.remember(id, raised.txHash, "the fees were raised");
    expect(as).toBe("further");
    await settle(scene);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("a process that died between reserving and storing is no such find", async () => {
    const { id } = await ask(scene);
    const signer = world().signer;
    const dying = scene.startProcess({
      signer: {
        ...signer,
        signAction: async (chainId, intent) => {
          await signer.signAction(chainId, intent);
          throw new Error("it died here");
        },
      },
    });
    await expect(dying.send()).rejects.toThrow("it died here");
    await settle(scene);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(alarms(scene)).toEqual(["signer_refuses"]);
  });
});
