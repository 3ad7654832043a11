// What a mined transaction says of the authorizations that it has used.

import type { UsedAuthorization, X402Proxy } from "../../service/ports/settlement-chain.ts";
import type { PaymentAuthorization, Permit2Authorization } from "../../service/ports/signer.ts";
import { addressOfTopic, topicOfAddress } from "./answers.ts";
import { isCallOfContract, isSettlementOf, readState } from "./authorization-uses.ts";
import { decodeProxyCall } from "./calldata.ts";
import { topics, transferOf } from "./logs.ts";
import type { TokenLog } from "./logs.ts";
import type { ReadReceipt } from "./receipt-reading.ts";
import type { Asked } from "./rpc.ts";

/** By the transaction itself, or by what is so on the chain; see `SettlementReceipt`. */
export async function isUsedIn(
  ask: (question: (endpoint: Asked) => Promise<boolean>) => Promise<boolean>,
  found: ReadReceipt,
  authorization: PaymentAuthorization,
): Promise<boolean> {
  const { receipt, logs, transaction } = found;
  if (!receipt.isSuccess) return false;
  if (authorization.method === "eip3009") return useLogOf(logs, authorization) !== undefined;
  if (isSettlementOf(transaction, authorization)) return true;
  if (!isCallOfContract(transaction, authorization) || !movesIt(found, authorization)) return false;
  return ask(async (endpoint) => (await readState(endpoint, authorization)).isUsed);
}

function movesIt({ receipt }: ReadReceipt, authorization: Permit2Authorization): boolean {
  const { contractAddress, from, to, amountRaw } = authorization;
  return receipt.transfers.some(
    (one) =>
      one.contractAddress === contractAddress &&
      one.from === from &&
      one.to === to &&
      one.amountRaw === amountRaw,
  );
}

/** Place of the transfer that it made; null: the transaction does not say which. */
export function transferLogOf(
  { logs }: ReadReceipt,
  authorization: PaymentAuthorization,
): number | null {
  if (authorization.method === "permit2") return null;
  const own = useLogOf(logs, authorization);
  return own === undefined ? null : transferBeside(logs, own);
}

type Used = Pick<PaymentAuthorization, "contractAddress" | "from" | "nonce">;

function useLogOf(logs: readonly TokenLog[], { contractAddress, from, nonce }: Used) {
  const wanted = [topics.authorizationUsed, topicOfAddress(from), nonce].join(" ");
  return logs.find(
    (log) => log.contractAddress === contractAddress && log.topics.join(" ") === wanted,
  );
}

/** Tokens say that an authorization is used, and in the next log what it has moved. */
function transferBeside(logs: readonly TokenLog[], own: TokenLog): number | null {
  const ofToken = logs.filter(({ contractAddress }) => contractAddress === own.contractAddress);
  const [, authorizer] = own.topics;
  const next = ofToken[ofToken.indexOf(own) + 1];
  if (next === undefined || transferOf(next) === undefined) return null;
  return next.topics[1] === authorizer ? next.logIndex : null;
}

export function usesOf(
  { receipt, logs, transaction }: ReadReceipt,
  proxies: readonly X402Proxy[],
): readonly UsedAuthorization[] {
  if (!receipt.isSuccess) return [];
  const own = logs.flatMap((log): readonly UsedAuthorization[] => {
    const [kind, authorizer, nonce] = log.topics;
    if (kind !== topics.authorizationUsed) return [];
    if (authorizer === undefined || nonce === undefined) return [];
    const from = addressOfTopic(authorizer, "the payer of an authorization");
    const { contractAddress } = log;
    return [{ contractAddress, from, nonce, transferLog: transferBeside(logs, log) }];
  });
  const byProxy = proxies.flatMap(({ scheme, address }): readonly UsedAuthorization[] => {
    if (transaction.to !== address) return [];
    const call = decodeProxyCall(scheme, transaction.input);
    return call === undefined ? [] : [{ ...call, transferLog: null }];
  });
  return [...own, ...byProxy];
}
