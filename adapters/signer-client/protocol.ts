// What the HTTP process and the process with the keys say to each other: a line of JSON each way, on
// a Unix domain socket. Numbers are decimal text, since JSON has none that are large enough.
//
//   {"id":1,"ask":"accounts"}                          {"id":1,"accounts":{...}}
//   {"id":2,"ask":"sign","chain_id":...,"intent":...}   {"id":2,"signed":{"tx_hash":...,"raw":...}}
//                                                      {"id":2,"error":{"kind":"refused","text":...}}
//   {"id":3,"ask":"claim","first":"7000","count":"1000"}   {"id":3,"free_from":"7000"}
//   {"id":5,"ask":"journal"}                           {"id":5,"journal":{"count":"812","head":...}}
//   {"id":4,"ask":"nonce","chain_id":...,"role":"hot"}     {"id":4,"next_nonce":"17"}
//   {"id":6,"ask":"limits","chain_id":...}               {"id":6,"limits":[{"limit":"gas",...}]}
//
// Whoever reads believes nothing: every member has to be there, in its form, and no other. One schema
// per message reads it and writes it; the compiler holds both sides against the types of the service.

import { z } from "zod";
import { checksumAddress } from "../../service/evm-address.ts";
import { cellForm } from "../../service/cell.ts";
import { messageLine } from "./message-line.ts";

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
const indexCountMax = depositIndexMax + 1n;
/** Safe in a JavaScript number, where libraries take one. */
const numberMax = 2n ** 53n - 1n;
const feeMax = 2n ** 128n - 1n;
const wordMax = 2n ** 256n - 1n;

const id = z.int().nonnegative();

const number = (most: bigint) =>
  z.codec(
    z.stringFormat("a whole number in decimal text", /^(?:0|[1-9][0-9]{0,77})$/, { abort: true }),
    z.bigint().nonnegative().max(most),
    { decode: BigInt, encode: String },
  );

/** Any spelling without a checksum, or the one with the right one; read as the latter. */
const address = z
  .stringFormat("an address", /^0x[0-9a-fA-F]{40}$/, { abort: true })
  .refine((text) => text === text.toLowerCase() || text === checksumAddress(text), {
    error: "has a wrong checksum",
    abort: true,
  })
  .overwrite(checksumAddress);

/** CAIP-2 of EVM chains; the number fits where libraries take one. */
const chainId = z.stringFormat("a chain such as eip155:1", /^eip155:[1-9][0-9]{0,14}$/);
const bytes32 = z.stringFormat("32 bytes in hex", /^0x[0-9a-f]{64}$/);
const bytes65 = z.stringFormat("65 bytes in hex", /^0x[0-9a-fA-F]{130}$/).toLowerCase();
const bytes = z.codec(
  z.stringFormat("bytes in hex", /^0x(?:[0-9a-f]{2})+$/),
  z.custom<Uint8Array>((raw) => raw instanceof Uint8Array),
  {
    decode: (hex) => new Uint8Array(Buffer.from(hex.slice(2), "hex")),
    encode: (raw) => `0x${Buffer.from(raw).toString("hex")}`,
  },
);
const publicKey = z.stringFormat("an extended key", /^xpub[1-9A-HJ-NP-Za-km-z]{100,120}$/);
const cell = z.stringFormat("a cell", cellForm);
const journalHead = z.stringFormat("16 bytes in hex", /^[0-9a-f]{32}$/);
const shortText = z.stringFormat("1 to 200 characters", /^[^\0]{1,200}$/u);
const longText = z.stringFormat("1 to 2000 characters", /^[^\0]{1,2000}$/u);

const payingRole = z.enum(["hot", "settlement"]);
const account = z.discriminatedUnion("role", [
  z.strictObject({ role: payingRole }),
  z.strictObject({ role: z.literal("deposit"), index: number(depositIndexMax) }),
]);

// The journal remembers an action by the hash of what was read: the order of members stays as it is.
const eip3009 = z.strictObject({
  method: z.literal("eip3009"),
  contract_address: address,
  from: address,
  amount_raw: number(wordMax),
  valid_after: number(wordMax),
  nonce: bytes32,
  to: address,
  valid_before: number(wordMax),
});
const permit2 = z.strictObject({
  method: z.literal("permit2"),
  contract_address: address,
  from: address,
  to: address,
  amount_raw: number(wordMax),
  valid_after: number(wordMax),
  nonce: bytes32,
  spender: address,
  scheme: z.enum(["exact", "upto"]),
  deadline: number(wordMax),
  facilitator: address.nullable(),
});
const domain = z.strictObject({ name: shortText, version: shortText });

const action = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("transfer"),
    to: address,
    contract_address: address.nullable(),
    amount_raw: number(wordMax),
  }),
  z.strictObject({
    kind: z.literal("settle"),
    signed: z.strictObject({
      authorization: z.discriminatedUnion("method", [eip3009, permit2]),
      domain: domain.nullable(),
      signature: bytes65,
    }),
    amount_raw: number(wordMax),
  }),
  z.strictObject({
    kind: z.literal("collect"),
    index: number(depositIndexMax),
    domain,
    authorization: eip3009,
  }),
]);

const intent = z.strictObject({
  account,
  nonce: number(numberMax),
  action,
  gas_units_max: number(numberMax),
  fees: z.strictObject({
    max_fee_per_gas: number(feeMax),
    max_priority_fee_per_gas: number(feeMax),
  }),
});

/** Of a chain; a line of so many is half as long as an answer may be. */
export const limitUsesMax = 100;
const limitUse = z.strictObject({
  limit: z.enum(["gas", "numbers", "amount"]),
  role: z.enum(["hot", "settlement", "deposit"]).nullable(),
  contract_address: address.toLowerCase().nullable(),
  used_raw: number(wordMax),
  most_raw: number(wordMax),
});

const claim = z
  .strictObject({
    id,
    ask: z.literal("claim"),
    first: number(indexCountMax),
    count: number(indexCountMax),
  })
  .refine(({ first, count }) => first + count <= indexCountMax, {
    path: ["count"],
    error: "is too large",
  });

const request = messageLine(
  z.discriminatedUnion("ask", [
    z.strictObject({ id, ask: z.literal("accounts") }),
    claim,
    z.strictObject({ id, ask: z.literal("journal") }),
    z.strictObject({ id, ask: z.literal("limits"), chain_id: chainId }),
    z.strictObject({ id, ask: z.literal("nonce"), chain_id: chainId, role: payingRole }),
    z.strictObject({ id, ask: z.literal("sign"), chain_id: chainId, intent }),
  ]),
);

/**
 * - refused: the rules of the signer say no, `SignerRefusal`
 * - taken: the same because of what the number was signed for, `NonceTaken`
 * - invalid: not a request; a mistake of ours
 * - broken: it would sign and cannot, for example because its disk is full
 */
const kind = z.enum(["refused", "taken", "invalid", "broken"]);
export type ErrorKind = z.infer<typeof kind>;

const answer = messageLine(
  z.union([
    z.strictObject({
      id,
      accounts: z.strictObject({
        hot_address: address,
        settlement_address: address,
        deposit_public_key: publicKey,
        cell: cell.optional(),
      }),
    }),
    z.strictObject({ id, signed: z.strictObject({ tx_hash: bytes32, raw: bytes }) }),
    z.strictObject({
      id,
      journal: z.strictObject({ count: number(numberMax), head: journalHead }),
    }),
    z.strictObject({ id, limits: z.array(limitUse).max(limitUsesMax) }),
    /** of those that were signed; one more than the highest of a request */
    z.strictObject({ id, next_nonce: number(numberMax + 1n) }),
    /** of the indexes of deposit addresses, before the claim */
    z.strictObject({ id, free_from: number(indexCountMax) }),
    /** id null: whoever asked gave none that could be read */
    z.strictObject({ id: id.nullable(), error: z.strictObject({ kind, text: longText }) }),
  ]),
);

export type SignerRequest = ReturnType<typeof request.parse>;
export type SignerAnswer = ReturnType<typeof answer.parse>;

export const { print: requestLine, parse: parseRequest } = request;
export const { print: answerLine, parse: parseAnswer } = answer;
