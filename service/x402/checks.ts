// Whether an authorization is one for this payment: everything that can be said without asking a
// chain, in the order in which the error codes are listed. What counts is the payment's quote
// and the catalog; what the caller says of them only has to agree.

import type { CatalogDeployment } from "../catalog/model.ts";
import { ServiceError } from "../errors.ts";
import type { SettlementChain } from "../ports/settlement-chain.ts";
import type { PaymentAuthorization, TokenDomain } from "../ports/signer.ts";
import { mayKeepPart } from "../catalog/transfer-fee.ts";
import { isSchemePossible, x402MeansOf } from "../catalog/x402-capabilities.ts";
import type { X402Means } from "../catalog/x402-capabilities.ts";
import { addressOf, isSameAddress, nonceWord, normalisedSignature } from "./model.ts";
import type { CheckedAuthorization, SettleCommand, SettleRequirements } from "./model.ts";
import { chainIdOfNetwork } from "./networks.ts";
import type { QuotedCurrency, QuotedDeployment } from "../database/tables/payments.ts";
import { keepsPartRefusal, requirementsMismatch, x402Refusal } from "./refusals.ts";
import type { RefusedKind } from "./refusals.ts";
import { latestValidBefore, nonceOf } from "./requirements.ts";

/** So long an authorization has to be valid from now on, to be mined in time. */
const leftSecondsMin = 20n;

export interface SettledPayment {
  readonly id: string;
  readonly quotes: readonly QuotedCurrency[];
  readonly expiresAt: Date;
}

/** Where the requirements lead: the quoted deployment, as the catalog has it now. */
export interface SettlePlace {
  readonly quoted: QuotedDeployment;
  readonly asset: string;
  readonly means: X402Means;
}

export function kindOf({ payload, requirements }: SettleCommand): RefusedKind {
  return { scheme: requirements.scheme, method: payload.method };
}

/** Throws `x402_requirements_mismatch`: the payment cannot be paid so at all. */
export function placeOf(
  payment: SettledPayment,
  command: SettleCommand,
  deployments: readonly CatalogDeployment[],
): SettlePlace {
  const { network, asset, scheme } = command.requirements;
  const kind = kindOf(command);
  const chainId = chainIdOfNetwork(network);
  const quoted = payment.quotes.flatMap((quote) => quote.deployments);
  const onChain = quoted.filter((one) => one.chainId === chainId);
  if (onChain.length === 0) throw requirementsMismatch(kind, "network");
  const found = onChain.find((one) => isSameAddress(one.contractAddress, asset));
  if (found === undefined || found.contractAddress === null) {
    throw requirementsMismatch(kind, "asset");
  }
  const deployment = deployments.find(({ id }) => id === found.deploymentId);
  if (deployment !== undefined && mayKeepPart(deployment)) throw keepsPartRefusal(kind);
  const means = x402MeansOf(deployment ?? { capabilities: [] });
  if (!isSchemePossible(means, scheme)) throw requirementsMismatch(kind, "scheme");
  return { quoted: found, asset: found.contractAddress, means };
}

export interface Terms {
  readonly payment: SettledPayment;
  readonly place: SettlePlace;
  /** our settlement account on the chain */
  readonly payTo: string;
  /** what has to be authorized at least; at most it is the price */
  readonly leastRaw: bigint;
  /** unix seconds: the chain's or ours, whichever is later; undefined: the time does not matter */
  readonly nowSeconds: bigint | undefined;
}

/** Throws the refusals up to `x402_nonce_mismatch`; the signature is the caller's business. */
export function checkedAuthorization(command: SettleCommand, terms: Terms): CheckedAuthorization {
  const { payload, requirements } = command;
  const kind = kindOf(command);
  checkRequirements(command, terms);
  const { domain, evidenceVersion } = checkMeans(command, terms);
  checkTimes(command, terms.nowSeconds);
  if (payload.amountRaw !== requirements.maxAmountRaw) {
    throw x402Refusal("x402_amount_mismatch", kind);
  }
  if (!isSameAddress(payload.to, terms.payTo)) throw x402Refusal("x402_recipient_mismatch", kind);
  const nonce = nonceWord(payload.nonce);
  if (nonce === undefined || nonce !== nonceWord(requirements.nonce)) {
    throw x402Refusal("x402_nonce_mismatch", kind);
  }
  const from = addressOf(payload.from);
  const signature = normalisedSignature(payload.signature);
  if (from === undefined || signature === undefined) {
    throw x402Refusal("x402_invalid_signature", kind);
  }
  const { chainId, deploymentId } = terms.place.quoted;
  const authorization = authorizationOf(command, { from, nonce, terms });
  const place = { scheme: kind.scheme, chainId, deploymentId, evidenceVersion };
  return { authorization, domain, signature, ...place };
}

function checkRequirements(command: SettleCommand, terms: Terms): void {
  const { payment, place, payTo, leastRaw } = terms;
  const { requirements } = command;
  const kind = kindOf(command);
  const refuse = (field: string): never => {
    throw requirementsMismatch(kind, field);
  };
  if (!isSameAddress(requirements.payTo, payTo)) refuse("pay_to");
  const { maxAmountRaw } = requirements;
  const isEnough = maxAmountRaw > 0n && maxAmountRaw >= leastRaw;
  if (!isEnough || maxAmountRaw > BigInt(place.quoted.rawAmount)) refuse("max_amount_required");
  if (nonceWord(requirements.nonce) === undefined) refuse("nonce");
  if (requirements.validBefore > latestValidBefore(payment.expiresAt)) refuse("valid_before");
  const wrong = differingExtra(command, { payment, place, payTo });
  if (wrong !== undefined) refuse(wrong);
}

/** What we say of an offer beside the protocol's members. */
function differingExtra(
  { requirements, payload }: SettleCommand,
  { payment, place, payTo }: Pick<Terms, "payment" | "place" | "payTo">,
): string | undefined {
  const { extra } = requirements;
  if (extra === undefined || extra === null) return undefined;
  if (typeof extra !== "object" || Array.isArray(extra)) return "extra";
  const said: Readonly<Record<string, unknown>> = { ...extra };
  const domain = place.means.eip3009?.domain;
  const isWrong = (name: string, fits: (value: unknown) => boolean): boolean =>
    said[name] !== undefined && !fits(said[name]);
  // Of a token that has no such domain they mean nothing here: Permit2 has its own.
  if (domain !== undefined) {
    if (isWrong("name", (value) => value === domain.name)) return "extra.name";
    if (isWrong("version", (value) => value === domain.version)) return "extra.version";
  }
  const isAccount = (value: unknown): boolean =>
    typeof value === "string" && isSameAddress(value, payTo);
  if (isWrong("facilitatorAddress", isAccount)) return "extra.facilitatorAddress";
  if (isWrong("assetTransferMethod", (value) => value === payload.method)) {
    return "extra.assetTransferMethod";
  }
  const own = nonceOf(payment.id, place.quoted.deploymentId);
  if (isWrong("nonce", (value) => value === own)) return "extra.nonce";
  return undefined;
}

/** The domain and the version of what says that it can be done so. */
function checkMeans({ payload, requirements }: SettleCommand, { place, payTo }: Terms) {
  const kind = { scheme: requirements.scheme, method: payload.method };
  if (payload.method === "eip3009") {
    const { eip3009 } = place.means;
    if (eip3009 === undefined) throw x402Refusal("x402_payload_scheme_mismatch", kind);
    const domain: TokenDomain | null = eip3009.domain;
    return { domain, evidenceVersion: eip3009.evidenceVersion };
  }
  if (!isSameAddress(payload.token, place.asset)) {
    throw x402Refusal("x402_requirements_mismatch", kind, {
      field: "asset",
      x402_reason: "permit2_token_mismatch",
    });
  }
  const proxy = place.means.permit2[requirements.scheme];
  if (proxy === undefined) {
    const details = { x402_reason: "unsupported_asset_transfer_method" };
    throw x402Refusal("x402_payload_scheme_mismatch", kind, details);
  }
  if (!isSameAddress(payload.spender, proxy.address)) {
    throw x402Refusal("x402_payload_scheme_mismatch", kind);
  }
  checkFacilitator(payload.facilitator, { kind, payTo });
  return { domain: null, evidenceVersion: proxy.evidenceVersion };
}

/** Upto is for one facilitator only; the witness of exact has no such member. */
function checkFacilitator(
  facilitator: string | null,
  { kind, payTo }: { readonly kind: RefusedKind; readonly payTo: string },
): void {
  if (kind.scheme === "exact") {
    if (facilitator === null) return;
    const details = { x402_reason: "unsupported_payload_type" };
    throw x402Refusal("x402_payload_scheme_mismatch", kind, details);
  }
  if (!isSameAddress(facilitator, payTo)) throw x402Refusal("x402_facilitator_mismatch", kind);
}

function checkTimes(command: SettleCommand, nowSeconds: bigint | undefined): void {
  const { payload, requirements } = command;
  const kind = kindOf(command);
  if (nowSeconds !== undefined) {
    if (payload.validAfter > nowSeconds) throw x402Refusal("x402_not_yet_valid", kind);
    if (payload.validBefore < nowSeconds + leftSecondsMin) throw x402Refusal("x402_expired", kind);
  }
  if (payload.validBefore <= requirements.validBefore) return;
  throw requirementsMismatch(kind, "valid_before");
}

interface Parts {
  readonly from: string;
  readonly nonce: string;
  readonly terms: Pick<Terms, "place" | "payTo">;
}

/** In our own spelling: what the caller wrote was compared, and is not used. */
function authorizationOf(
  { payload, requirements }: SettleCommand,
  { from, nonce, terms }: Parts,
): PaymentAuthorization {
  const { place, payTo } = terms;
  const { scheme, maxAmountRaw: amountRaw } = requirements satisfies SettleRequirements;
  const { validAfter, validBefore } = payload;
  const common = { contractAddress: place.asset, from, to: payTo, amountRaw, validAfter, nonce };
  const proxy = place.means.permit2[scheme];
  if (payload.method === "eip3009" || proxy === undefined) {
    return { ...common, method: "eip3009", validBefore };
  }
  const facilitator = scheme === "upto" ? payTo : null;
  const spender = proxy.address;
  return { ...common, method: "permit2", spender, scheme, deadline: validBefore, facilitator };
}

type Recovering = Pick<SettlementChain, "signerOf">;

/** The same, and that its payer has signed it. */
export function recoveredFrom(
  chain: Recovering,
  command: SettleCommand,
  terms: Terms,
): CheckedAuthorization {
  const checked = checkedAuthorization(command, terms);
  const signer = chain.signerOf(checked);
  if (signer !== undefined && isSameAddress(signer, checked.authorization.from)) return checked;
  throw x402Refusal("x402_invalid_signature", kindOf(command));
}

/** By its payer, for what is asked for, whatever the time is. */
export function isSigned(
  chain: Recovering,
  command: SettleCommand,
  terms: Omit<Terms, "nowSeconds">,
): boolean {
  try {
    recoveredFrom(chain, command, { ...terms, nowSeconds: undefined });
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
