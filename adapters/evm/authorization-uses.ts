// Whether the nonce of an authorization is used, and where.

import { decodeAbiParameters, encodeFunctionData } from "viem/utils";
import type { AuthorizationState, AuthorizationUse } from "../../service/ports/settlement-chain.ts";
import type { Permit2Authorization, PaymentAuthorization } from "../../service/ports/signer.ts";
import {
  EndpointFailure,
  hexNumber,
  NodeError,
  quantity,
  topicOfAddress,
  word,
} from "./answers.ts";
import { decodeProxyCall, hexOf, permit2Abi, permit2Address, tokenAbi } from "./calldata.ts";
import { readHeader, transactionOf } from "./headers.ts";
import type { CoinTransaction } from "./headers.ts";
import { readLogs, topics, transferOf } from "./logs.ts";
import type { TokenLog } from "./logs.ts";
import type { Asked } from "./rpc.ts";

export async function readBalance(
  endpoint: Asked,
  contractAddress: string,
  account: string,
): Promise<bigint> {
  return await readWord(endpoint, contractAddress, balanceCall(account));
}

export interface BalanceWish {
  readonly address: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  /** after the block with this hash */
  readonly blockHash: string;
}

export async function readBalanceAt(endpoint: Asked, wish: BalanceWish): Promise<bigint> {
  const { address, contractAddress, blockHash } = wish;
  // EIP-1898: not of another branch that has its number by now.
  const at = { blockHash, requireCanonical: true };
  if (contractAddress === null) {
    return quantity(await endpoint.call("eth_getBalance", [address, at]), "a balance");
  }
  const call = { to: contractAddress, data: balanceCall(address) };
  return word(await endpoint.call("eth_call", [call, at]), "what a contract says");
}

function balanceCall(account: string): string {
  const args = [hexOf(account)] as const;
  return encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args });
}

export async function readState(
  endpoint: Asked,
  authorization: PaymentAuthorization,
): Promise<AuthorizationState> {
  const { contractAddress, from, nonce } = authorization;
  if (authorization.method === "eip3009") {
    const args = [hexOf(from), hexOf(nonce)] as const;
    const data = encodeFunctionData({ abi: tokenAbi, functionName: "authorizationState", args });
    const [balanceRaw, used] = await Promise.all([
      readBalance(endpoint, contractAddress, from),
      readWord(endpoint, contractAddress, data),
    ]);
    return { balanceRaw, allowanceRaw: null, isUsed: used !== 0n };
  }
  const { word: place, bit } = placeOfNonce(nonce);
  const [balanceRaw, allowanceRaw, bits] = await Promise.all([
    readBalance(endpoint, contractAddress, from),
    readWord(
      endpoint,
      contractAddress,
      encodeFunctionData({
        abi: tokenAbi,
        functionName: "allowance",
        args: [hexOf(from), permit2Address],
      }),
    ),
    readWord(
      endpoint,
      permit2Address,
      encodeFunctionData({
        abi: permit2Abi,
        functionName: "nonceBitmap",
        args: [hexOf(from), place],
      }),
    ),
  ]);
  return { balanceRaw, allowanceRaw, isUsed: (bits & bit) !== 0n };
}

async function readWord(endpoint: Asked, to: string, data: string): Promise<bigint> {
  return word(await endpoint.call("eth_call", [{ to, data }, "latest"]), "what a contract says");
}

/** Permit2 has 256 nonces in each word. */
function placeOfNonce(nonce: string): { readonly word: bigint; readonly bit: bigint } {
  const number = BigInt(nonce);
  return { word: number >> 8n, bit: 1n << (number & 255n) };
}

export interface UseLimits {
  /** blocks of one question for logs, where the node allows so many */
  readonly rangeBlocks: bigint;
  /** questions for logs */
  readonly rangesMax: number;
  /** transactions looked into, those first that moved the authorized amount */
  readonly candidatesMax: number;
}

export const useLimits: UseLimits = { rangeBlocks: 2_000n, rangesMax: 200, candidatesMax: 200 };

export interface UseWish {
  readonly authorization: PaymentAuthorization;
  readonly fromBlock: bigint;
  readonly limits: UseLimits;
}

/**
 * Where more would have to be asked than is, the question is not answered; but no endpoint is to blame
 * for that, or a payer with many transfers could have all of them put aside.
 */
export async function findUse(
  endpoint: Asked,
  wish: UseWish,
): Promise<AuthorizationUse | undefined> {
  const { authorization } = wish;
  const { isUsed } = await readState(endpoint, authorization);
  if (!isUsed) return undefined;
  if (authorization.method === "permit2")
    return await findPermit2Use(endpoint, authorization, wish);
  const { contractAddress, from, nonce } = authorization;
  const kinds = [topics.authorizationUsed, topics.authorizationCanceled];
  const filter = { address: contractAddress, topics: [kinds, topicOfAddress(from), nonce] };
  const [found] = await logsOf(endpoint, filter, wish);
  if (found === undefined) return undefined;
  const kind = found.topics[0] === topics.authorizationUsed ? "settled" : "cancelled";
  return { kind, txHash: found.txHash };
}

/** Permit2 tells of what was taken back, and not of what was used: that is in the transactions. */
async function findPermit2Use(
  endpoint: Asked,
  authorization: Permit2Authorization,
  wish: UseWish,
): Promise<AuthorizationUse | undefined> {
  const { contractAddress, from, to, amountRaw } = authorization;
  const ended = {
    address: permit2Address,
    topics: [topics.nonceInvalidation, topicOfAddress(from)],
  };
  const moved = {
    address: contractAddress,
    topics: [topics.transfer, topicOfAddress(from), topicOfAddress(to)],
  };
  const logs = await logsOf(endpoint, moved, wish);
  // A payer may send us as many small amounts as he likes, to hide one among them.
  const isLikely = (log: TokenLog): boolean => transferOf(log)?.amountRaw === amountRaw;
  const likely = [...logs.filter(isLikely), ...logs.filter((log) => !isLikely(log))];
  const candidates = [...new Set(likely.map(({ txHash }) => txHash))];
  const transactions = await Promise.all(
    candidates
      .slice(0, wish.limits.candidatesMax)
      .map((txHash) => endpoint.call("eth_getTransactionByHash", [txHash])),
  );
  for (const one of transactions) {
    if (one === null) throw new EndpointFailure("it does not have a transaction that it had");
    const transaction = transactionOf(one);
    if (isSettlementOf(transaction, authorization)) {
      return { kind: "settled", txHash: transaction.txHash };
    }
  }
  const invalidations = await logsOf(endpoint, ended, wish);
  const found = invalidations.find((log) => isInvalidated(log, authorization.nonce));
  if (found !== undefined) return { kind: "cancelled", txHash: found.txHash };
  // It was used, and not by a call of the proxy: then somebody's contract has called it, in one of
  // those that moved as much.
  const byContract = transactions
    .map(transactionOf)
    .find((one) => isCallOfContract(one, authorization) && logs.filter(isLikely).some(isIn(one)));
  return byContract && { kind: "settled", txHash: byContract.txHash };
}

function isIn({ txHash }: CoinTransaction): (log: TokenLog) => boolean {
  return (log) => log.txHash === txHash;
}

/** Neither the proxy nor the token was called, so that somebody else's contract has done it. */
export function isCallOfContract(
  { to, input }: CoinTransaction,
  { spender, contractAddress }: Permit2Authorization,
): boolean {
  return to !== null && to !== spender && to !== contractAddress && input !== "0x";
}

/** The proxy was called with it, by whomever. What another contract hands to it is not seen. */
export function isSettlementOf(
  { to, input }: CoinTransaction,
  { spender, scheme, from, nonce, contractAddress }: Permit2Authorization,
): boolean {
  if (to !== spender) return false;
  const call = decodeProxyCall(scheme, input);
  return call?.from === from && call.nonce === nonce && call.contractAddress === contractAddress;
}

function isInvalidated(log: TokenLog, nonce: string): boolean {
  if (log.data.length !== 2 + 128) return false;
  const types = [{ type: "uint256" }, { type: "uint256" }] as const;
  const [place, mask] = decodeAbiParameters(types, hexOf(log.data));
  const { word: wanted, bit } = placeOfNonce(nonce);
  return place === wanted && (mask & bit) !== 0n;
}

interface LogFilter {
  readonly address: string;
  readonly topics: readonly (string | readonly string[])[];
}

/** Oldest first, in ranges that become smaller if the node wants them so. */
async function logsOf(
  endpoint: Asked,
  filter: LogFilter,
  { fromBlock, limits }: UseWish,
): Promise<readonly TokenLog[]> {
  const head = await readHeader(endpoint, "latest");
  if (head === undefined) throw new EndpointFailure("it has no newest block");
  const logs: TokenLog[] = [];
  let from = fromBlock;
  let blocks = limits.rangeBlocks;
  for (let asked = 0; from <= head.number; asked++) {
    if (asked === limits.rangesMax)
      throw new NodeError(0, "more ranges of logs than are asked for");
    const last = from + blocks - 1n < head.number ? from + blocks - 1n : head.number;
    const range = { ...filter, fromBlock: hexNumber(from), toBlock: hexNumber(last) };
    try {
      logs.push(...readLogs(await endpoint.call("eth_getLogs", [range])));
    } catch (error) {
      if (!(error instanceof NodeError) || blocks === 1n) throw error;
      blocks = blocks / 4n > 0n ? blocks / 4n : 1n;
      continue;
    }
    from = last + 1n;
  }
  return logs;
}
