// The node of the benchmark: anvil with a block each second, and in front of it a door that counts what
// comes through: requests of HTTP, and the calls of JSON-RPC in them.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeFunctionData, getAddress, numberToHex, parseAbi } from "viem/utils";
import { startAnvil } from "../../../adapters/local-chain/anvil.ts";
import { compileContracts } from "../../../adapters/local-chain/compile.ts";
import {
  localChainNumber,
  ownerAddress,
  testUsdAddress,
} from "../../../adapters/local-chain/contract-addresses.ts";
import { contractsFolder, deployLocalContracts } from "../../../adapters/local-chain/deployment.ts";
import { localRpc } from "../../../adapters/local-chain/rpc.ts";
import type { LocalRpc } from "../../../adapters/local-chain/rpc.ts";

export interface NodeCounts {
  readonly requests: number;
  readonly calls: number;
  readonly byMethod: Readonly<Record<string, number>>;
}

export interface BenchNode {
  /** of the door, for the service */
  readonly url: string;
  readonly pid: number;
  /** past the door */
  readonly rpc: LocalRpc;
  readonly counts: () => NodeCounts;
  readonly giveCoin: (to: string) => Promise<void>;
  /** of TestUSD, more than a benchmark can spend */
  readonly giveUsd: (to: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const secondsPerBlock = 1;
const tokenAbi = parseAbi(["function mint(address to, uint256 value)"]);

export async function startNode(): Promise<BenchNode> {
  const contracts = await compileContracts([contractsFolder]);
  const anvil = await startAnvil({ chainNumber: localChainNumber, isMiningByHand: true });
  const rpc = localRpc(anvil.url);
  try {
    await deployLocalContracts(rpc, contracts);
    const door = new Door(anvil.url);
    const url = await door.open();
    return {
      url,
      pid: anvil.pid,
      rpc,
      counts: () => door.counts,
      giveCoin: async (to) => {
        await rpc("anvil_setBalance", [to, numberToHex(10n ** 24n)]);
        // What is set becomes part of the next block.
        await rpc("evm_mine");
      },
      giveUsd: async (to) => {
        for (const one of to) await mint(rpc, one);
        await rpc("evm_mine");
        await rpc("evm_setIntervalMining", [secondsPerBlock]);
      },
      stop: async () => {
        await door.close();
        await anvil.stop();
      },
    };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function mint(rpc: LocalRpc, to: string): Promise<void> {
  const args = [getAddress(to), 10n ** 15n] as const;
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "mint", args });
  const gas = numberToHex(200_000);
  await rpc("eth_sendTransaction", [{ from: ownerAddress, to: testUsdAddress, data, gas }]);
}

class Door {
  readonly #behind: string;
  readonly #server = createServer((request, response) => void this.#pass(request, response));
  readonly #byMethod: Record<string, number> = {};
  #requests = 0;
  #calls = 0;

  constructor(behind: string) {
    this.#behind = behind;
  }

  get counts(): NodeCounts {
    return { requests: this.#requests, calls: this.#calls, byMethod: { ...this.#byMethod } };
  }

  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    // It listens on a port, so it has an address of this form.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding was set
    const body = Buffer.concat(chunks);
    this.#count(JSON.parse(body.toString("utf8")) as Call | readonly Call[]);
    const headers = { "content-type": "application/json" };
    try {
      const answer = await fetch(this.#behind, { method: "POST", headers, body });
      const text = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { ...headers, "content-length": text.length }).end(text);
    } catch {
      // The node has gone: so does whoever asks for it.
      response.destroy();
    }
  }

  #count(asked: Call | readonly Call[]): void {
    const calls = [asked].flat() as readonly Call[];
    this.#requests += 1;
    this.#calls += calls.length;
    for (const { method } of calls) this.#byMethod[method] = (this.#byMethod[method] ?? 0) + 1;
  }
}

/** Of the service, which asks as JSON-RPC has it. */
interface Call {
  readonly method: string;
}
