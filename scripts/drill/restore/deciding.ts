// What a person must decide after a restore, from what was found, and by which commands.

import { amountOf } from "../../../service/amounts.ts";
import { usd } from "../../client/tool/test-usd.ts";
import type { Pending, Sent, Stray } from "./finding.ts";
import { coinId } from "./site.ts";

export interface Decision {
  readonly says: string;
  /** none: there is no command for it */
  readonly commands: readonly Command[];
}

export interface Command {
  /** npm run admin, or npm run signer while the signer is stopped */
  readonly program: "admin" | "signer";
  readonly words: readonly string[];
}

export interface Found {
  readonly sent: readonly Sent[];
  readonly pending: readonly Pending[];
  readonly strays: readonly Stray[];
}

type Mined = Sent & { readonly mined: NonNullable<Sent["mined"]> };

const coinDecimals = 18;
const evidenceCharactersMax = 500;

/** In the order in which they are to be followed. */
export function decisionsOn({ sent, pending, strays }: Found): readonly Decision[] {
  const free = [...pending];
  const decisions = sent.filter(isMined).map((one) => {
    if (one.kind === "collect") return swept(one);
    const at = free.findIndex((other) => isFor(one, other));
    const [same] = at === -1 ? [] : free.splice(at, 1);
    return same === undefined ? unasked(one) : repeated(one, same);
  });
  const lost = ["hot", "settlement"].flatMap((account) => lostNonces(sent, account));
  return [...decisions, ...lost, ...strays.map(strayed), resuming(free)];
}

function isMined(one: Sent): one is Mined {
  return one.mined !== undefined;
}

function isFor(one: Sent, other: Pending): boolean {
  const isThere = one.to.toLowerCase() === other.address.toLowerCase();
  return one.account === "hot" && isThere && one.amountRaw === other.amountRaw;
}

function repeated(one: Mined, { id, merchantId }: Pending): Decision {
  const { txHash } = one.mined;
  const words = ["withdrawal", "remember", id, "--transaction", txHash];
  return {
    says: `${id} of ${merchantId} waits, and ${whatOf(one)}: it was sent by that`,
    commands: [admin(...words, "--reason", "sent after the backup")],
  };
}

function unasked(one: Mined): Decision {
  return {
    says: `${whatOf(one)}, and no withdrawal that waits says why: find out whose it was, who owes it to you`,
    commands: [takeMoney(one), takeGas(one)],
  };
}

/** It is still ours, and stands somewhere else than the books say; or they do not have it at all. */
function swept(one: Mined): Decision {
  const { amountRaw, isOfKnown, mined } = one;
  if (!isOfKnown) {
    const given = {
      deployment: usd.deploymentId,
      amount: usdText(amountRaw),
      reference: mined.txHash,
    };
    return {
      says: `${whatOf(one)}, from the address of a payment that is forgotten: ask the merchants which order it was`,
      commands: [admin("ledger", "fund", ...optionsOf(given)), takeGas(one)],
    };
  }
  const words = ["chain", "remember", usd.chainId, "--transaction", one.mined.txHash];
  return {
    says: `${whatOf(one)}, from the address of a payment: the books say that it is still there`,
    commands: [admin(...words, "--reason", "sent after the backup")],
  };
}

/** Signed, and not mined: those behind the last one that was. */
function lostNonces(sent: readonly Sent[], account: string): readonly Decision[] {
  const lost = sent.filter((one) => one.account === account && !isMined(one));
  const [first] = lost.toSorted((one, other) => Number(one.nonce - other.nonce));
  if (first === undefined) return [];
  const hashes = lost.map(({ txHash }) => txHash).join(", ");
  const evidence = `no node knows ${hashes}`.slice(0, evidenceCharactersMax);
  const words = ["next", usd.chainId, account, first.nonce.toString(), evidence];
  return [
    {
      says:
        `nonces from ${first.nonce} on were signed for the account ${account}, and no node has a transaction ` +
        `of them (${hashes}): only if none can come any more, the next one is ${first.nonce}`,
      commands: [{ program: "signer", words }],
    },
  ];
}

function strayed({ txHash, address, index, amountRaw }: Stray): Decision {
  return {
    says:
      `${usdOf(amountRaw)} came by ${txHash} to ${address} (index ${index}), which belongs to no payment of this ` +
      "database: ask the merchants which order it was; no command brings it into the books",
    commands: [],
  };
}

/** The last one: from then on money leaves. */
function resuming(rest: readonly Pending[]): Decision {
  const what = rest.map(({ id, amountRaw }) => `${id} of ${usdOf(amountRaw)}`).join(", ");
  return {
    says:
      `withdrawals are stopped; ${rest.length} that wait were sent by nobody, and go then (${what || "none"}). Each ` +
      "account that has forgotten transactions stops them once: resume again, if there are no others than these",
    commands: [admin("withdrawal", "resume", "--chain", usd.chainId)],
  };
}

function whatOf({ account, nonce, amountRaw, to, mined: { txHash } }: Mined): string {
  return `${txHash} (nonce ${nonce} of ${account}) has brought ${usdOf(amountRaw)} to ${to}`;
}

/** The account has less than the books say: it is your loss until somebody has given it back. */
function takeMoney({ amountRaw, account, mined: { txHash } }: Mined): Command {
  return take({ deployment: usd.deploymentId, of: "capital", account, txHash }, usdText(amountRaw));
}

function takeGas({ account, mined: { txHash, gasRaw } }: Mined): Command {
  return take({ deployment: coinId, of: "gas", account, txHash }, amountOf(gasRaw, coinDecimals));
}

interface Taken {
  readonly deployment: string;
  readonly of: "capital" | "gas";
  readonly account: string;
  readonly txHash: string;
}

function take({ deployment, of, account, txHash: reference }: Taken, amount: string): Command {
  return admin("ledger", "take", ...optionsOf({ deployment, amount, account, of, reference }));
}

function optionsOf(given: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
}

function admin(...words: readonly string[]): Command {
  return { program: "admin", words };
}

function usdText(raw: bigint): string {
  return amountOf(raw, usd.decimals);
}

function usdOf(raw: bigint): string {
  return `${usdText(raw)} USDC`;
}

/** As it is typed. */
export function typed({ program, words }: Command): string {
  const quoted = words.map((word) => (/^[\w.:/=-]+$/.test(word) ? word : JSON.stringify(word)));
  return `npm run ${program} -- ${quoted.join(" ")}`;
}
