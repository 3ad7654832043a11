// Keys of the tests' own that sign what settles, on the local chain. What the service signs with is
// adapters/signer, with rules of its own.

import { hexToBytes, keccak256 } from "viem";
import { encodeAction, hexOf } from "../../adapters/evm/calldata.ts";
import type { ActionIntent, ActionSigner } from "../../service/ports/signer.ts";
import { testAccounts } from "../support/test-accounts.ts";

const [, , , , , , , settlement, hot] = testAccounts;

export const settlementAddress = settlement.address;

export function testActionSigner(): ActionSigner {
  return {
    accounts: {
      hotAddress: hot.address,
      settlementAddress: settlement.address,
      depositPublicKey: "none: nothing is derived here",
    },
    // It keeps no journal.
    nextNonce: () => Promise.resolve(0n),
    signAction: async (chainId, { account, nonce, action, gasUnitsMax, fees }: ActionIntent) => {
      if (account.role === "deposit" || action.kind === "collect") {
        throw new Error(`nothing here signs as ${account.role}`);
      }
      const signing = account.role === "hot" ? hot : settlement;
      const { to, data, value } = encodeAction(action);
      const raw = await signing.signTransaction({
        type: "eip1559",
        chainId: Number(chainId.replace("eip155:", "")),
        nonce: Number(nonce),
        gas: gasUnitsMax,
        to,
        data,
        value,
        ...fees,
      });
      return { txHash: keccak256(hexOf(raw)), raw: hexToBytes(raw) };
    },
  };
}
