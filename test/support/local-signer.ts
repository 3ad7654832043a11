// A key of the tests' own, for transfers on the local chain. What the service signs with is
// adapters/signer, with rules of its own.

import { hexToBytes, keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { encodeTransfer, hexOf } from "../../adapters/evm/calldata.ts";
import type { TransferIntent, TransferSigner } from "./scripted-signer.ts";

/** Enough for a transfer of any token here. */
const gasOfTransfer = 120_000n;

/** The same key for the same name. */
export function localSigner(name: string): TransferSigner {
  const account = privateKeyToAccount(keccak256(toHex(`key of ${name}`)));
  return {
    address: account.address,
    sign: async (chainId, intent: TransferIntent) => {
      const { to, data, value } = encodeTransfer(intent);
      const raw = await account.signTransaction({
        type: "eip1559",
        chainId: Number(chainId.replace("eip155:", "")),
        nonce: Number(intent.nonce),
        gas: gasOfTransfer,
        to,
        data,
        value,
        ...intent.fees,
      });
      return { txHash: keccak256(hexOf(raw)), raw: hexToBytes(raw) };
    },
  };
}
