// What a buyer has signed for x402 (version 2, scheme exact), and whether it is what was asked for: all that can be
// said without a chain. Part of x402-facilitator.ts.
//
// The forms: coinbase/x402, specs/schemes/exact/scheme_exact_evm.md; EIP-3009; Permit2 with the witness of the x402
// proxy. Reasons of refusals are those of @x402/evm and of the protocol's own list.

import { createHash, randomUUID } from "node:crypto";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import type { types } from "../../generated/client/client.ts";

/** EIP-712, as viem has it. */
export interface SignedTypedData {
  readonly address: `0x${string}`;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly signature: `0x${string}`;
}

/** Whether its address has signed it. */
export type VerifyTypedData = (signed: SignedTypedData) => Promise<boolean>;

/** An authorization, by EIP-3009 or by Permit2. */
export interface Signed {
  /** hex: of chain, token, payer and nonce, whatever its signature looks like */
  readonly id: string;
  readonly method: "eip3009" | "permit2";
  readonly from: string;
  readonly to: string;
  readonly amountRaw: string;
  /** unix seconds */
  readonly validAfter: number;
  readonly validBefore: number;
  readonly nonce: string;
  readonly signature: string;
  /** of Permit2 */
  readonly token: string;
  readonly spender: string;
}

export type Checked =
  | { readonly signed: Signed; readonly reason: "" }
  | { readonly signed?: undefined; readonly reason: string };

/** So long an authorization has to be valid from now on, to be settled: as the service has it. */
const leftSecondsMin = 20;

export interface Checking {
  readonly verifyTypedData?: VerifyTypedData | undefined;
  readonly nowMilliseconds: () => number;
  /** Whether what became of an authorization is open: then its times were looked at, and it may be over by now. */
  readonly isOpen: (id: string) => boolean;
}

/** Never throws: a buyer may have sent anything, and what cannot be read is `invalid_payload`. */
export async function checked(
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  checking: Checking,
): Promise<Checked> {
  try {
    return await checkedAs(payload, requirements, checking);
  } catch {
    return { reason: "invalid_payload" };
  }
}

async function checkedAs(
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  { verifyTypedData, nowMilliseconds, isOpen }: Checking,
): Promise<Checked> {
  const { x402Version } = payload;
  const accepted = Object(payload.accepted) as Partial<PaymentRequirements>;
  if (x402Version !== 2) return { reason: "invalid_x402_version" };
  const { scheme, network } = requirements;
  if (scheme !== "exact" || accepted.scheme !== scheme) return { reason: "unsupported_scheme" };
  if (accepted.network !== network) return { reason: "invalid_network" };
  const signed = signedIn(Object(payload.payload) as Members, requirements);
  if (signed === undefined) return { reason: "invalid_payload" };
  const now = Math.floor(nowMilliseconds() / 1000);
  const reason =
    wrongIn(signed, requirements) ?? (isOpen(signed.id) ? undefined : wrongTimeIn(signed, now));
  if (reason !== undefined) return { reason };
  if (verifyTypedData === undefined) return { signed, reason: "" };
  if (await hasSigned(verifyTypedData, typedDataOf(signed, requirements))) {
    return { signed, reason: "" };
  }
  const isOwn = signed.method === "eip3009";
  return { reason: isOwn ? "invalid_exact_evm_signature" : "invalid_permit2_signature" };
}

async function hasSigned(verifyTypedData: VerifyTypedData, signed: SignedTypedData) {
  try {
    return await verifyTypedData(signed);
  } catch {
    // Verifiers throw at what can be no signature of anybody.
    return false;
  }
}

/** Undefined: nothing. Of the lists of reasons, that of the first thing that is wrong. */
function wrongIn(signed: Signed, { asset, amount, payTo }: PaymentRequirements) {
  const isOwn = signed.method === "eip3009";
  if (!isSame(signed.to, payTo)) {
    return isOwn ? "invalid_exact_evm_recipient_mismatch" : "invalid_permit2_recipient_mismatch";
  }
  if (signed.amountRaw !== amount) {
    return isOwn
      ? "invalid_exact_evm_payload_authorization_value_mismatch"
      : "permit2_amount_mismatch";
  }
  return isSame(signed.token, asset) ? undefined : "permit2_token_mismatch";
}

/** @param now unix seconds */
function wrongTimeIn(signed: Signed, now: number) {
  const isOwn = signed.method === "eip3009";
  if (signed.validAfter > now) {
    return isOwn ? "invalid_exact_evm_payload_authorization_valid_after" : "permit2_not_yet_valid";
  }
  if (signed.validBefore < now + leftSecondsMin) {
    return isOwn
      ? "invalid_exact_evm_payload_authorization_valid_before"
      : "permit2_deadline_expired";
  }
  return undefined;
}

export function usedReason({ method }: Signed): string {
  return method === "eip3009" ? "invalid_exact_evm_nonce_already_used" : "permit2_invalid_nonce";
}

type Members = Readonly<Record<string, unknown>>;

/** Undefined: it has not the form of one. */
function signedIn(payload: Members, requirements: PaymentRequirements): Signed | undefined {
  const own = Object(payload["authorization"]) as Members;
  const permit = Object(payload["permit2Authorization"]) as Members;
  const witness = Object(permit["witness"]) as Members;
  const permitted = Object(permit["permitted"]) as Members;
  const isOwn = payload["authorization"] !== undefined;
  const texts = {
    signature: payload["signature"],
    from: isOwn ? own["from"] : permit["from"],
    to: isOwn ? own["to"] : witness["to"],
    token: isOwn ? requirements.asset : permitted["token"],
    spender: isOwn ? requirements.asset : permit["spender"],
    amountRaw: isOwn ? own["value"] : permitted["amount"],
    validAfter: isOwn ? own["validAfter"] : witness["validAfter"],
    validBefore: isOwn ? own["validBefore"] : permit["deadline"],
    nonce: isOwn ? own["nonce"] : permit["nonce"],
  };
  const forms: Readonly<Record<keyof typeof texts, RegExp>> = {
    signature: /^0x[0-9a-fA-F]{130}$/,
    from: address,
    to: address,
    token: address,
    spender: address,
    amountRaw: number,
    validAfter: seconds,
    validBefore: seconds,
    nonce: isOwn ? /^0x[0-9a-fA-F]{64}$/ : number,
  };
  if (!hasForms(texts, forms)) return undefined;
  const { network, asset } = requirements;
  const named = [network, asset, texts.from, texts.nonce].join(" ").toLowerCase();
  return {
    ...texts,
    id: createHash("sha256").update(named).digest("hex"),
    method: isOwn ? "eip3009" : "permit2",
    validAfter: Number(texts.validAfter),
    validBefore: Number(texts.validBefore),
  };
}

const address = /^0x[0-9a-fA-F]{40}$/;
const number = /^(?:0|[1-9]\d{0,77})$/;
const seconds = /^(?:0|[1-9]\d{0,14})$/;

function hasForms<Name extends string>(
  values: Readonly<Record<Name, unknown>>,
  forms: Readonly<Record<Name, RegExp>>,
): values is Readonly<Record<Name, string>> {
  return Object.entries<RegExp>(forms).every(([name, form]) => {
    const value: unknown = values[name as Name];
    return typeof value === "string" && form.test(value);
  });
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What a payer signs: EIP-3009, or the witness of the proxy for Permit2. */
function typedDataOf(signed: Signed, { network, asset, extra }: PaymentRequirements) {
  const { from, to, amountRaw, validAfter, validBefore, nonce, token, spender } = signed;
  const chainId = Number(network.replace("eip155:", ""));
  const common = { address: from as `0x${string}`, signature: signed.signature as `0x${string}` };
  const members = (text: string) =>
    text.split(", ").map((member) => {
      const [type = "", name = ""] = member.split(" ");
      return { name, type };
    });
  if (signed.method === "eip3009") {
    const { name, version } = Object(extra) as Members;
    return {
      ...common,
      domain: { name, version, chainId, verifyingContract: asset },
      primaryType: "TransferWithAuthorization",
      types: {
        TransferWithAuthorization: members(
          "address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce",
        ),
      },
      message: { from, to, value: amountRaw, validAfter, validBefore, nonce },
    };
  }
  return {
    ...common,
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    primaryType: "PermitWitnessTransferFrom",
    types: {
      PermitWitnessTransferFrom: members(
        "TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, Witness witness",
      ),
      TokenPermissions: members("address token, uint256 amount"),
      Witness: members("address to, uint256 validAfter"),
    },
    message: {
      permitted: { token, amount: amountRaw },
      spender,
      nonce,
      deadline: validBefore,
      witness: { to, validAfter },
    },
  };
}

/** Where Permit2 is on every chain. */
const permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** The same in the words of POST /v1/x402/settle, but for the payment. */
export function settlementOf(
  { signed, resource }: { readonly signed: Signed; readonly resource: string },
  { network, asset, payTo }: PaymentRequirements,
): Omit<types.SettleX402PaymentRequest, "payment_id"> {
  const { signature, from, to, amountRaw, nonce, token, spender } = signed;
  const { validAfter: valid_after, validBefore: valid_before } = signed;
  const permit2_authorization = {
    permitted: { token, amount: amountRaw },
    from,
    spender,
    nonce,
    deadline: valid_before,
    witness: { to, valid_after },
  };
  const authorization = { from, to, value: amountRaw, valid_after, valid_before, nonce };
  return {
    payment_payload:
      signed.method === "eip3009"
        ? { signature, authorization }
        : { signature, permit2_authorization },
    payment_requirements: {
      scheme: "exact",
      network,
      asset,
      pay_to: payTo,
      max_amount_required: amountRaw,
      resource,
      nonce,
      valid_before,
    },
  };
}

/** "50000" with 6 decimals: "0.05". */
export function decimalOf(raw: string, decimals: number): string {
  const digits = raw.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

// ---------------------------------------------------------------------------------------------
// Who settles it

/** An authorization is one claim: whoever has settled it gives what it pays for, once. */
export interface Claim {
  /** names this request at the service: under the authorization's key, no other one is answered */
  readonly attempt: string;
  readonly state: "running" | "open" | "over";
  /** An earlier request with it was sent, and nobody knows what became of it. */
  readonly wasOpen: boolean;
}

/** Of the authorizations that were handed in here; what is forgotten, the service still knows. */
export class Claims {
  static readonly #claimsMax = 10_000;
  readonly #claims = new Map<string, Claim>();

  /** Nobody has it, or what became of it is open. */
  isFree(id: string): boolean {
    return this.#claims.get(id) === undefined || this.isOpen(id);
  }

  /** It was handed in, and what became of it is open: whoever comes with it again only asks. */
  isOpen(id: string): boolean {
    return this.#claims.get(id)?.state === "open";
  }

  /** Undefined: somebody has it. */
  take(id: string): Claim | undefined {
    if (!this.isFree(id)) return undefined;
    const attempt = this.#claims.get(id)?.attempt ?? randomUUID();
    const claim = { attempt, state: "running", wasOpen: this.isOpen(id) } as const;
    this.#claims.set(id, claim);
    if (this.#claims.size > Claims.#claimsMax) this.#forgetOne();
    return claim;
  }

  /** @param state undefined: it was refused, and may be handed in anew */
  leave(id: string, state: "open" | "over" | undefined): void {
    const claim = this.#claims.get(id);
    if (claim === undefined) return;
    if (state === undefined) this.#claims.delete(id);
    else this.#claims.set(id, { ...claim, state });
  }

  /** The oldest that is not under way. */
  #forgetOne(): void {
    for (const [id, { state }] of this.#claims) {
      if (state !== "running") {
        this.#claims.delete(id);
        return;
      }
    }
  }
}
