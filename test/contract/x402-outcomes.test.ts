// What x402 refuses with 402, and what is in the way of a settlement: every code really produced, on a
// real chain. The rules themselves are those of one engine; test/x402 has the rest of them.

import { describe, expect, onTestFinished, vi } from "vitest";
import { uptoProxyAddress } from "../../adapters/local-chain/contract-addresses.ts";
import { piecesOf, signCancel } from "../local-chain/signing.ts";
import { type Answer, bodyOf, errorOf } from "../support/contract-answers.ts";
import { buildAsker } from "../support/contract-asker.ts";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { type Merchant, useService } from "../support/service.ts";
import { accountOf, type TestAccount, testAccounts } from "../support/test-accounts.ts";
import {
  localPayment,
  priceRaw,
  settlementOf,
  type SettlementWish,
} from "../support/x402-resources.ts";
import { settlementAddress } from "../x402/action-signer.ts";
import { accept, orderOf } from "./payment-calls.ts";
import { outcome, testWith } from "./scene.ts";
import { patienceMilliseconds } from "../support/patience.ts";

const service = useService("PostgreSQL", { hasChain: true });
const asker = buildAsker();
const [payer, stranger] = testAccounts;
const anyHash = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;
const now = (): number => Math.floor(Date.now() / 1000);

const settle = (merchant: Merchant, body: JsonObject): Promise<Answer> =>
  asker.ask(merchant, "settleX402Payment", { body });

/** The member at the path, changed. */
function changed(body: JsonObject, [name = "", ...more]: readonly string[], to: Json): JsonObject {
  const inner = more.length === 0 ? to : changed(bodyOf(body[name]), more, to);
  return { ...body, [name]: inner };
}

/** Somebody new with the price in tokens. */
async function newPayer(secret: string): Promise<TestAccount> {
  const account = accountOf(`0x${secret.repeat(32)}`);
  await service.chain.giveCoin(account.address, 10n ** 18n);
  await service.chain.mint(account.address, priceRaw);
  return account;
}

/** Refused, with nothing stored or sent, and the payment as before. */
async function expectRefusal(answer: Answer, body: JsonObject, code: string): Promise<JsonObject> {
  expect(outcome(answer)).toEqual([402, code]);
  const id = body["payment_id"];
  expect(await service.count("select 1 from x402_settlements where payment_id = $1", [id])).toBe(0);
  const payments = await service.query("select status from payments where id = $1", [id]);
  expect(payments).toEqual([{ status: "pending" }]);
  // the details of an error are an object; its type says only what all of them have
  return errorOf(answer.body).details as unknown as JsonObject;
}

const permit2 = { method: "permit2" } as const;
const upto = { scheme: "upto", method: "permit2" } as const;

interface Case {
  readonly code: string;
  readonly reason: string;
  readonly wish?: () => SettlementWish;
  readonly change?: readonly [path: readonly string[], to: Json];
}

const cases: readonly Case[] = [
  {
    code: "x402_payload_scheme_mismatch",
    reason: "invalid_permit2_spender",
    wish: () => permit2,
    change: [["payment_payload", "permit2_authorization", "spender"], uptoProxyAddress],
  },
  {
    code: "x402_facilitator_mismatch",
    reason: "upto_facilitator_mismatch",
    wish: () => upto,
    change: [
      ["payment_payload", "permit2_authorization", "witness", "facilitator"],
      stranger.address,
    ],
  },
  {
    code: "x402_not_yet_valid",
    reason: "invalid_exact_evm_payload_authorization_valid_after",
    wish: () => ({ validAfter: now() + 300 }),
  },
  {
    code: "x402_expired",
    reason: "invalid_exact_evm_payload_authorization_valid_before",
    wish: () => ({ validBefore: now() + 19 }),
  },
  {
    code: "x402_expired",
    reason: "permit2_deadline_expired",
    wish: () => ({ ...permit2, validBefore: now() + 19 }),
  },
  {
    code: "x402_amount_mismatch",
    reason: "invalid_exact_evm_payload_authorization_value_mismatch",
    wish: () => ({ amountRaw: priceRaw + 1n }),
    change: [["payment_requirements", "max_amount_required"], priceRaw.toString()],
  },
  {
    code: "x402_recipient_mismatch",
    reason: "invalid_exact_evm_recipient_mismatch",
    wish: () => ({ to: stranger.address }),
  },
  {
    code: "x402_nonce_mismatch",
    reason: "invalid_payload",
    change: [["payment_payload", "authorization", "nonce"], `0x${"7".repeat(64)}`],
  },
  {
    code: "x402_invalid_signature",
    reason: "invalid_exact_evm_signature",
    change: [["payment_payload", "authorization", "from"], stranger.address],
  },
  {
    code: "x402_requirements_mismatch",
    reason: "invalid_exact_evm_network_mismatch",
    change: [["payment_requirements", "network"], "eip155:1"],
  },
  {
    code: "x402_insufficient_funds",
    reason: "invalid_exact_evm_insufficient_balance",
    wish: () => ({ payer: accountOf(`0x${"11".repeat(32)}`) }),
  },
];

/** Blocks are mined by hand until the test ends. */
async function holdBlocks(): Promise<void> {
  await service.chain.setAutomine(false);
  onTestFinished(() => service.chain.setAutomine(true));
}

async function storedOf(paymentId: Json | undefined) {
  const sql = "select tx_hash, status from x402_settlements where payment_id = $1";
  const [stored] = await service.query(sql, [paymentId]);
  return stored;
}

/** Until the service has sent its transaction. */
async function waitForPool(): Promise<void> {
  const count = (tag: string) =>
    service.chain.rpc("eth_getTransactionCount", [settlementAddress, tag]);
  await vi.waitFor(async () => expect(await count("pending")).not.toBe(await count("latest")), {
    timeout: patienceMilliseconds,
    interval: 20,
  });
}

function describeTerms(): void {
  const test = testWith(service);

  test.for(cases)("402 $code, $reason", async ({ code, reason, wish, change }, { merchant }) => {
    const body = await settlementOf(await localPayment(merchant), wish?.());
    const sent = change === undefined ? body : changed(body, ...change);
    const details = await expectRefusal(await settle(merchant, sent), body, code);
    expect(details).toMatchObject({ x402_reason: reason });
  });

  test("200 with 25 seconds left, of which the chain needs 20", async ({ merchant }) => {
    const body = await settlementOf(await localPayment(merchant), { validBefore: now() + 25 });
    expect((await settle(merchant, body)).status).toBe(200);
  });
}

function describeChecksOfTheChain(): void {
  const test = testWith(service);

  test("402 x402_allowance_required until Permit2 may move the tokens", async ({ merchant }) => {
    const payer = await newPayer("21");
    const body = await settlementOf(await localPayment(merchant), { ...permit2, payer });
    await expectRefusal(await settle(merchant, body), body, "x402_allowance_required");
    await approvePermit2(service.chain, payer.address);
    expect((await settle(merchant, body)).status).toBe(200);
  });

  test("402 x402_simulation_failed while the token refuses the payer", async ({ merchant }) => {
    const payer = await newPayer("22");
    const block = (isBlocked: boolean) =>
      service.chain.write(service.chain.ownerAddress, {
        contract: "TestUSD",
        address: service.chain.usdAddress,
        functionName: "setBlocked",
        parameters: [payer.address, isBlocked],
      });
    const body = await settlementOf(await localPayment(merchant), { payer });
    await block(true);
    await expectRefusal(await settle(merchant, body), body, "x402_simulation_failed");
    await block(false);
    expect((await settle(merchant, body)).status).toBe(200);
  });

  test("402 x402_authorization_used for one that has paid for another payment", async ({
    merchant,
  }) => {
    const first = await settlementOf(await localPayment(merchant));
    expect((await settle(merchant, first)).status).toBe(200);
    const second = { ...first, payment_id: await localPayment(merchant) };
    await expectRefusal(await settle(merchant, second), second, "x402_authorization_used");
  });

  test("402 x402_authorization_cancelled for one that its payer took back, with the hash", async ({
    merchant,
  }) => {
    const { chain } = service;
    const body = await settlementOf(await localPayment(merchant));
    const nonce = textOf(bodyOf(body["payment_requirements"])["nonce"]) as `0x${string}`;
    const [v, r, s] = piecesOf(await signCancel(chain, payer, nonce));
    const hash = await chain.write(stranger.address, {
      contract: "TestUSD",
      address: chain.usdAddress,
      functionName: "cancelAuthorization",
      parameters: [payer.address, nonce, v, r, s],
    });
    const answer = await settle(merchant, body);
    const details = await expectRefusal(answer, body, "x402_authorization_cancelled");
    expect(details).toMatchObject({ tx_hash: hash });
  });
}

function describeBlocks(): void {
  const test = testWith(service);

  test("402 x402_reverted with its hash, when the tokens are gone before the block", async ({
    merchant,
  }) => {
    const { chain } = service;
    const payer = await newPayer("23");
    const body = await settlementOf(await localPayment(merchant), { payer });
    await holdBlocks();
    const asked = settle(merchant, body);
    await waitForPool();
    // It pays more than the service does, so it comes first in the block.
    await chain.rpc("anvil_impersonateAccount", [payer.address]);
    const data = `0xa9059cbb${"00".repeat(12)}${"dead".repeat(10)}${priceRaw.toString(16).padStart(64, "0")}`;
    const drain = { from: payer.address, to: chain.usdAddress, data, gas: "0x30d40" };
    await chain.rpc("eth_sendTransaction", [{ ...drain, gasPrice: "0x174876e800" }]);
    await chain.mine();
    const answer = await asked;
    expect(outcome(answer)).toEqual([402, "x402_reverted"]);
    const stored = await storedOf(body["payment_id"]);
    expect(errorOf(answer.body).details).toMatchObject({
      x402_reason: "invalid_exact_evm_transaction_failed",
      tx_hash: stored?.["tx_hash"],
    });
    expect(stored).toMatchObject({ status: "refused" });
  });

  test("409 settlement_in_progress for another authorization, while the first one waits", async ({
    merchant,
  }) => {
    const id = await localPayment(merchant);
    const first = await settlementOf(id);
    await holdBlocks();
    const asked = settle(merchant, first);
    await vi.waitFor(async () => expect(await storedOf(id)).toMatchObject({ tx_hash: anyHash }), {
      timeout: patienceMilliseconds,
      interval: 20,
    });
    const other = await settle(merchant, await settlementOf(id));
    expect(outcome(other)).toEqual([409, "settlement_in_progress"]);
    await service.chain.mine();
    const { status, body } = await asked;
    expect(status).toBe(200);
    expect(errorOf(other.body).details).toMatchObject({ tx_hash: bodyOf(body)["tx_hash"] });
  });
}

function describePlaces(): void {
  const test = testWith(service);

  test("402 x402_transfer_mismatch for a token that keeps a part of what it moves", async ({
    merchant,
  }) => {
    const { chain } = service;
    const asset = await chain.deploy("FeeToken");
    await chain.mint(payer.address, priceRaw, asset);
    await approvePermit2({ ...chain, usdAddress: asset }, payer.address);
    const move = (to: string) =>
      service.query(
        `with moved as (
            update deployments set contract_address = $1, asset_locator = $2
              where id = 'dep_usdc_local')
          update catalog set version = version + 1`,
        [to, `${chain.chainId}/erc20:${to}`],
      );
    await move(asset);
    onTestFinished(() => move(chain.usdAddress).then(() => undefined));
    const id = await localPayment(merchant);
    const answer = await settle(merchant, await settlementOf(id, { ...permit2, asset }));
    expect(outcome(answer)).toEqual([402, "x402_transfer_mismatch"]);
    expect(errorOf(answer.body).details).toMatchObject({ tx_hash: anyHash });
  });

  test("503 chain_unavailable on a chain that the service is not connected to", async ({
    merchant,
  }) => {
    await service.query(
      `with verified as (
          update capabilities set status = 'supported'
            where deployment_id = 'dep_usdc_base' and key = 'eip3009')
        update catalog set version = version + 1`,
      [],
    );
    await accept(merchant, { cur_usdc: { chain_ids: ["eip155:8453"] } });
    const order = await asker.ask(merchant, "createPayment", { body: orderOf() });
    const { id, quotes } = bodyOf(order.body);
    const local = await settlementOf(textOf(id));
    const [deployment] = bodyOf(bodyOf(quotes)["cur_usdc"])["deployments"] as JsonObject[];
    const asset = deployment?.["contract_address"] ?? null;
    const requirements = { network: "eip155:8453", asset };
    const body = {
      ...local,
      payment_requirements: { ...bodyOf(local["payment_requirements"]), ...requirements },
    };
    const answer = await settle(merchant, body);
    expect(outcome(answer)).toEqual([503, "chain_unavailable"]);
    const rows = await service.query("select status from payments where id = $1", [id]);
    expect(rows).toEqual([{ status: "pending" }]);
  });
}

describe("what is authorized", () => {
  describeTerms();
});
describe("what the chain says before", () => {
  describeChecksOfTheChain();
});
describe("what its blocks bring", () => {
  describeBlocks();
});
describe("where it would be", () => {
  describePlaces();
});
