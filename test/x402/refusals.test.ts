// What is refused before anything is stored or sent: each with its code, x402's own word for it, and
// no transaction (threats 39 to 42 and 49).

import { beforeAll, describe, expect, test } from "vitest";
import { uptoProxyAddress } from "../../adapters/local-chain/contract-addresses.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { nonceOf } from "../../service/x402/requirements.ts";
import { openDatabase } from "../support/engines.ts";
import { accountOf } from "../support/test-accounts.ts";
import { settlementAddress } from "./action-signer.ts";
import { authorize, newNonce, otherPayer, payer, stranger } from "./payers.ts";
import type { SigningWish } from "./payers.ts";
import { deploymentId, localCurrencies, merchant, openScene, price } from "./scene.ts";
import type { PaymentWish } from "./scene.ts";
import { expectRefusal } from "../support/refusal.ts";
import { scene, signedPayment, local, shop, useStage, addDrainer } from "./stage.ts";

useStage({ isPermitted: true });
beforeAll(() => local.mint(otherPayer.address, 10n ** 12n));

interface Case {
  readonly payment?: PaymentWish;
  readonly wish?: SigningWish;
  readonly change?: (command: SettleCommand, paymentId: string) => SettleCommand;
}

async function refused({ payment, wish, change = (command) => command }: Case) {
  const id = await scene.addPayment(payment);
  const command = change(await authorize(scene, id, wish), id);
  const before = await local.rpc("eth_getTransactionCount", [settlementAddress, "pending"]);
  const error: unknown = await shop.x402.settle(merchant, command).catch((one: unknown) => one);
  expect(await local.rpc("eth_getTransactionCount", [settlementAddress, "pending"])).toBe(before);
  expect(await scene.settlements(id)).toEqual([]);
  expect(await scene.sent()).toEqual([]);
  expect(await scene.status(id)).toBe("pending");
  return error;
}

const requiring = (more: Partial<SettleCommand["requirements"]>) => (command: SettleCommand) => ({
  ...command,
  requirements: { ...command.requirements, ...more },
});

function paying(more: Readonly<Record<string, unknown>>) {
  return (command: SettleCommand): SettleCommand => ({
    ...command,
    payload: { ...command.payload, ...more },
  });
}

const mismatch = (field: string) => ({
  code: "x402_requirements_mismatch",
  details: { field },
});

describe("requirements that are not those of the payment are refused, by field", () => {
  test.each<readonly [string, Case]>([
    ["network", { change: requiring({ network: "base" }) }],
    ["asset", { change: requiring({ asset: stranger.address }) }],
    ["pay_to", { change: requiring({ payTo: stranger.address }) }],
    ["max_amount_required", { change: requiring({ maxAmountRaw: price + 1n }) }],
    ["nonce", { change: requiring({ nonce: "0x12" }) }],
    ["valid_before", { change: requiring({ validBefore: 4_000_000_000n }) }],
    ["extra.name", { change: requiring({ extra: { name: "USD Coin", version: "2" } }) }],
    ["extra.version", { change: requiring({ extra: { name: "Test USD", version: "1" } }) }],
    [
      "extra.facilitatorAddress",
      { change: requiring({ extra: { facilitatorAddress: stranger.address } }) },
    ],
    ["extra.assetTransferMethod", { change: requiring({ extra: { assetTransferMethod: "x" } }) }],
    ["extra.nonce", { change: requiring({ extra: { nonce: newNonce() } }) }],
    ["extra", { change: requiring({ extra: "name" }) }],
  ])("%s", async (field, one) => {
    expect(await refused(one)).toMatchObject(mismatch(field));
  });

  test("an authorization may not outlive the requirement", async () => {
    const change = (command: SettleCommand): SettleCommand =>
      requiring({ validBefore: command.payload.validBefore - 1n })(command);
    expect(await refused({ change })).toMatchObject(mismatch("valid_before"));
  });

  test("a token of another Permit2 payload is named too", async () => {
    const wish = { method: "permit2" } as const;
    const change = paying({ token: stranger.address });
    expect(await refused({ wish, change })).toMatchObject({
      code: "x402_requirements_mismatch",
      details: { field: "asset", x402_reason: "permit2_token_mismatch" },
    });
  });

  test("what agrees is taken, however it is spelled", async () => {
    const id = await scene.addPayment();
    const nonce = nonceOf(id, deploymentId);
    const command = await authorize(scene, id, { nonce });
    const { payTo, asset } = command.requirements;
    const extra = {
      name: "Test USD",
      version: "2",
      nonce,
      assetTransferMethod: "eip3009",
      facilitatorAddress: payTo.toLowerCase(),
      theirs: 1,
    };
    const spelled = { payTo: payTo.toLowerCase(), asset: asset.toLowerCase(), extra };
    const result = await shop.x402.settle(merchant, requiring(spelled)(command));
    expect(result.isSettled).toBe(true);
  });
});

const high = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same message by the same key. */
function twinOf(signature: string): string {
  const s = high - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith("1b") ? "1c" : "1b";
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${v}`;
}

describe("authorizations that are not what was required are refused", () => {
  const permit2 = { method: "permit2" } as const;
  const upto = { scheme: "upto", method: "permit2" } as const;
  const now = Math.floor(Date.parse("2026-01-01T00:00:00Z") / 1000);

  test.each<readonly [string, string, Case]>([
    [
      "x402_payload_scheme_mismatch",
      "invalid_permit2_spender",
      { wish: permit2, change: paying({ spender: uptoProxyAddress }) },
    ],
    [
      "x402_payload_scheme_mismatch",
      "unsupported_payload_type",
      { wish: permit2, change: paying({ facilitator: settlementAddress }) },
    ],
    [
      "x402_facilitator_mismatch",
      "upto_facilitator_mismatch",
      { wish: upto, change: paying({ facilitator: null }) },
    ],
    [
      "x402_facilitator_mismatch",
      "upto_facilitator_mismatch",
      { wish: upto, change: paying({ facilitator: stranger.address }) },
    ],
    [
      "x402_not_yet_valid",
      "invalid_exact_evm_payload_authorization_valid_after",
      { wish: { validAfter: BigInt(now + 86_400) } },
    ],
    [
      "x402_not_yet_valid",
      "permit2_not_yet_valid",
      { wish: { ...permit2, validAfter: 4n ** 20n } },
    ],
    [
      "x402_expired",
      "invalid_exact_evm_payload_authorization_valid_before",
      { wish: { validBefore: BigInt(now + 15) } },
    ],
    ["x402_expired", "permit2_deadline_expired", { wish: { ...permit2, validBefore: 1n } }],
    [
      "x402_amount_mismatch",
      "invalid_exact_evm_payload_authorization_value_mismatch",
      {
        wish: { amountRaw: price + 1n },
        change: requiring({ maxAmountRaw: price }),
      },
    ],
    [
      "x402_amount_mismatch",
      "permit2_amount_mismatch",
      { wish: { ...permit2, amountRaw: price - 1n }, change: requiring({ maxAmountRaw: price }) },
    ],
    [
      "x402_recipient_mismatch",
      "invalid_exact_evm_recipient_mismatch",
      { wish: { to: stranger.address } },
    ],
    ["x402_nonce_mismatch", "invalid_payload", { change: paying({ nonce: newNonce() }) }],
    ["x402_nonce_mismatch", "invalid_payload", { change: paying({ nonce: "1" }) }],
    [
      "x402_invalid_signature",
      "invalid_exact_evm_signature",
      { change: paying({ from: stranger.address }) },
    ],
    ["x402_invalid_signature", "invalid_exact_evm_signature", { change: paying({ from: "0x12" }) }],
    [
      "x402_invalid_signature",
      "invalid_permit2_signature",
      { wish: permit2, change: paying({ validAfter: 1n }) },
    ],
    [
      "x402_insufficient_funds",
      "invalid_exact_evm_insufficient_balance",
      { wish: { payer: accountOf(`0x${"11".repeat(32)}`) } },
    ],
    [
      "x402_allowance_required",
      "permit2_allowance_required",
      { wish: { ...permit2, payer: otherPayer } },
    ],
  ])("%s %s", async (code, x402_reason, one) => {
    expect(await refused(one)).toMatchObject({ code, details: { x402_reason } });
  });

  test("an upto authorization that nobody may settle names the scheme", async () => {
    const noUpto = await openScene(
      await openDatabase("PostgreSQL"),
      local,
      localCurrencies(withoutX402),
    );
    const id = await noUpto.addPayment();
    const { x402 } = noUpto.startProcess();
    const settling = x402.settle(merchant, await authorize(noUpto, id, upto));
    await expect(settling).rejects.toMatchObject(mismatch("scheme"));
  });

  test("a payer who is blocked, or a token that is paused, fails in the simulation", async () => {
    const snapshot = await local.snapshot();
    await local.write(local.ownerAddress, {
      contract: "TestUSD",
      address: local.usdAddress,
      functionName: "setBlocked",
      parameters: [payer.address, true],
    });
    await local.mine();
    expect(await refused({})).toMatchObject({
      code: "x402_simulation_failed",
      details: { x402_reason: "invalid_exact_evm_transaction_simulation_failed" },
    });
    await local.revert(snapshot);
  });

  test("a signature with s in its upper half is none (threat 39)", async () => {
    const change = (command: SettleCommand): SettleCommand =>
      paying({ signature: twinOf(command.payload.signature) })(command);
    expect(await refused({ change })).toMatchObject({ code: "x402_invalid_signature" });
  });

  test("v as 0 or 1 is the same as 27 or 28", async () => {
    const { command } = await signedPayment();
    const { signature } = command.payload;
    const v = signature.endsWith("1b") ? "00" : "01";
    const short = paying({ signature: `${signature.slice(0, 130)}${v}` })(command);
    expect((await shop.x402.settle(merchant, short)).isSettled).toBe(true);
  });

  test("an authorization for another chain or another token is not the payer's here (threat 41)", async () => {
    const other = await authorize(scene, await scene.addPayment(), { asset: stranger.address });
    const change = (command: SettleCommand): SettleCommand => ({
      ...command,
      payload: { ...other.payload, nonce: command.payload.nonce },
    });
    expect(await refused({ change })).toMatchObject({ code: "x402_invalid_signature" });
  });
});

/** The deployment of the local chain, with everything of x402 unverified. */
function withoutX402(text: string): string {
  return text.replaceAll(
    /("scope": ?"x402","key": ?"\w+","status": ?)"supported"/g,
    '$1"unverified"',
  );
}

describe("payments that cannot be settled", () => {
  test("unknown, and those of others, are not found", async () => {
    const { command } = await signedPayment();
    const { x402 } = shop;
    const notFound = { code: "payment_not_found" };
    const other = { merchantId: "mer_partner", environment: "test" } as const;
    await expect(x402.settle(other, command)).rejects.toMatchObject(notFound);
    const live = { ...merchant, environment: "live" } as const;
    await expect(x402.settle(live, command)).rejects.toMatchObject(notFound);
    for (const paymentId of ["pay_none", "nothing", "pay_\u0001"]) {
      await expect(x402.settle(merchant, { ...command, paymentId })).rejects.toMatchObject(
        notFound,
      );
    }
  });

  test("on a chain that is not connected nothing is decided", async () => {
    const id = await scene.addPayment();
    const { x402 } = scene.startProcess({ isAlone: true });
    await expectRefusal(x402.settle(merchant, await authorize(scene, id)), "chain_unavailable");
    expect(await scene.status(id)).toBe("pending");
  });

  test("one whose time is over by the time of the chain is not payable", async () => {
    const id = await scene.addPayment({ lifeMilliseconds: 5_000 });
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 300n });
    await scene.mine(10);
    await expectRefusal(shop.x402.settle(merchant, command), "payment_not_payable");
  });
});

test("a payer whose authorizations keep failing on the chain has to wait", async () => {
  const { drainer, x402, refill } = await addDrainer("22");
  for (let count = 0; count < 3; count++) {
    // It is drained between the check and the block.
    const { command } = await signedPayment({ payer: drainer });
    await expectRefusal(x402.settle(merchant, command), "x402_reverted");
    await refill();
  }
  const { command } = await signedPayment({ payer: drainer });
  const settling = shop.x402.settle(merchant, command);
  await expectRefusal(settling, "rate_limited", { policy: "x402_payer" });
  expect(await scene.sent()).toHaveLength(3);
});
