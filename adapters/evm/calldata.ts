// What a transaction of each action says. The signer writes it into the transaction, the estimate asks
// the chain about the very same bytes, and what is mined is read back with the same tables.

import { decodeFunctionData, encodeFunctionData, parseAbi } from "viem/utils";
import { checksumAddress } from "../../service/evm-address.ts";
import type { MinedCollection } from "../../service/ports/chain.ts";
import type {
  ChainAction,
  Eip3009Authorization,
  Permit2Authorization,
} from "../../service/ports/signer.ts";
import { splitSignature } from "./signature.ts";

export type Hex = `0x${string}`;

export interface Call {
  readonly to: Hex;
  readonly data: Hex;
  /** of the chain's own coin */
  readonly value: bigint;
}

/** The same on every chain. */
export const permit2Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

export const tokenAbi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function balanceOf(address account) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

export const permit2Abi = parseAbi([
  "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
]);

const permits = [
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct Eip2612Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }",
] as const;

const exactProxyAbi = parseAbi([
  ...permits,
  "struct Witness { address to; uint256 validAfter; }",
  "function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)",
  "function settleWithPermit(Eip2612Permit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)",
]);

const uptoProxyAbi = parseAbi([
  ...permits,
  "struct Witness { address to; address facilitator; uint256 validAfter; }",
  "function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)",
  "function settleWithPermit(Eip2612Permit permit2612, PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)",
]);

/** Of `collect`, the signature is made by the signer alone. */
export function encodeCollect(authorization: Eip3009Authorization, signature: string): Call {
  return encodeEip3009(authorization, signature);
}

/** What the action does, but for `collect`, whose signature nobody has yet. */
export function encodeAction(action: Exclude<ChainAction, { readonly kind: "collect" }>): Call {
  if (action.kind === "transfer") return encodeTransfer(action);
  const { signed, amountRaw } = action;
  const { authorization, signature } = signed;
  if (authorization.method === "permit2") {
    return encodePermit2(authorization, signature, amountRaw);
  }
  if (amountRaw !== authorization.amountRaw) {
    throw new Error("by EIP-3009 all that was authorized is moved, or nothing");
  }
  return encodeEip3009(authorization, signature);
}

export interface Transfer {
  readonly to: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
}

export function encodeTransfer({ to, contractAddress, amountRaw }: Transfer): Call {
  if (contractAddress === null) return { to: hexOf(to), data: "0x", value: amountRaw };
  const args = [hexOf(to), amountRaw] as const;
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args });
  return { to: hexOf(contractAddress), data, value: 0n };
}

/** The inverse of that. Undefined: it does something else, or more. */
export function decodeTransfer({ to, data, value }: Call): Transfer | undefined {
  if (data === "0x") return { to: checksumAddress(to), contractAddress: null, amountRaw: value };
  const call = readTransferCall(data);
  if (call === undefined) return undefined;
  const transfer = { ...call, contractAddress: checksumAddress(to) };
  // Bytes behind the call, or coin beside it, are not what we sign.
  const again = encodeTransfer(transfer);
  return again.data === data && value === 0n ? transfer : undefined;
}

function readTransferCall(data: Hex): Pick<Transfer, "to" | "amountRaw"> | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
    if (functionName !== "transfer") return undefined;
    return { to: checksumAddress(args[0]), amountRaw: args[1] };
  } catch {
    // Not a call of this table, or one that is cut off.
    return undefined;
  }
}

/** The inverse of `encodeCollect`, without the signature. Undefined: it does something else, or more. */
export function decodeCollect({ to, data, value }: Call): MinedCollection | undefined {
  const call = readCollectCall(data);
  if (call === undefined) return undefined;
  const collection = { ...call.collection, contractAddress: checksumAddress(to) };
  const again = encodeEip3009({ method: "eip3009", ...collection }, call.signature);
  return again.data === data && value === 0n ? collection : undefined;
}

function readCollectCall(data: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
    if (functionName !== "transferWithAuthorization") return undefined;
    const [from, to, amountRaw, validAfter, validBefore, nonce, v, r, s] = args;
    const signature = `${r}${s.slice(2)}${v.toString(16).padStart(2, "0")}`;
    // Of a form that no signer of ours makes.
    if (splitSignature(signature)?.v !== v) return undefined;
    const parties = { from: checksumAddress(from), to: checksumAddress(to) };
    return { collection: { ...parties, amountRaw, validAfter, validBefore, nonce }, signature };
  } catch {
    // Not a call of this table, or one that is cut off.
    return undefined;
  }
}

/** Our choice: the overload with v, r and s, which every token with EIP-3009 has. */
function encodeEip3009(authorization: Eip3009Authorization, signature: string): Call {
  const { contractAddress, from, to, amountRaw, validAfter, validBefore, nonce } = authorization;
  const parts = splitSignature(signature);
  if (parts === undefined) throw new Error("the signature has another form");
  const { v, r, s } = parts;
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: "transferWithAuthorization",
    args: [
      hexOf(from),
      hexOf(to),
      amountRaw,
      validAfter,
      validBefore,
      hexOf(nonce),
      v,
      hexOf(r),
      hexOf(s),
    ],
  });
  return { to: hexOf(contractAddress), data, value: 0n };
}

function encodePermit2(
  authorization: Permit2Authorization,
  signature: string,
  amountRaw: bigint,
): Call {
  const { contractAddress, from, spender, deadline, facilitator } = authorization;
  const permitted = { token: hexOf(contractAddress), amount: authorization.amountRaw };
  const permit = { permitted, nonce: BigInt(authorization.nonce), deadline };
  const to = hexOf(authorization.to);
  const { validAfter } = authorization;
  const parts = splitSignature(signature);
  if (parts === undefined) throw new Error("the signature has another form");
  const functionName = "settle";
  if (authorization.scheme === "exact") {
    if (amountRaw !== authorization.amountRaw) {
      throw new Error("of the scheme exact all that was authorized is moved, or nothing");
    }
    const args = [permit, hexOf(from), { to, validAfter }, parts.whole] as const;
    const data = encodeFunctionData({ abi: exactProxyAbi, functionName, args });
    return { to: hexOf(spender), data, value: 0n };
  }
  if (facilitator === null) throw new Error("of the scheme upto somebody has to be named");
  if (amountRaw > authorization.amountRaw) throw new Error("more than was authorized");
  const witness = { to, facilitator: hexOf(facilitator), validAfter };
  const args = [permit, amountRaw, hexOf(from), witness, parts.whole] as const;
  const data = encodeFunctionData({ abi: uptoProxyAbi, functionName, args });
  return { to: hexOf(spender), data, value: 0n };
}

/** What a proxy was called with. */
export interface ProxyCall {
  readonly from: string;
  /** as 0x and 64 lower-case digits */
  readonly nonce: string;
  readonly contractAddress: string;
}

/** Undefined: the bytes say something else. */
export function decodeProxyCall(scheme: "exact" | "upto", data: string): ProxyCall | undefined {
  try {
    const [permit, owner] = scheme === "exact" ? exactCall(hexOf(data)) : uptoCall(hexOf(data));
    return {
      from: checksumAddress(owner),
      nonce: `0x${permit.nonce.toString(16).padStart(64, "0")}`,
      contractAddress: checksumAddress(permit.permitted.token),
    };
  } catch {
    // Another function, or cut off: whatever it is, it is no settlement.
    return undefined;
  }
}

interface Permit {
  readonly permitted: { readonly token: string };
  readonly nonce: bigint;
}

function exactCall(data: Hex): readonly [Permit, string] {
  const { functionName, args } = decodeFunctionData({ abi: exactProxyAbi, data });
  if (functionName === "settle") return [args[0], args[1]];
  return [args[1], args[2]];
}

function uptoCall(data: Hex): readonly [Permit, string] {
  const { functionName, args } = decodeFunctionData({ abi: uptoProxyAbi, data });
  if (functionName === "settle") return [args[0], args[2]];
  return [args[1], args[3]];
}

/** The library wants to see the prefix in the type; every value of ours has it. */
export function hexOf(text: string): Hex {
  if (!text.startsWith("0x")) throw new Error("not a hexadecimal text");
  // Looked at in the line before.
  return text as Hex;
}
