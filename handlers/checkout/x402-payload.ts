// What a buyer's program sends back with its signature, in the header of either version of x402, as the
// rules take it. Everything in it is somebody else's word: it is compared there, and nothing is used.

import { RequestError } from "../../generated/runtime/runtime.ts";
import { rawAmountMax } from "../../service/amounts.ts";
import type { SettleCommand, SettlePayload } from "../../service/x402/model.ts";
import { shortNetworkName } from "../../service/x402/networks.ts";
import type { LinkPlace } from "../../service/x402/requirements.ts";

export interface PaymentHeader {
  readonly version: 1 | 2;
  readonly text: string;
}

/** Undefined: nobody pays with this request. Who sends both is taken by the newer one. */
export function paymentHeaderOf(headers: Headers): PaymentHeader | undefined {
  const second = headers.get("PAYMENT-SIGNATURE");
  if (second !== null) return { version: 2, text: second };
  const first = headers.get("X-PAYMENT");
  return first === null ? undefined : { version: 1, text: first };
}

export interface PaymentWish {
  /** in the order in which they are tried: version 1 does not say for which it is signed */
  readonly commands: readonly SettleCommand[];
  readonly network: string;
  readonly payer: string;
}

/** Throws `RequestError` for what is no payment of x402 at all. */
export function paymentWishOf(
  paymentId: string,
  { version, text }: PaymentHeader,
  places: readonly LinkPlace[],
): PaymentWish {
  const said = objectOf(decoded(text));
  if (said["x402Version"] !== version) throw malformed("the version is another one");
  const body = objectOf(said["payload"]);
  const payload = "authorization" in body ? eip3009Of(body) : permit2Of(body);
  const { nonce, validBefore, from: payer } = payload;
  const signed = { nonce, validBefore };
  if (version === 2) {
    const accepted = objectOf(said["accepted"]);
    const requirements = {
      ...signed,
      scheme: schemeOf(accepted["scheme"]),
      network: textOf(accepted["network"]),
      asset: textOf(accepted["asset"]),
      payTo: textOf(accepted["payTo"]),
      maxAmountRaw: rawOf(accepted["amount"]),
      extra: accepted["extra"],
    };
    const { network } = requirements;
    return { commands: [{ paymentId, payload, requirements }], network, payer };
  }
  const [scheme, network] = [schemeOf(said["scheme"]), textOf(said["network"])];
  // Version 1 does not say which token it is. It may be asked for again when nothing is missing any more.
  const commands = places
    .filter((one) => one.scheme === scheme && one.method === payload.method)
    .filter(({ chainId }) => shortNetworkName(chainId) === network)
    .map(({ asset, payTo }) => {
      const requirements = { ...signed, scheme, network, asset, payTo, extra: undefined };
      return {
        paymentId,
        payload,
        requirements: { ...requirements, maxAmountRaw: payload.amountRaw },
      };
    });
  return { commands, network, payer };
}

type Fields = Readonly<Record<string, unknown>>;

function eip3009Of(body: Fields): SettlePayload {
  const one = objectOf(body["authorization"]);
  return {
    method: "eip3009",
    signature: textOf(body["signature"]),
    from: textOf(one["from"]),
    to: textOf(one["to"]),
    amountRaw: rawOf(one["value"]),
    validAfter: timeOf(one["validAfter"]),
    validBefore: timeOf(one["validBefore"]),
    nonce: textOf(one["nonce"]),
  };
}

function permit2Of(body: Fields): SettlePayload {
  const one = objectOf(body["permit2Authorization"]);
  const [permitted, witness] = [objectOf(one["permitted"]), objectOf(one["witness"])];
  const { facilitator } = witness;
  return {
    method: "permit2",
    signature: textOf(body["signature"]),
    token: textOf(permitted["token"]),
    from: textOf(one["from"]),
    to: textOf(witness["to"]),
    amountRaw: rawOf(permitted["amount"]),
    validAfter: timeOf(witness["validAfter"]),
    validBefore: timeOf(one["deadline"]),
    nonce: textOf(one["nonce"]),
    spender: textOf(one["spender"]),
    facilitator: facilitator === undefined ? null : textOf(facilitator),
  };
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64").toString("utf8")) as unknown;
  } catch {
    throw malformed("it is no JSON in base64");
  }
}

function objectOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed("an object is missing");
  }
  return { ...value };
}

const charactersMax = 1_000;

function textOf(value: unknown): string {
  const isFit = typeof value === "string" && value.length <= charactersMax;
  if (!isFit || value.includes("\0")) throw malformed("a text is missing, or too long");
  return value;
}

function schemeOf(value: unknown): "exact" | "upto" {
  if (value === "exact" || value === "upto") return value;
  throw malformed("the scheme is neither exact nor upto");
}

const rawDigits = /^(?:0|[1-9][0-9]{0,77})$/;

function rawOf(value: unknown): bigint {
  const text = textOf(value);
  const raw = rawDigits.test(text) ? BigInt(text) : rawAmountMax + 1n;
  if (raw > rawAmountMax) throw malformed("an amount is no number of smallest units");
  return raw;
}

/** As the table of settlements keeps it. */
const secondsMax = 2n ** 53n - 1n;

function timeOf(value: unknown): bigint {
  const seconds = rawOf(typeof value === "number" ? String(value) : value);
  if (seconds > secondsMax) throw malformed("a time is too far ahead");
  return seconds;
}

function malformed(why: string): RequestError {
  return new RequestError(
    400,
    "invalid_request",
    `The payment in the header cannot be read: ${why}.`,
  );
}
