// The keys, derived from the seed by BIP-32. Nothing here gives one out: callers get addresses and
// signatures, and the extended public key of the deposit addresses.
//
//   m/44'/60'/0'      deposit addresses are its children; its public half is for the HTTP process
//   m/44'/60'/1'/0/0  hot
//   m/44'/60'/2'/0/0  settlement
//
// The deposit branch is hardened off from the other two: whoever has its public half and gets hold
// of one deposit key can compute all deposit keys, and none of the others.

import { HDKey } from "@scure/bip32";
import { privateKeyToAddress, sign, signTransaction } from "viem/accounts";
import { bytesToHex, hexToBytes, keccak256 } from "viem/utils";
import type { SignedTransfer } from "../../service/ports/chain.ts";
import type {
  Eip3009Authorization,
  SignerAccounts,
  SigningAccount,
  TokenDomain,
} from "../../service/ports/signer.ts";
import type { Call, Hex } from "../evm/calldata.ts";
import { hashAuthorization } from "../evm/typed-data.ts";

export interface TransactionParts {
  readonly chainId: string;
  readonly account: SigningAccount;
  readonly nonce: bigint;
  readonly gasUnitsMax: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly call: Call;
}

export interface Keys {
  readonly accounts: SignerAccounts;
  readonly addressOf: (account: SigningAccount) => string;
  /** EIP-1559; the same parts give the same bytes (RFC 6979) */
  readonly signTransaction: (parts: TransactionParts) => Promise<SignedTransfer>;
  readonly signAuthorization: (
    chainId: string,
    account: SigningAccount,
    signing: { readonly authorization: Eip3009Authorization; readonly domain: TokenDomain },
  ) => Promise<Hex>;
}

export function openKeys(seed: Uint8Array): Keys {
  const root = HDKey.fromMasterSeed(seed);
  const deposits = root.derive("m/44'/60'/0'");
  const fixed = {
    hot: privateKeyOf(root.derive("m/44'/60'/1'/0/0")),
    settlement: privateKeyOf(root.derive("m/44'/60'/2'/0/0")),
  };
  const keyOf = (account: SigningAccount): Hex =>
    account.role === "deposit"
      ? privateKeyOf(deposits.deriveChild(Number(account.index)))
      : fixed[account.role];
  const addressOf = (account: SigningAccount): string => privateKeyToAddress(keyOf(account));
  return {
    accounts: {
      hotAddress: addressOf({ role: "hot" }),
      settlementAddress: addressOf({ role: "settlement" }),
      depositPublicKey: deposits.publicExtendedKey,
    },
    addressOf,
    signTransaction: async ({ chainId, account, nonce, gasUnitsMax, call, ...fees }) => {
      const raw = await signTransaction({
        privateKey: keyOf(account),
        transaction: {
          type: "eip1559",
          chainId: chainNumber(chainId),
          nonce: Number(nonce),
          gas: gasUnitsMax,
          ...fees,
          ...call,
        },
      });
      return { txHash: keccak256(raw), raw: hexToBytes(raw) };
    },
    signAuthorization: (chainId, account, { authorization, domain }) => {
      const hash = hashAuthorization(BigInt(chainNumber(chainId)), authorization, domain);
      return sign({ hash: bytesToHex(hash), privateKey: keyOf(account), to: "hex" });
    },
  };
}

function privateKeyOf({ privateKey }: HDKey): Hex {
  // Unreachable: everything here is derived from a seed.
  if (privateKey === null) throw new Error("a public key cannot sign");
  return `0x${Buffer.from(privateKey).toString("hex")}`;
}

function chainNumber(chainId: string): number {
  return Number(chainId.slice("eip155:".length));
}
