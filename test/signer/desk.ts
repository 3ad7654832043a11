// The signer's rules and keys on a real folder, in this process, with a clock of the test's own.

import { join } from "node:path";
import type {
  ActionIntent,
  ChainAction,
  Eip3009Authorization,
  Permit2Authorization,
} from "../../service/ports/signer.ts";
import { SigningDesk } from "../../adapters/signer/desk.ts";
import { openSigner } from "../../adapters/signer/open.ts";
import { parsePolicy } from "../../adapters/signer/policy-file.ts";
import type { Policy } from "../../adapters/signer/policy.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { addressOf } from "../support/scripted-signer.ts";

export const chainId = "eip155:8453";
export const token = addressOf("a token");
export const treasury = addressOf("the treasury");
export const customer = addressOf("a customer");
export const gwei = 10n ** 9n;
export const day = 86_400_000;
/** noon, UTC */
export const noon = Date.UTC(2026, 2, 14, 12);
/** nothing moves it */
export const noonClock = { nowMilliseconds: () => noon, monotonicMilliseconds: () => 0 };
export const mend = { kind: "mended", at: noon, command: "test", evidence: "block 7" } as const;

/** 1000 for one withdrawal and 2500 for a day; sweeps as they come; gas for 20 transactions. */
export const limits = {
  treasury_address: treasury,
  gas_per_transaction_raw: (200_000n * 50n * gwei).toString(),
  gas_per_day_raw: (20n * 100_000n * 10n * gwei).toString(),
  limits: [
    { account: "hot", contract_address: token, per_transaction_raw: "1000", per_day_raw: "2500" },
    { account: "hot", contract_address: null, per_transaction_raw: "10", per_day_raw: "20" },
    {
      account: "settlement",
      contract_address: token,
      per_transaction_raw: "50",
      per_day_raw: "60",
    },
    { account: "settlement", contract_address: null, per_transaction_raw: "0", per_day_raw: "0" },
    {
      account: "deposit",
      contract_address: "any",
      per_transaction_raw: "unlimited",
      per_day_raw: "9000",
    },
  ],
};

export function policyOf(chain: unknown = limits): Policy {
  return parsePolicy(JSON.stringify({ chains: { [chainId]: chain } }), "policy.json");
}

export type OpenedDesk = ReturnType<typeof openDesk>;

export function openDesk(folder: string, policy = policyOf()) {
  const time = { now: noon, monotonic: 0 };
  const opened = openSigner(parseSettings({ SIGNER_DIR: folder }));
  const { keys, usage, close } = opened;
  const clock = {
    nowMilliseconds: () => time.now,
    monotonicMilliseconds: () => time.monotonic,
  };
  const desk = new SigningDesk({ keys, policy, usage, clock });
  return { ...desk.accounts, desk, keys, usage, close, time, journal: join(folder, "journal") };
}

export type IntentParts = Partial<Omit<ActionIntent, "action">> & {
  readonly action?: ChainAction;
};

/** A withdrawal of 100 with 100,000 units of gas for 10 gwei each, if nothing else is said. */
export function intentOf(parts: IntentParts = {}): ActionIntent {
  return {
    account: { role: "hot" },
    nonce: 0n,
    action: transferOf({}),
    gasUnitsMax: 100_000n,
    fees: { maxFeePerGas: 10n * gwei, maxPriorityFeePerGas: gwei },
    ...parts,
  };
}

type Transfer = Extract<ChainAction, { kind: "transfer" }>;

export function transferOf(parts: Partial<Transfer>): Transfer {
  const standard = { kind: "transfer", to: customer, contractAddress: token } as const;
  return { ...standard, amountRaw: 100n, ...parts };
}

const nonce = `0x${"5a".repeat(32)}`;

export function authorizationOf(parts: Partial<Eip3009Authorization>): Eip3009Authorization {
  return {
    method: "eip3009",
    contractAddress: token,
    from: customer,
    to: customer,
    amountRaw: 100n,
    validAfter: 0n,
    validBefore: 2_000_000_000n,
    nonce,
    ...parts,
  };
}

export function permitOf(parts: Partial<Permit2Authorization>): Permit2Authorization {
  return {
    method: "permit2",
    contractAddress: token,
    from: customer,
    spender: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
    scheme: "upto",
    amountRaw: 100n,
    nonce,
    deadline: 2_000_000_000n,
    to: customer,
    validAfter: 0n,
    facilitator: null,
    ...parts,
  };
}

/** Of a form that a token takes; whose it is, the chain says. */
export const signature = `0x${"11".repeat(32)}${"22".repeat(32)}1b`;
export const domain = { name: "USD Coin", version: "2" };

export function settleOf(
  authorization: Eip3009Authorization | Permit2Authorization,
  amountRaw = authorization.amountRaw,
): ChainAction {
  const own = authorization.method === "permit2" ? null : domain;
  return { kind: "settle", signed: { authorization, domain: own, signature }, amountRaw };
}
