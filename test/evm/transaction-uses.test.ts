// What a mined transaction says of the authorizations that it has used: by which log, by which call, and
// that another transaction, token, payer or nonce says nothing.

import { describe, expect, test } from "vitest";
import { topicOfAddress } from "../../adapters/evm/answers.ts";
import { encodeAction } from "../../adapters/evm/calldata.ts";
import { topics, type TokenLog } from "../../adapters/evm/logs.ts";
import type { ReadReceipt } from "../../adapters/evm/receipt-reading.ts";
import { isUsedIn, transferLogOf, usesOf } from "../../adapters/evm/transaction-uses.ts";
import type { PaymentAuthorization, Permit2Authorization } from "../../service/ports/signer.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";
import { eip3009, permit2, wordOf } from "./authorizations.ts";

const txHash = hashOf("a transaction");
const blockHash = hashOf("a block");
const own = eip3009();
const [token, payer, us] = [own.contractAddress, own.from, own.to];
const stranger = addressOf("a stranger");

/** Some logs of a transaction, in their order. */
function logsOf(...some: readonly Partial<TokenLog>[]): readonly TokenLog[] {
  const standard = { contractAddress: token, topics: [], data: "0x", blockHash, txHash };
  return some.map((one, index) => ({ ...standard, logIndex: index + 4, ...one }));
}

function used(from = payer, nonce = own.nonce): Partial<TokenLog> {
  return { topics: [topics.authorizationUsed, topicOfAddress(from), nonce] };
}

function moved(from = payer, to = us): Partial<TokenLog> {
  return {
    topics: [topics.transfer, topicOfAddress(from), topicOfAddress(to)],
    data: wordOf(own.amountRaw),
  };
}

interface Mined {
  readonly logs?: readonly TokenLog[];
  readonly isSuccess?: boolean;
  readonly to?: string | null;
  readonly input?: string;
  readonly transfer?: Partial<Permit2Authorization>;
}

function mined({ logs = [], isSuccess = true, to = token, input = "0x", transfer }: Mined) {
  const block = { number: 7n, hash: blockHash, parentHash: hashOf("before"), time: new Date(0) };
  const { contractAddress, from, amountRaw } = { ...own, ...transfer };
  const found: ReadReceipt = {
    receipt: {
      txHash,
      block,
      isSuccess,
      gasCostRaw: 1n,
      transfers:
        transfer === undefined
          ? []
          : [{ txHash, logIndex: 3, contractAddress, from, to: transfer.to ?? us, amountRaw }],
    },
    logs,
    transaction: { txHash, from: stranger, to, amountRaw: 0n, input },
  };
  return found;
}

const others = [
  ["by another payer", { from: stranger }],
  ["with another nonce", { nonce: wordOf(2) }],
  ["of another token", { contractAddress: stranger }],
] as const;

/** Nobody is to be asked, or the chain says this. */
const asking = (isUsed: boolean) => () => Promise.resolve(isUsed);
const notAsked = () => Promise.reject(new Error("nobody is to be asked"));

describe("by EIP-3009", () => {
  test("the log of its token, payer and nonce says that it is used, and no other one", async () => {
    const found = mined({ logs: logsOf(moved(stranger), used(), moved()) });
    expect(await isUsedIn(notAsked, found, own)).toBe(true);
    expect(transferLogOf(found, own)).toBe(6);
    for (const [, change] of others) {
      const other = eip3009(change);
      expect([change, await isUsedIn(notAsked, found, other)]).toEqual([change, false]);
      expect([change, transferLogOf(found, other)]).toEqual([change, null]);
    }
    const failed = mined({ logs: found.logs, isSuccess: false });
    expect(await isUsedIn(notAsked, failed, own)).toBe(false);
    expect(usesOf(failed, [])).toEqual([]);
  });

  test.each([
    ["the next one of its token", logsOf(used(), moved()), 5],
    ["not one of another token", logsOf(used(), { ...moved(), contractAddress: stranger }), null],
    [
      "also after one of another token",
      logsOf(used(), { ...moved(), contractAddress: stranger }, moved()),
      6,
    ],
    ["not one of another payer", logsOf(used(), moved(stranger)), null],
    ["not one before it", logsOf(moved(), used()), null],
    ["not one after another authorization", logsOf(used(), used(payer, wordOf(2)), moved()), null],
    ["not a single thing", logsOf(used(), { ...moved(), data: "0x" }), null],
    ["nothing", logsOf(used()), null],
  ] as const)("what it has moved is %s", (_what, logs, logIndex) => {
    const found = mined({ logs });
    expect(transferLogOf(found, own)).toBe(logIndex);
    expect(usesOf(found, [])[0]).toEqual({
      contractAddress: token,
      from: payer,
      nonce: own.nonce,
      transferLog: logIndex,
    });
  });

  test("each of several in one transaction has its own transfer", () => {
    const second = wordOf(9);
    const logs = logsOf(used(), moved(), used(stranger, second), moved(stranger));
    expect(usesOf(mined({ logs }), [])).toMatchObject([
      { from: payer, nonce: own.nonce, transferLog: 5 },
      { from: stranger, nonce: second, transferLog: 7 },
    ]);
    const cut = logsOf({ topics: [topics.authorizationUsed, topicOfAddress(payer)] }, moved());
    expect(usesOf(mined({ logs: cut }), [])).toEqual([]);
    const cancelled = { topics: [topics.authorizationCanceled, topicOfAddress(payer), own.nonce] };
    expect(usesOf(mined({ logs: logsOf(cancelled, moved()) }), [])).toEqual([]);
  });
});

describe.each(["exact", "upto"] as const)("by the proxy of %s", (scheme) => {
  const signed = permit2({ scheme });
  const { spender } = signed;
  const signature = `0x${"11".repeat(32)}${"22".repeat(32)}1b`;
  const callOf = (authorization: PaymentAuthorization): string => {
    const { amountRaw } = authorization;
    const action = { kind: "settle", signed: { authorization, domain: null, signature } } as const;
    return encodeAction({ ...action, amountRaw }).data;
  };
  const input = callOf(signed);

  test("a call of it with the permit says so, and no other one", async () => {
    const found = mined({ to: spender, input });
    expect(await isUsedIn(notAsked, found, signed)).toBe(true);
    expect(transferLogOf(found, signed)).toBeNull();
    for (const [, change] of others) {
      const other = permit2({ ...change, scheme });
      expect([change, await isUsedIn(notAsked, found, other)]).toEqual([change, false]);
    }
    expect(await isUsedIn(notAsked, mined({ to: spender, input, isSuccess: false }), signed)).toBe(
      false,
    );
    const cut = mined({ to: spender, input: input.slice(0, -64) });
    expect(await isUsedIn(notAsked, cut, signed)).toBe(false);
    const proxy = { scheme, address: spender };
    const { contractAddress, from, nonce } = signed;
    expect(usesOf(found, [proxy])).toEqual([{ contractAddress, from, nonce, transferLog: null }]);
    expect(usesOf(found, [{ ...proxy, address: stranger }])).toEqual([]);
    expect(usesOf(cut, [proxy])).toEqual([]);
    const other = scheme === "exact" ? "upto" : "exact";
    expect(usesOf(found, [{ scheme: other, address: spender }])).toEqual([]);
  });

  test("a contract may have called it: then what was moved, and the chain, say so", async () => {
    const asked = async (change: Mined, isUsed = true): Promise<boolean> => {
      const found = mined({ to: stranger, input: "0x12345678", transfer: {}, ...change });
      return isUsedIn(asking(isUsed), found, signed);
    };
    expect(await asked({})).toBe(true);
    expect(await asked({}, false)).toBe(false);
    const differing: readonly Mined[] = [
      { to: null },
      { to: spender },
      { to: token },
      { input: "0x" },
      { transfer: { amountRaw: signed.amountRaw - 1n } },
      { transfer: { to: stranger } },
      { transfer: { from: stranger } },
      { transfer: { contractAddress: stranger } },
    ];
    for (const one of differing) expect([one, await asked(one)]).toEqual([one, false]);
    const nothing = mined({ to: stranger, input: "0x12345678" });
    expect(await isUsedIn(notAsked, nothing, signed)).toBe(false);
  });
});
