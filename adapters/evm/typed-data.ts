// What the payer of an x402 payment signs: hashes of EIP-712, worked out here, and whose signature
// it is. Nothing is asked of anybody.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import { domainSeparator } from "../../service/evm-address.ts";
import type {
  Eip3009Authorization,
  PaymentAuthorization,
  Permit2Authorization,
  SignedAuthorization,
  TokenDomain,
} from "../../service/ports/signer.ts";
import { permit2Address } from "./calldata.ts";
import { splitSignature } from "./signature.ts";
import type { Recover } from "./signature.ts";

const tokenPermissionsType = "TokenPermissions(address token,uint256 amount)";
const exactWitnessType = "Witness(address to,uint256 validAfter)";
const uptoWitnessType = "Witness(address to,address facilitator,uint256 validAfter)";
const permitStart =
  "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)";

const hashes = {
  authorization: hashText(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)",
  ),
  tokenPermissions: hashText(tokenPermissionsType),
  exactWitness: hashText(exactWitnessType),
  uptoWitness: hashText(uptoWitnessType),
  exactPermit: hashText(permitStart + tokenPermissionsType + exactWitnessType),
  uptoPermit: hashText(permitStart + tokenPermissionsType + uptoWitnessType),
  permit2Name: hashText("Permit2"),
  permit2Domain: hashText("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
};

/** The 32 bytes that are signed. Throws for EIP-3009 without the domain of its token. */
export function hashAuthorization(
  chainNumber: bigint,
  authorization: PaymentAuthorization,
  domain: TokenDomain | null,
): Uint8Array {
  if (authorization.method === "permit2") {
    return signedHash(permit2Domain(chainNumber), hashPermit(authorization));
  }
  if (domain === null) throw new Error("the domain of the token is missing");
  const { contractAddress } = authorization;
  const separator = domainSeparator({ ...domain, chainNumber, contractAddress });
  return signedHash(bytesOf(separator), hashEip3009(authorization));
}

/** Undefined: nobody, or in a form that a token would not take. */
export function signerOf(
  chainNumber: bigint,
  { authorization, domain, signature }: SignedAuthorization,
  recover: Recover,
): string | undefined {
  const parts = splitSignature(signature);
  if (parts === undefined) return undefined;
  return recover(hashAuthorization(chainNumber, authorization, domain), parts);
}

function hashEip3009(authorization: Eip3009Authorization): Uint8Array {
  const { from, to, amountRaw, validAfter, validBefore, nonce } = authorization;
  return hashWords([
    hashes.authorization,
    wordOf(from),
    wordOf(to),
    numberWord(amountRaw),
    numberWord(validAfter),
    numberWord(validBefore),
    wordOf(nonce),
  ]);
}

function hashPermit(authorization: Permit2Authorization): Uint8Array {
  const { contractAddress, scheme, spender, amountRaw, nonce, deadline } = authorization;
  const permitted = [hashes.tokenPermissions, wordOf(contractAddress), numberWord(amountRaw)];
  return hashWords([
    scheme === "exact" ? hashes.exactPermit : hashes.uptoPermit,
    hashWords(permitted),
    wordOf(spender),
    wordOf(nonce),
    numberWord(deadline),
    hashWitness(authorization),
  ]);
}

function hashWitness({ scheme, to, facilitator, validAfter }: Permit2Authorization): Uint8Array {
  if (scheme === "exact") {
    return hashWords([hashes.exactWitness, wordOf(to), numberWord(validAfter)]);
  }
  if (facilitator === null) throw new Error("of the scheme upto somebody has to be named");
  const words = [wordOf(to), wordOf(facilitator), numberWord(validAfter)];
  return hashWords([hashes.uptoWitness, ...words]);
}

/** It names no version. */
function permit2Domain(chainNumber: bigint): Uint8Array {
  const words = [hashes.permit2Name, numberWord(chainNumber), wordOf(permit2Address)];
  return hashWords([hashes.permit2Domain, ...words]);
}

function signedHash(domain: Uint8Array, message: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from([0x19, 0x01]), domain, message]));
}

function hashText(text: string): Uint8Array {
  return keccak256(Buffer.from(text, "utf8"));
}

function hashWords(words: readonly Uint8Array[]): Uint8Array {
  return keccak256(Buffer.concat(words));
}

function numberWord(value: bigint): Uint8Array {
  return wordOf(`0x${value.toString(16)}`);
}

/** Throws for what is longer than a word: cut off it would be another value. */
function wordOf(hex: string): Uint8Array {
  const digits = hex.slice(2);
  if (!/^[0-9a-fA-F]{1,64}$/.test(digits)) throw new Error("not a word of 32 bytes");
  return Buffer.from(digits.padStart(64, "0"), "hex");
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), "hex");
}
