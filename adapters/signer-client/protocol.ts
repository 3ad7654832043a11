// What the HTTP process and the process with the keys say to each other: a line of JSON each way, on
// a Unix domain socket. Numbers are decimal text, since JSON has none that are large enough.
//
//   {"id":1,"ask":"accounts"}                          {"id":1,"accounts":{...}}
//   {"id":2,"ask":"sign","chain_id":...,"intent":...}   {"id":2,"signed":{"tx_hash":...,"raw":...}}
//                                                      {"id":2,"error":{"kind":"refused","text":...}}
//   {"id":3,"ask":"claim","first":"7000","count":"1000"}   {"id":3,"free_from":"7000"}
//
// Whoever reads believes nothing: every member has to be there, in its form, and no other.

import { Place } from "../../service/catalog/checked-json.ts";
import type { JsonProblem } from "../../service/catalog/checked-json.ts";
import { checksumAddress } from "../../service/evm-address.ts";
import type { SignedTransfer } from "../../service/ports/chain.ts";
import type {
  ActionIntent,
  ChainAction,
  Eip3009Authorization,
  PaymentAuthorization,
  Permit2Authorization,
  SignedAuthorization,
  SignerAccounts,
  SigningAccount,
  TokenDomain,
} from "../../service/ports/signer.ts";

/** The longest intent has some 2 kB; a line that is longer than this is nobody's request. */
export const requestBytesMax = 16_384;
/** A signed transaction in hex has some 2 kB, a text that refuses a few hundred characters. */
export const answerBytesMax = 65_536;

/** What the kernel takes as the path of a socket, with a little to spare. */
export const socketPathBytesMax = 100;

/** What a signer tells the server that has started it, once it listens. */
export const signerListens = "listening";
/** It ends with this where a person has to repair something; its last words say what. */
export const signerMistakeExitCode = 2;

/** Unhardened children of BIP-32 are numbered below this. */
export const depositIndexMax = 2n ** 31n - 1n;

export type SignerRequest =
  | { readonly id: number; readonly ask: "accounts" }
  | { readonly id: number; readonly ask: "claim"; readonly first: bigint; readonly count: bigint }
  | {
      readonly id: number;
      readonly ask: "sign";
      readonly chainId: string;
      readonly intent: ActionIntent;
    };

/**
 * - refused: the rules of the signer say no, `SignerRefusal`
 * - taken: the same because of what the number was signed for, `NonceTaken`
 * - invalid: not a request; a mistake of ours
 * - broken: it would sign and cannot, for example because its disk is full
 */
const errorKinds = ["refused", "taken", "invalid", "broken"] as const;
export type ErrorKind = (typeof errorKinds)[number];

export type SignerAnswer =
  | { readonly id: number; readonly accounts: SignerAccounts }
  | { readonly id: number; readonly signed: SignedTransfer }
  /** of the indexes of deposit addresses, before the claim */
  | { readonly id: number; readonly freeFrom: bigint }
  /** id null: whoever asked gave none that could be read */
  | {
      readonly id: number | null;
      readonly error: { readonly kind: ErrorKind; readonly text: string };
    };

/** What was sent is none; the message names places and never repeats a value. */
export class ProtocolError extends Error {
  /** of the request, where it could be read */
  readonly id: number | null;
  constructor(message: string, id: number | null) {
    super(message);
    this.name = "ProtocolError";
    this.id = id;
  }
}

export function requestLine(request: SignerRequest): string {
  if (request.ask === "accounts") return JSON.stringify(request);
  if (request.ask === "claim") {
    const { id, ask, first, count } = request;
    return JSON.stringify({ id, ask, first: first.toString(), count: count.toString() });
  }
  const { id, ask, chainId, intent } = request;
  return JSON.stringify({ id, ask, chain_id: chainId, intent: wireIntent(intent) });
}

export function parseRequest(line: string): SignerRequest {
  return parsed(line, (place) => {
    const id = idOf(place);
    const ask = place.member("ask").oneOf(["accounts", "sign", "claim"]);
    if (ask === "accounts") {
      place.members(["id", "ask"]);
      return { id, ask };
    }
    if (ask === "claim") {
      place.members(["id", "ask", "first", "count"]);
      const first = indexCountOf(place.member("first"));
      const count = numberOf(place.member("count"), indexCountMax - first);
      return { id, ask, first, count };
    }
    place.members(["id", "ask", "chain_id", "intent"]);
    const chainId = chainIdOf(place.member("chain_id"));
    return { id, ask, chainId, intent: intentOf(place.member("intent")) };
  });
}

export function answerLine(answer: SignerAnswer): string {
  if ("freeFrom" in answer) {
    return JSON.stringify({ id: answer.id, free_from: answer.freeFrom.toString() });
  }
  if (!("signed" in answer)) {
    if (!("accounts" in answer)) return JSON.stringify(answer);
    const { hotAddress, settlementAddress, depositPublicKey } = answer.accounts;
    const accounts = {
      hot_address: hotAddress,
      settlement_address: settlementAddress,
      deposit_public_key: depositPublicKey,
    };
    return JSON.stringify({ id: answer.id, accounts });
  }
  const { txHash, raw } = answer.signed;
  const signed = { tx_hash: txHash, raw: `0x${Buffer.from(raw).toString("hex")}` };
  return JSON.stringify({ id: answer.id, signed });
}

export function parseAnswer(line: string): SignerAnswer {
  return parsed(line, (place) => {
    if (!place.member("error").isMissing) return errorOf(place);
    const id = idOf(place);
    if (!place.member("accounts").isMissing) {
      place.members(["id", "accounts"]);
      const accounts = place.member("accounts");
      accounts.members(["hot_address", "settlement_address", "deposit_public_key"]);
      const hotAddress = addressOf(accounts.member("hot_address"));
      const settlementAddress = addressOf(accounts.member("settlement_address"));
      const key = accounts.member("deposit_public_key");
      const depositPublicKey = key.text(/^xpub[1-9A-HJ-NP-Za-km-z]{100,120}$/, "an extended key");
      return { id, accounts: { hotAddress, settlementAddress, depositPublicKey } };
    }
    if (!place.member("free_from").isMissing) {
      place.members(["id", "free_from"]);
      return { id, freeFrom: indexCountOf(place.member("free_from")) };
    }
    place.members(["id", "signed"]);
    const signed = place.member("signed");
    signed.members(["tx_hash", "raw"]);
    const txHash = bytes32Of(signed.member("tx_hash"));
    const hex = signed.member("raw").text(/^0x(?:[0-9a-f]{2})+$/, "bytes in hex");
    return { id, signed: { txHash, raw: new Uint8Array(Buffer.from(hex.slice(2), "hex")) } };
  });
}

function errorOf(place: Place): SignerAnswer {
  place.members(["id", "error"]);
  const error = place.member("error");
  error.members(["kind", "text"]);
  const kind = error.member("kind").oneOf(errorKinds);
  const text = error.member("text").text(/^[^\0]{1,2000}$/u, "a text");
  return { id: place.member("id").value === null ? null : idOf(place), error: { kind, text } };
}

function parsed<Result>(line: string, read: (place: Place) => Result): Result {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ProtocolError("that is not JSON", null);
  }
  const problems: JsonProblem[] = [];
  const place = new Place(value, "", problems);
  const result = read(place);
  if (problems.length === 0) return result;
  const listed = problems.map(({ pointer, message }) => `${pointer} ${message}`.trim());
  const { value: id } = place.member("id");
  const isId = typeof id === "number" && Number.isSafeInteger(id) && id >= 0;
  // A hostile line may have thousands of unknown members: the beginning says enough.
  throw new ProtocolError(listed.join("; ").slice(0, 500), isId ? id : null);
}

const idOf = (place: Place): number => place.member("id").integer(0, Number.MAX_SAFE_INTEGER);

/** CAIP-2 of EVM chains; the number fits where libraries take one. */
function chainIdOf(place: Place): string {
  return place.text(/^eip155:[1-9][0-9]{0,14}$/, "a chain such as eip155:1");
}

const wordMax = 2n ** 256n - 1n;

function numberOf(place: Place, most: bigint): bigint {
  const text = place.text(/^(?:0|[1-9][0-9]{0,77})$/, "a whole number in decimal text");
  const number = BigInt(text === "" ? 0 : text);
  if (number > most) place.refuse("is too large");
  return number;
}

/** Any spelling without a checksum, or the one with the right one. */
function addressOf(place: Place): string {
  const text = place.text(/^0x[0-9a-fA-F]{40}$/, "an address");
  if (text === "") return text;
  const checked = checksumAddress(text);
  const isPlain = text === text.toLowerCase();
  if (!isPlain && text !== checked) place.refuse("has a wrong checksum");
  return checked;
}

const indexCountMax = depositIndexMax + 1n;
const indexCountOf = (place: Place): bigint => numberOf(place, indexCountMax);

const bytes32Of = (place: Place): string => place.text(/^0x[0-9a-f]{64}$/, "32 bytes in hex");

const secondsMax = 2n ** 256n - 1n;
/** Safe in a JavaScript number, where libraries take one. */
const numberMax = 2n ** 53n - 1n;
const feeMax = 2n ** 128n - 1n;

function intentOf(place: Place): ActionIntent {
  place.members(["account", "nonce", "action", "gas_units_max", "fees"]);
  const fees = place.member("fees");
  fees.members(["max_fee_per_gas", "max_priority_fee_per_gas"]);
  const maxFeePerGas = numberOf(fees.member("max_fee_per_gas"), feeMax);
  const maxPriorityFeePerGas = numberOf(fees.member("max_priority_fee_per_gas"), feeMax);
  return {
    account: accountOf(place.member("account")),
    nonce: numberOf(place.member("nonce"), numberMax),
    action: actionOf(place.member("action")),
    gasUnitsMax: numberOf(place.member("gas_units_max"), numberMax),
    fees: { maxFeePerGas, maxPriorityFeePerGas },
  };
}

function accountOf(place: Place): SigningAccount {
  const role = place.member("role").oneOf(["hot", "settlement", "deposit"]);
  place.members(role === "deposit" ? ["role", "index"] : ["role"]);
  if (role !== "deposit") return { role };
  return { role, index: numberOf(place.member("index"), depositIndexMax) };
}

function actionOf(place: Place): ChainAction {
  const kind = place.member("kind").oneOf(["transfer", "settle", "collect"]);
  if (kind === "transfer") {
    place.members(["kind", "to", "contract_address", "amount_raw"]);
    const contract = place.member("contract_address");
    return {
      kind,
      to: addressOf(place.member("to")),
      contractAddress: contract.value === null ? null : addressOf(contract),
      amountRaw: numberOf(place.member("amount_raw"), wordMax),
    };
  }
  if (kind === "settle") {
    place.members(["kind", "signed", "amount_raw"]);
    const signed = signedOf(place.member("signed"));
    return { kind, signed, amountRaw: numberOf(place.member("amount_raw"), wordMax) };
  }
  place.members(["kind", "index", "domain", "authorization"]);
  return {
    kind,
    index: numberOf(place.member("index"), depositIndexMax),
    domain: domainOf(place.member("domain")),
    authorization: eip3009Of(place.member("authorization")),
  };
}

function signedOf(place: Place): SignedAuthorization {
  place.members(["authorization", "domain", "signature"]);
  const domain = place.member("domain");
  const given = place.member("authorization");
  const method = given.member("method").oneOf(["eip3009", "permit2"]);
  const authorization: PaymentAuthorization =
    method === "eip3009" ? eip3009Of(given) : permit2Of(given);
  const signature = place.member("signature").text(/^0x[0-9a-fA-F]{130}$/, "65 bytes in hex");
  return {
    authorization,
    domain: domain.value === null ? null : domainOf(domain),
    signature: signature.toLowerCase(),
  };
}

function domainOf(place: Place): TokenDomain {
  place.members(["name", "version"]);
  const form = /^[^\0]{1,200}$/u;
  const name = place.member("name").text(form, "1 to 200 characters");
  return { name, version: place.member("version").text(form, "1 to 200 characters") };
}

function eip3009Of(place: Place): Eip3009Authorization {
  const times = ["valid_after", "valid_before"];
  place.members(["method", "contract_address", "from", "to", "amount_raw", ...times, "nonce"]);
  const { to, ...shared } = sharedOf(place);
  return {
    method: place.member("method").oneOf(["eip3009"]),
    ...shared,
    to,
    validBefore: numberOf(place.member("valid_before"), secondsMax),
  };
}

function permit2Of(place: Place): Permit2Authorization {
  const own = ["spender", "scheme", "deadline", "facilitator"];
  const both = ["contract_address", "from", "to", "amount_raw", "valid_after", "nonce"];
  place.members(["method", ...both, ...own]);
  const facilitator = place.member("facilitator");
  return {
    method: place.member("method").oneOf(["permit2"]),
    ...sharedOf(place),
    spender: addressOf(place.member("spender")),
    scheme: place.member("scheme").oneOf(["exact", "upto"]),
    deadline: numberOf(place.member("deadline"), secondsMax),
    facilitator: facilitator.value === null ? null : addressOf(facilitator),
  };
}

function sharedOf(place: Place) {
  return {
    contractAddress: addressOf(place.member("contract_address")),
    from: addressOf(place.member("from")),
    to: addressOf(place.member("to")),
    amountRaw: numberOf(place.member("amount_raw"), wordMax),
    validAfter: numberOf(place.member("valid_after"), secondsMax),
    nonce: bytes32Of(place.member("nonce")),
  };
}

/** The members in our spelling, for the line. */
function wireIntent({ account, nonce, action, gasUnitsMax, fees }: ActionIntent): unknown {
  return snake({ account, nonce, action, gasUnitsMax, fees });
}

/** Every name of an intent is one, and none of its values has a name that is data. */
function snake(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snake(inner),
    ]),
  );
}
