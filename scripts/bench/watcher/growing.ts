// The chain grows, the watcher follows, and what that takes is added up.

import { serverCpuMicroseconds } from "../measuring.ts";
import type { NodeCounts } from "./node.ts";
import { finalBlocks } from "./prepared-chain.ts";
import type { Filling } from "./prepared-chain.ts";
import type { RunningNode } from "./running-node.ts";
import type { Watching } from "./watching.ts";

/** What is in a block. */
export interface Content {
  readonly ours: number;
  readonly others: number;
}

const nothing: Content = { ours: 0, others: 0 };

/** Of all blocks of a turn together. */
export interface Taken {
  readonly blocks: number;
  /** of this process, in microseconds */
  readonly cpu: number;
  readonly databaseCpu: number;
  readonly seconds: number;
  readonly requests: number;
  readonly calls: number;
}

export interface GrowingPorts {
  readonly nodes: readonly RunningNode[];
  readonly watching: Watching;
  readonly databasePid: number;
}

/** After the last block of a turn: until all of it is final. */
export const tailBlocks = finalBlocks + 4;

export class GrowingChain {
  readonly #ports: GrowingPorts;
  /** the newest block */
  #head: number;
  /** payments that were paid, from the first one on */
  #paid = 0;

  constructor(ports: GrowingPorts, head: number) {
    this.#ports = ports;
    this.#head = head;
  }

  get head(): number {
    return this.#head;
  }

  get paid(): number {
    return this.#paid;
  }

  /** Block for block, as a watcher does that is up to date, and then some without anything in them. */
  async follow(content: Content, blocks: number): Promise<Taken> {
    const all = [
      ...Array.from({ length: blocks }, () => content),
      ...Array.from({ length: tailBlocks }, () => nothing),
    ];
    return await this.#taking(all.map((one) => [one]));
  }

  /** Blocks that are all there when the watcher begins, of which each `every`th has one transfer to us. */
  async jump(blocks: number, every: number): Promise<Taken> {
    const all = Array.from({ length: blocks }, (_, index) => ({
      ours: index % every === 0 ? 1 : 0,
      others: 0,
    }));
    return await this.#taking([all]);
  }

  async #taking(steps: readonly (readonly Content[])[]): Promise<Taken> {
    const { nodes, watching, databasePid } = this.#ports;
    await this.#counted();
    const databaseBefore = serverCpuMicroseconds(databasePid);
    const sums = { blocks: 0, cpu: 0, seconds: 0 };
    for (const contents of steps) {
      const fillings = contents.flatMap((content) => this.#grow(content));
      for (const node of nodes) await node.grow(this.#head, fillings);
      const [before, began] = [process.cpuUsage(), performance.now()];
      await watching.catchUp();
      const { user, system } = process.cpuUsage(before);
      sums.cpu += user + system;
      sums.seconds += (performance.now() - began) / 1_000;
      sums.blocks += contents.length;
    }
    const databaseCpu = serverCpuMicroseconds(databasePid) - databaseBefore;
    return { ...sums, databaseCpu, ...(await this.#counted()) };
  }

  #grow({ ours, others }: Content): readonly Filling[] {
    this.#head += 1;
    if (ours + others === 0) return [];
    const filling = { number: this.#head, ours, firstPayment: this.#paid + 1, others };
    this.#paid += ours;
    return [filling];
  }

  async #counted(): Promise<{ readonly requests: number; readonly calls: number }> {
    const counts = await Promise.all(this.#ports.nodes.map((node) => node.count()));
    return {
      requests: sum(counts.map(({ requests }) => requests)),
      calls: sum(counts.flatMap((one: NodeCounts) => Object.values(one.calls))),
    };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
