// The node of this benchmark as its parent has it.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { NodeCounts, NodeOrder, NodeReady } from "./node.ts";
import type { ChainShape, Filling } from "./prepared-chain.ts";

export interface RunningNode {
  readonly url: string;
  /** The chain has blocks up to this one now. */
  readonly grow: (head: number, fillings: readonly Filling[]) => Promise<void>;
  /** what it was asked since it was last counted */
  readonly count: () => Promise<NodeCounts>;
  readonly close: () => Promise<void>;
}

export async function startNode(shape: ChainShape): Promise<RunningNode> {
  const child = fork(join(import.meta.dirname, "node.ts"), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const hear = async (): Promise<unknown> => {
    const failed = ended.then(() => Promise.reject(new Error("the node has ended")));
    return (await Promise.race([once(child, "message"), failed]))[0];
  };
  const tell = async (order: NodeOrder): Promise<NodeCounts> => {
    const heard = hear();
    child.send(order);
    // A program of ours says nothing else.
    return (await heard) as NodeCounts;
  };
  const { url } = (await hear()) as NodeReady;
  await tell({ do: "shape", shape });
  return {
    url,
    grow: async (head, fillings) => void (await tell({ do: "grow", head, fillings })),
    count: () => tell({ do: "count" }),
    close: async () => {
      child.disconnect();
      await ended;
    },
  };
}
