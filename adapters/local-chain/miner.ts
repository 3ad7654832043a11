// Blocks of the developer's chain. Each transaction gets one at once (anvil's own automine); these
// are the others: a few behind each transaction, so that it becomes final, one a second to look at,
// and one now and then, so that the chain's time goes on and payments expire.

import type { LocalRpc } from "./rpc.ts";

export interface MinerPorts {
  readonly rpc: LocalRpc;
  readonly clock: { readonly nowMilliseconds: () => number };
  /** after this long without a block */
  readonly idleSeconds: number;
  /** behind the newest transaction */
  readonly blocksBehind: number;
}

const turnMilliseconds = 1_000;

export class LocalMiner {
  readonly #ports: MinerPorts;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(ports: MinerPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      // A chain that does not answer has ended, which is seen elsewhere, or will answer again.
      this.#turn = this.turn().catch(() => undefined);
      void this.#turn.then(() => {
        if (!this.#isStopped) this.start();
      });
    }, turnMilliseconds);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /** At most one block. */
  async turn(): Promise<void> {
    const { rpc, clock, idleSeconds, blocksBehind } = this.#ports;
    const newest = await this.#block("latest");
    const idleMilliseconds = clock.nowMilliseconds() - newest.unixSeconds * 1_000;
    if (idleMilliseconds >= idleSeconds * 1_000) {
      await rpc("evm_mine");
      return;
    }
    let block = newest;
    for (let depth = 0; depth < blocksBehind && block.number > 0; depth += 1) {
      if (block.transactions > 0) {
        await rpc("evm_mine");
        return;
      }
      block = await this.#block(`0x${(block.number - 1).toString(16)}`);
    }
  }

  async #block(tag: string) {
    // As the chain's interface has it. Its own numbers are small: nobody counts money here.
    const block = (await this.#ports.rpc("eth_getBlockByNumber", [tag, false])) as {
      readonly number: string;
      readonly timestamp: string;
      readonly transactions: readonly string[];
    };
    return {
      number: Number(block.number),
      unixSeconds: Number(block.timestamp),
      transactions: block.transactions.length,
    };
  }
}
