// One chain for a file, and on it for each test a scene of its own with the process of a shop. Who
// imports these three sees what stands there while a test runs.

import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { checksumAddress } from "../../service/evm-address.ts";
import { openDatabase, type Engine } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { query } from "../support/service-parts.ts";
import { accountOf } from "../support/test-accounts.ts";
import { authorize, payer, type SigningWish, stranger } from "./payers.ts";
import { openScene, price, type Process, type Scene, startX402Chain } from "./scene.ts";
import { approvePermit2 } from "../support/permit2.ts";

export let local: TestChain;
export let scene: Scene;
export let shop: Process;

export interface StageWish {
  /** the payer has allowed Permit2 to move the token */
  readonly isPermitted?: boolean;
}

/** Call it once at the top of a file. */
export function useStage({ isPermitted = false }: StageWish = {}): void {
  beforeAll(async () => {
    local = await startX402Chain();
    await local.mint(payer.address, 10n ** 12n);
    if (isPermitted) await approvePermit2(local, payer.address);
  });
  afterAll(() => local.close());
  beforeEach(() => setStage("PostgreSQL"));
}

/** Another one in place of what is there. */
export async function setStage(engine: Engine): Promise<void> {
  scene = await openScene(await openDatabase(engine), local);
  shop = scene.startProcess();
}

/** A payment, and what the payer signs for it. */
export async function signedPayment(wish: SigningWish = {}) {
  const id = await scene.addPayment();
  return { id, command: await authorize(scene, id, wish) };
}

let addresses = 0;

/** To the address of the payment, by anybody; mined and read. */
export async function sendTo(id: string, amountRaw: bigint): Promise<void> {
  addresses += 1;
  const to = checksumAddress(`0x${addresses.toString(16).padStart(40, "d")}`);
  await query(scene.database)`insert into deposit_addresses
      (chain_family, derivation_index, address, payment_id, created_at)
    values ('evm', ${addresses}, ${to}, ${id}, ${scene.clock.now()}) returning address`;
  await local.mint(stranger.address, amountRaw);
  await local.transfer({ from: stranger.address, to, amountRaw });
  await scene.mine();
  await scene.watch();
}

/** A request that does not wait: nothing is mined while it runs. */
export const impatient = () => scene.startProcess({ waitMilliseconds: 0 });

/** A payer whose tokens are gone as soon as a block is mined, and a process that mines while it waits. */
export async function addDrainer(secret: string) {
  const drainer = accountOf(`0x${secret.repeat(32)}`);
  await local.giveCoin(drainer.address, 10n ** 20n);
  const refill = () => local.mint(drainer.address, price);
  await refill();
  const drained = scene.startProcess({
    onPause: async () => {
      if ((await local.balanceOf(drainer.address)) > 0n) await scene.drain(drainer);
      return local.mine();
    },
  });
  return { drainer, x402: drained.x402, refill };
}

/** What was used in a transaction that is mined becomes final. */
export async function finalize(): Promise<void> {
  await scene.watch();
  await shop.reconcile();
  await scene.mine(4);
  await scene.watch();
}

export async function expectPaid(id: string): Promise<void> {
  await finalize();
  expect(await scene.status(id)).toBe("paid");
  expect(await scene.differences()).toEqual([]);
}
