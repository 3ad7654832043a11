// A merchant who withdraws, and a process that was lost after it has sent something: its database was put back to a moment
// before.

import type { Owner } from "../../service/owner.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import type { Engine } from "../support/engines.ts";
import { ScriptedKeys } from "../support/scripted-signer.ts";
import { chainId, finalBlocks, openScene, usdc, whole } from "./scene.ts";
import type { Scene } from "./scene.ts";

export const reason = "found in the log of the signer";
const gwei = 1_000_000_000n;

export interface Transfer {
  readonly to: string;
  readonly contractAddress: string | null;
  readonly amountRaw: bigint;
}

interface Sending {
  /** the chain's next one when left out */
  readonly nonce?: bigint;
  /** the hot account when left out */
  readonly account?: string;
}

export interface ForgottenScene extends Scene {
  /** with 1,000 USDC */
  readonly owner: Owner;
  readonly addressId: string;
  readonly address: string;
  /** what a withdrawal of as much USDC to there sends */
  readonly transferOf: (amount: bigint) => Transfer;
  /** Signed by the process that is lost, and mined. Gives the hash. */
  readonly sendForgotten: (transfer: Transfer, sending?: Sending) => Promise<string>;
  /** Until nothing more happens. */
  readonly settle: (process?: ReturnType<Scene["startProcess"]>) => Promise<void>;
  /** what arrived there, in the smallest unit */
  readonly sentTo: () => readonly bigint[];
  /** in whole USDC */
  readonly balances: () => Promise<{
    readonly available: bigint;
    readonly withdrawing: bigint;
    readonly isWhole: boolean;
  }>;
}

export async function openForgotten(engine: Engine): Promise<ForgottenScene> {
  const scene = await openScene(engine);
  const { hotAddress, database, clock, chain } = scene;
  await rememberOwnAccounts({ database, clock }, [{ account: hotAddress, role: "hot" }]);
  const owner = await scene.newOwner();
  await scene.fund(owner, 1000n * whole);
  const { id: addressId, address } = await scene.register(owner);
  const { contractAddress } = usdc;
  return {
    ...scene,
    owner,
    addressId,
    address,
    transferOf: (amount) => ({ to: address, contractAddress, amountRaw: amount * whole }),
    sendForgotten: async (transfer, { nonce, account = hotAddress } = {}) => {
      const fees = { maxFeePerGas: 90n * gwei, maxPriorityFeePerGas: 3n * gwei };
      const intent = { ...transfer, nonce: nonce ?? (await chain.minedCount(account)), fees };
      const { raw, txHash } = await new ScriptedKeys(account).sign(chainId, intent);
      await chain.send(raw);
      chain.mine();
      return txHash;
    },
    settle: async (process = scene.startProcess()) => {
      for (let round = 0; round < 3; round++) {
        await process.send();
        chain.mine(finalBlocks);
        clock.advance(20_000);
        await process.confirm();
      }
    },
    sentTo: () => chain.transfersTo(address).map(({ amountRaw }) => amountRaw),
    balances: async () => ({
      available: (await scene.balance(owner, "merchant:available")) / whole,
      withdrawing: (await scene.balance(owner, "merchant:withdrawing")) / whole,
      isWhole: await scene.isLedgerWhole(),
    }),
  };
}
