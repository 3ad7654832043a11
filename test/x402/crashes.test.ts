// A process is killed at each step of a settlement; whoever comes next finds out from the stored rows
// what was begun, and the payer is charged once.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { programEnvironment } from "../programs/child.ts";
import { makePostgresDatabase, type MadePostgresDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { settlementAddress } from "./action-signer.ts";
import { authorize, payer } from "./payers.ts";
import { merchant, openScene, price, startX402Chain, type Scene } from "./scene.ts";

let local: TestChain;
let made: MadePostgresDatabase;
let database: OpenedDatabase;
let scene: Scene;

beforeAll(async () => {
  local = await startX402Chain();
  await local.mint(payer.address, 10n ** 12n);
  made = await makePostgresDatabase();
  database = await openPostgres({ url: made.url, connectionsMax: 4 });
  scene = await openScene(database, local);
});
afterAll(async () => {
  await database.close();
  await made.remove();
  await local.close();
});

function requestOf({ paymentId, payload, requirements }: SettleCommand) {
  const { signature, from, to, amountRaw, validAfter, validBefore, nonce } = payload;
  const times = { valid_after: Number(validAfter), valid_before: Number(validBefore) };
  return {
    payment_id: paymentId,
    payment_payload: {
      signature,
      authorization: { from, to, value: amountRaw.toString(), ...times, nonce },
    },
    payment_requirements: {
      scheme: requirements.scheme,
      network: requirements.network,
      asset: requirements.asset,
      pay_to: requirements.payTo,
      max_amount_required: requirements.maxAmountRaw.toString(),
      resource: "https://shop.example/1",
      nonce: requirements.nonce,
      valid_before: Number(requirements.validBefore),
    },
  };
}

/** The signal that ended it, and what it said. Without a command it sends what is queued. */
async function runWorker(command: SettleCommand | undefined, point: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "dying-worker.ts")], {
    env: {
      ...programEnvironment(),
      WORKER_DATABASE: made.url,
      WORKER_CHAIN: local.url,
      WORKER_CHAIN_ID: local.chainId,
      WORKER_NOW: String(scene.clock.nowMilliseconds()),
      WORKER_REQUEST: command === undefined ? "" : JSON.stringify(requestOf(command)),
      WORKER_POINT: point,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  // Of the process: its code and its signal.
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  return { signal, said };
}

const points = ["accepted", "leased", "claimed", "signed", "stored", "sent", "asked", "written"];

describe("a process that is killed when its settlement is", () => {
  test.each(points)(
    "%s charges the payer once, whoever goes on",
    async (point) => {
      const before = await local.balanceOf(settlementAddress);
      const id = await scene.addPayment();
      const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 2_000n });
      expect(await runWorker(command, point)).toEqual({ signal: "SIGKILL", said: "" });
      const known = await scene.sentFor(id);
      // What held the account has died with it.
      scene.clock.advance(61_000);
      const other = scene.startProcess({ waitMilliseconds: 0 });
      const jobs = async (): Promise<void> => {
        await other.reconcile();
        await other.send();
        await scene.mine();
        await scene.watch();
      };
      for (let round = 0; round < 3; round++) await jobs();
      const result = await other.x402.settle(merchant, command);
      expect(result).toMatchObject({ isSettled: true, isReplayed: true });
      for (let round = 0; round < 3; round++) await jobs();
      expect(await scene.status(id)).toBe("paid");
      const sent = await scene.sentFor(id);
      expect(sent).toEqual([result.txHash]);
      if (known.length > 0) expect(sent).toEqual(known);
      expect(await local.balanceOf(settlementAddress)).toBe(before + price);
      expect(await scene.differences()).toEqual([]);
    },
    40_000,
  );
});

describe("a process that is killed when a rest goes back to its payer", () => {
  test.each(["claimed", "signed", "stored", "sent"])(
    "%s gives it back once, whoever goes on (threat 48)",
    async (point) => {
      const before = await local.balanceOf(payer.address);
      const id = await scene.addPayment();
      const shop = scene.startProcess();
      await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
      await scene.reportUsage(shop, id, "10");
      await scene.watch();
      await shop.reconcile();
      await scene.mine(4);
      await scene.watch();
      expect(await scene.status(id)).toBe("paid");
      expect(await scene.sentFor(id)).toHaveLength(1);
      expect(await runWorker(undefined, point)).toEqual({ signal: "SIGKILL", said: "" });
      // What held the account has died with it.
      scene.clock.advance(61_000);
      const other = scene.startProcess();
      for (let round = 0; round < 3; round++) {
        await other.send();
        await scene.mine(4);
        await other.confirm();
      }
      expect(await scene.sentFor(id)).toHaveLength(2);
      expect(await local.balanceOf(payer.address)).toBe(before - 10_000_000n);
      const told = (await scene.events(id)).filter((type) => type === "x402.released");
      expect(told).toHaveLength(1);
      expect(await scene.differences()).toEqual([]);
    },
    40_000,
  );
});
