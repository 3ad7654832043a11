// What becomes of an accepted authorization when things do not go as they should: late blocks, other
// people's transactions, payers who change their mind, tokens that keep a part (threats 31, 39, 40 and
// 43 to 46).

import { describe, expect, test } from "vitest";
import type { Hex } from "viem";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { nonceOf } from "../../service/x402/requirements.ts";
import { piecesOf, signCancel } from "../local-chain/signing.ts";
import { openDatabase } from "../support/engines.ts";
import { settlementAddress } from "./action-signer.ts";
import { authorize, payer, stranger } from "./payers.ts";
import {
  deploymentId,
  localCurrencies,
  merchant,
  openScene,
  price,
  startProcess,
} from "./scene.ts";
import { expectRefusal } from "../support/refusal.ts";
import { submit } from "./strangers.ts";
import {
  impatient,
  shop,
  signedPayment,
  expectPaid,
  local,
  scene,
  useStage,
  addDrainer,
} from "./stage.ts";

useStage({ isPermitted: true });

async function cancel({ payload }: SettleCommand): Promise<Hex> {
  const nonce = payload.nonce as Hex;
  const [v, r, s] = piecesOf(await signCancel(local, payer, nonce));
  return local.write(stranger.address, {
    contract: "TestUSD",
    address: local.usdAddress,
    functionName: "cancelAuthorization",
    parameters: [payer.address, nonce, v, r, s],
  });
}

describe("a request whose transaction is not mined yet", () => {
  test("hears its hash and that nothing is known; the same again settles, and sends nothing", async () => {
    const { x402 } = impatient();
    const { id, command } = await signedPayment();
    const first = await x402.settle(merchant, command);
    const [hash] = await scene.sent();
    expect(first).toEqual({ paymentId: id, isSettled: false, txHash: hash, isReplayed: false });
    expect(await x402.settle(merchant, command)).toMatchObject({ isSettled: false, txHash: hash });

    await scene.mine();
    const again = await x402.settle(merchant, command);
    expect(again).toEqual({ paymentId: id, isSettled: true, txHash: hash, isReplayed: true });
    expect(await scene.sent()).toEqual([hash]);
    await expectPaid(id);
    expect(await x402.settle(merchant, command)).toMatchObject({ isSettled: true, txHash: hash });
  });

  test("keeps every other authorization of the payment out (threat 45)", async () => {
    const { x402 } = impatient();
    const id = await scene.addPayment();
    const { txHash } = await x402.settle(merchant, await authorize(scene, id));
    const second = await authorize(scene, id);
    await expectRefusal(x402.settle(merchant, second), "settlement_in_progress", {
      tx_hash: txHash,
    });
    await scene.mine();
    await shop.reconcile();
    await expectRefusal(x402.settle(merchant, second), "payment_already_settled", {
      tx_hash: txHash,
    });
    expect(await scene.sent()).toEqual([txHash]);
  });

  test("is settled by the job, if nobody asks again", async () => {
    const { x402 } = impatient();
    const id = await scene.addPayment();
    await x402.settle(merchant, await authorize(scene, id));
    await scene.mine();
    await scene.watch();
    await shop.reconcile();
    expect(await scene.settlements(id)).toMatchObject([{ status: "settled" }]);
    await expectPaid(id);
  });
});

describe("the same authorization", () => {
  test("with the other signature of the twins is the same request (threat 39)", async () => {
    const { command } = await signedPayment();
    const first = await shop.x402.settle(merchant, command);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const { signature } = command.payload;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const v = signature.endsWith("1b") ? "1c" : "1b";
    const twin = { ...command.payload, signature: `${signature.slice(0, 66)}${s}${v}` };
    const again = await shop.x402.settle(merchant, { ...command, payload: twin });
    expect(again).toEqual({ ...first, isReplayed: true });
    expect(await scene.sent()).toHaveLength(1);
  });

  test.each<readonly [string, Partial<SettleCommand["payload"]>]>([
    ["x402_recipient_mismatch", { to: stranger.address }],
    ["x402_amount_mismatch", { amountRaw: 1n }],
    ["x402_invalid_signature", { validAfter: 1n }],
  ])("with something changed is %s, and no success (threat 46)", async (code, change) => {
    const { command } = await signedPayment();
    await shop.x402.settle(merchant, command);
    // It is one of the two forms still.
    const payload = { ...command.payload, ...change } as SettleCommand["payload"];
    await expectRefusal(shop.x402.settle(merchant, { ...command, payload }), code);
  });

  test("pays for one payment, whoever asks for another (threat 40)", async () => {
    const id = await scene.addPayment();
    const other = await scene.addPayment();
    const command = await authorize(scene, id);
    await shop.x402.settle(merchant, command);
    await expectRefusal(
      shop.x402.settle(merchant, { ...command, paymentId: other }),
      "x402_authorization_used",
    );
    expect(await scene.status(other)).toBe("pending");
    // Where the nonce is the one that we asked for, it says which payment it is for.
    const third = await scene.addPayment();
    const own = await authorize(scene, third, { nonce: nonceOf(third, deploymentId) });
    const { nonce } = own.payload;
    const extra = { nonce };
    const requirements = { ...own.requirements, extra };
    const wrong = shop.x402.settle(merchant, { ...own, paymentId: other, requirements });
    await expect(wrong).rejects.toMatchObject({ details: { field: "extra.nonce" } });
  });
});

describe("somebody else's transaction (threat 43)", () => {
  test("before we were asked settles the payment with its hash", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { nonce: nonceOf(id, deploymentId) });
    const foreign = await submit(command);
    await scene.mine();
    const result = await shop.x402.settle(merchant, command);
    expect(result).toMatchObject({ isSettled: true, txHash: foreign });
    expect(await scene.sent()).toEqual([]);
    await expectPaid(id);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
  });

  test("before ours is mined settles it too, and ours fails for nothing", async () => {
    const { id, command } = await signedPayment();
    const { x402 } = impatient();
    const foreign = { hash: "" };
    await local.rpc("anvil_setBalance", [stranger.address, "0x56bc75e2d63100000"]);
    // It pays more, so it comes first.
    await x402.settle(merchant, command);
    await local.rpc("anvil_dropAllTransactions", []);
    foreign.hash = await submit(command);
    await scene.mine();
    const result = await shop.x402.settle(merchant, command);
    expect(result).toMatchObject({ isSettled: true, txHash: foreign.hash });
    // The stored bytes are sent all the same, since their number must not stay free.
    await shop.send();
    await scene.mine();
    await expectPaid(id);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
  });
});

describe("a payer who changes their mind (threat 44)", () => {
  test("by cancelling before it is asked for is refused", async () => {
    const { id, command } = await signedPayment();
    const hash = await cancel(command);
    await scene.mine();
    await expectRefusal(shop.x402.settle(merchant, command), "x402_authorization_cancelled", {
      tx_hash: hash,
    });
    expect(await scene.settlements(id)).toEqual([]);
  });

  test("by cancelling in between: refused, and in the way of others until that is final", async () => {
    const { id, command } = await signedPayment();
    const { x402 } = impatient();
    await x402.settle(merchant, command);
    await local.rpc("anvil_dropAllTransactions", []);
    await cancel(command);
    await scene.mine();
    const code = "x402_authorization_cancelled";
    await expect(x402.settle(merchant, command)).rejects.toMatchObject({ code });
    const second = await authorize(scene, id);
    await expectRefusal(x402.settle(merchant, second), "settlement_in_progress");
    await scene.mine(3);
    await shop.reconcile();
    expect(await scene.status(id)).toBe("pending");
    expect(await scene.events(id)).toContain("x402.settlement_failed");
    await expect(x402.settle(merchant, command)).rejects.toMatchObject({ code });
    expect((await shop.x402.settle(merchant, second)).isSettled).toBe(true);
  });

  test("by emptying the account: refused with the hash, and payable again when that is final", async () => {
    const { drainer, x402 } = await addDrainer("33");
    const { id, command } = await signedPayment({ payer: drainer });
    await expectRefusal(x402.settle(merchant, command), "x402_reverted");
    const [settlement] = await scene.settlements(id);
    expect(settlement).toMatchObject({ status: "refused", reason: "x402_reverted" });
    expect(await scene.status(id)).toBe("confirming");
    // Looked at again it is what it was.
    expect(await shop.reconcile()).toBe(0);
    await scene.mine(3);
    expect(await shop.reconcile()).toBe(1);
    expect(await scene.status(id)).toBe("pending");
    expect(await scene.eventData(id, "x402.settlement_failed")).toMatchObject({
      status: "pending",
      x402: { reason: "x402_reverted", tx_hash: settlement?.tx_hash },
    });
    await expectRefusal(x402.settle(merchant, command), "x402_reverted", {
      tx_hash: settlement?.tx_hash,
      x402_reason: "invalid_exact_evm_transaction_failed",
    });
    const other = await authorize(scene, id);
    expect((await shop.x402.settle(merchant, other)).isSettled).toBe(true);
    await expectPaid(id);
  });

  test("what failed and is used all the same is the payment's money", async () => {
    const { drainer, x402, refill } = await addDrainer("44");
    const { id, command } = await signedPayment({ payer: drainer });
    await expect(x402.settle(merchant, command)).rejects.toMatchObject({ code: "x402_reverted" });
    await scene.mine(3);
    await shop.reconcile();
    expect(await scene.status(id)).toBe("pending");
    await refill();
    await submit(command);
    await scene.mine();
    await scene.watch();
    scene.clock.advance(60_000);
    await shop.reconcile();
    expect(await scene.status(id)).toBe("confirming");
    await scene.mine(4);
    await scene.watch();
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.differences()).toEqual([]);
  });
});

describe("a token that keeps a part of what it moves (threat 31)", () => {
  test("is refused, and what came is the merchant's, apart from everything", async () => {
    const feeToken = await local.deploy("FeeToken");
    const call = { contract: "FeeToken", address: feeToken };
    await local.write(payer.address, {
      ...call,
      functionName: "mint",
      parameters: [payer.address, price],
    });
    await local.mine();
    const { permit2Address } = await import("../../adapters/evm/calldata.ts");
    const parameters = [permit2Address, 2n ** 255n];
    await local.write(payer.address, { ...call, functionName: "approve", parameters });
    await local.mine();
    const currencies = localCurrencies().map((currency) => ({
      ...currency,
      deployments: currency.deployments.map((one) =>
        one.id === deploymentId
          ? {
              ...one,
              contractAddress: feeToken,
              assetLocator: `${local.chainId}/erc20:${feeToken}`,
            }
          : one,
      ),
    }));
    const fees = await openScene(await openDatabase("PostgreSQL"), local, currencies);
    const process = fees.startProcess();
    const id = await fees.addPayment({ contractAddress: feeToken });
    const command = await authorize(fees, id, { method: "permit2", asset: feeToken });
    await expectRefusal(process.x402.settle(merchant, command), "x402_transfer_mismatch");
    await fees.watch();
    await process.reconcile();
    await fees.mine(4);
    await fees.watch();
    await process.reconcile();
    expect(await fees.settlements(id)).toMatchObject([
      { status: "failed", reason: "x402_transfer_mismatch" },
    ]);
    expect(await fees.status(id)).toBe("pending");
    const came = await local.balanceOf(settlementAddress, feeToken);
    expect(await fees.balances()).toEqual({
      "chain:settlement": came,
      "merchant:unmatched": came,
    });
    expect(await fees.differences()).toEqual([]);
  });
});

describe("a settlement that the database has no time for", () => {
  test("keeps no younger one from being looked at", async () => {
    const older = await signedPayment();
    await impatient().x402.settle(merchant, older.command);
    const younger = await signedPayment();
    await impatient().x402.settle(merchant, younger.command);
    await scene.mine();
    const [stuck] = await scene.settlements(older.id);
    const run: Database["run"] = (statement, values) => {
      const { id } = values as { readonly id?: string };
      const isStuck = statement.name === "read_x402_standing" && id === stuck?.id;
      const error = new ServiceError("service_unavailable", "The service is not available.");
      return isStuck ? Promise.reject(error) : scene.database.run(statement, values);
    };
    const { transaction } = scene.database;
    const hindered = startProcess({ ...scene, database: { run, transaction } }, {});
    for (let round = 0; round < 2; round += 1) {
      await expect(hindered.reconcile()).rejects.toMatchObject({ code: "service_unavailable" });
    }
    expect(await scene.settlements(older.id)).toMatchObject([{ status: "queued" }]);
    expect(await scene.settlements(younger.id)).toMatchObject([{ status: "settled" }]);
    for (const { id } of [older, younger]) await expectPaid(id);
  });
});
