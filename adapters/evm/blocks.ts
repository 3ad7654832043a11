// What is in a block: its header by its number, everything else by its hash, so that two branches
// cannot mix, and with a look at whether anything was left out (threat 28).

import type { BlockContent, ChainTransfer } from "../../service/ports/chain.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { EndpointFailure, isTiredText, NodeError } from "./answers.ts";
import { unexplainedCoin } from "./coin-balances.ts";
import { findTraceWay, tracedTransfers } from "./coin-traces.ts";
import type { TraceWay } from "./coin-traces.ts";
import { blockOf, coinTransferOf, readHeader, readTransactions } from "./headers.ts";
import type { Header } from "./headers.ts";
import { readLogs, topics, transferOf } from "./logs.ts";
import type { TokenLog } from "./logs.ts";
import { readReceipts, receiptsRoot } from "./receipts.ts";
import type { BlockReceipt } from "./receipts.ts";
import type { Asked, Rpc, RpcLog } from "./rpc.ts";
import { Untraceable } from "./untraceable.ts";

export interface BlockReaderOptions {
  readonly rpc: Rpc;
  readonly chainId: string;
  readonly clock: Clock;
  readonly log: RpcLog;
  /** Each block whose number it divides is compared with its receipts, where the node gives them. */
  readonly spotCheckEvery: bigint;
  /** see `EvmChainOptions` */
  readonly openAddresses?: (() => Promise<readonly string[]>) | undefined;
}

export interface BlockWish {
  readonly number: bigint;
  readonly contracts: readonly (string | null)[];
  /** of the block that is probably there: its logs are asked for together with the header */
  readonly likelyHash?: string | undefined;
}

export interface ReadBlock {
  readonly content: BlockContent;
  /** of the endpoint that it came from */
  readonly place: number;
}

/** One that is away is not waited for with every block. */
const probeEveryMilliseconds = 60_000;
/** Of one block, where no traces are. */
const openAddressesMax = 500;
/** A filter that is fuller says yes to everything. */
const tellingFullnessMax = 1 / 3;
/** Their lists of receipts have more in them than their blocks have transactions. */
const chainsWithOddReceipts = new Set([137n, 80_002n]);
/** Ethereum, its test networks and the local chain: elsewhere there are receipts of other kinds. */
const chainsWithPlainRoots = new Set([1n, 17_000n, 31_337n, 560_048n, 11_155_111n]);

export class BlockReader {
  readonly #options: BlockReaderOptions;
  readonly #traceWays = new Map<number, Promise<TraceWay>>();
  /** the places of endpoints that give traces, as far as they have answered */
  #traced: readonly number[] = [];
  readonly #untraceable = new Untraceable();
  #probeAgainAt = Number.NEGATIVE_INFINITY;
  readonly #withoutReceipts = new Set<number>();
  readonly #warned = new Set<string>();

  constructor(options: BlockReaderOptions) {
    this.#options = options;
  }

  /** Undefined: the endpoint has no such block. */
  async read(
    endpoint: Asked,
    { number, contracts, likelyHash }: BlockWish,
  ): Promise<ReadBlock | undefined> {
    const tokens = contracts.filter((one) => one !== null);
    const [header, likely] = await Promise.all([
      readHeader(endpoint, number),
      likelyLogs(endpoint, tokens, likelyHash),
    ]);
    if (header === undefined) return undefined;
    // What was said of another block says nothing.
    const said = header.hash === likelyHash ? likely : undefined;
    const [moved, coins] = await Promise.all([
      this.#tokenTransfers(endpoint, { header, tokens, said }),
      contracts.includes(null) ? this.#coinTransfers(endpoint, header) : [],
    ]);
    const content = { ...blockOf(header), transfers: [...moved, ...coins] };
    return { content, place: endpoint.place };
  }

  /**
   * The places of endpoints with traces; undefined: none has them, as far as they answer. Two ways
   * of reading do not name a deposit alike, so either all or none of the reading is done by traces.
   */
  async placesForCoin(): Promise<readonly number[] | undefined> {
    const { rpc } = this.#options;
    const now = this.#options.clock.nowMilliseconds();
    if (this.#traceWays.size < rpc.endpointCount && now >= this.#probeAgainAt) {
      this.#probeAgainAt = now + probeEveryMilliseconds;
      await rpc.askAll(async (endpoint) => {
        if (this.#traceWays.has(endpoint.place)) return;
        const header = await readHeader(endpoint, "latest");
        if (header !== undefined) await this.#traceWayOf(endpoint, header);
      });
    }
    const ways = await Promise.all(
      Array.from(this.#traceWays, async ([place, way]) => {
        return { place, way: await way.catch(() => undefined) };
      }),
    );
    this.#traced = ways.flatMap(({ way, place }) =>
      way === "debug" || way === "parity" ? [place] : [],
    );
    if (this.#traced.length > 0) {
      // One that was away may have them too: it will be seen when it is asked.
      const without = new Set(ways.flatMap(({ way, place }) => (way === "none" ? [place] : [])));
      return rpc.placesBut(0).filter((place) => !without.has(place));
    }
    const isWatched = this.#options.openAddresses !== undefined;
    this.#warnOnce(
      isWatched
        ? "no endpoint gives traces: coin that contracts pay out is seen by balances only"
        : "no endpoint gives traces: coin that contracts pay out is not seen",
    );
    return undefined;
  }

  async #tokenTransfers(
    endpoint: Asked,
    { header, tokens, said }: TokensWish,
  ): Promise<readonly ChainTransfer[]> {
    if (tokens.length === 0) return [];
    const logs = readLogs(said ?? (await askLogs(endpoint, tokens, header.hash)));
    const asked = new Set(tokens);
    for (const { blockHash, contractAddress } of logs) {
      if (blockHash !== header.hash || !asked.has(contractAddress)) {
        throw new EndpointFailure("logs that nobody has asked for");
      }
    }
    await this.#checkLogs(endpoint, { header, tokens: asked, logs });
    return logs.flatMap((one) => transferOf(one) ?? []);
  }

  async #checkLogs(endpoint: Asked, { header, tokens, logs }: FoundLogs): Promise<void> {
    const { spotCheckEvery, rpc } = this.#options;
    const { bloom } = header;
    const found = new Set(logs.map(({ contractAddress }) => contractAddress));
    let isSuspicious = false;
    if (bloom !== undefined && bloom.fullness > 0) {
      const isForged = [...found].some((one) => !bloom.mayHaveTransfersOf(one));
      if (isForged) throw new EndpointFailure("logs that the header does not know");
      isSuspicious =
        bloom.fullness <= tellingFullnessMax &&
        [...tokens].some((one) => !found.has(one) && bloom.mayHaveTransfersOf(one));
    } else {
      // A header without a filter, as some chains have it, or a lie.
      isSuspicious = logs.length > 0;
    }
    if (!isSuspicious && header.number % spotCheckEvery !== 0n) return;
    if (chainsWithOddReceipts.has(rpc.chainNumber)) return;
    const receipts = await this.#receipts(endpoint, header);
    if (receipts === undefined) return;
    const said = receipts
      .flatMap((one) => one.logs)
      .filter((one) => one.topics[0] === topics.transfer && tokens.has(one.contractAddress));
    if (placesOf(said) !== placesOf(logs)) throw new EndpointFailure("logs are missing");
    this.#checkRoot(header, receipts);
  }

  #checkRoot(header: Header, receipts: readonly BlockReceipt[]): void {
    if (!chainsWithPlainRoots.has(this.#options.rpc.chainNumber)) return;
    const root = receiptsRoot(receipts);
    if (root !== undefined && root !== header.receiptsRoot) {
      throw new EndpointFailure("receipts that the header does not know");
    }
  }

  /** Undefined: the endpoint does not give them. */
  async #receipts(endpoint: Asked, header: Header): Promise<readonly BlockReceipt[] | undefined> {
    if (this.#withoutReceipts.has(endpoint.place)) return undefined;
    try {
      const answer = await endpoint.call("eth_getBlockReceipts", [header.hash]);
      if (answer === null) throw new EndpointFailure("it has no receipts of a block that it has");
      return readReceipts(answer, header);
    } catch (error) {
      if (!(error instanceof NodeError) || !isMissing(error)) throw error;
      this.#withoutReceipts.add(endpoint.place);
      this.#warnOnce(
        `endpoint ${endpoint.place} gives no receipts of blocks: logs are not checked`,
      );
      return undefined;
    }
  }

  async #coinTransfers(endpoint: Asked, header: Header): Promise<readonly ChainTransfer[]> {
    if (header.txHashes.length === 0) return [];
    const way = await this.#traceWayOf(endpoint, header);
    if (way === "none" && this.#traced.length > 0) throw new EndpointFailure("it gives no traces");
    const places = new Set([...this.#traced, endpoint.place]);
    if (way !== "none" && !this.#untraceable.isAt([...places], header.hash)) {
      return await this.#tracedTransfers(endpoint, way, header);
    }
    const [transactions, receipts] = await Promise.all([
      readTransactions(endpoint, header),
      this.#receiptsOneWayOrAnother(endpoint, header),
    ]);
    const plain = transactions
      .filter((_one, index) => receipts[index]?.isSuccess === true)
      .flatMap(coinTransferOf);
    if (way !== "none") {
      // Not by balances: those name what they find otherwise than traces do.
      const fields = { chain_id: this.#options.chainId, block: header.number, hash: header.hash };
      const text = "nobody can trace a block: coin that contracts paid in it is not seen";
      this.#options.log.error(fields, text);
      return plain;
    }
    const addresses = (await this.#options.openAddresses?.()) ?? [];
    if (addresses.length > openAddressesMax) {
      this.#warnOnce(`only ${openAddressesMax} addresses are watched by their balances`);
    }
    const some = addresses.slice(0, openAddressesMax);
    const wish = { transactions, receipts, addresses: some };
    const more = await unexplainedCoin(endpoint, header, wish);
    if (more === undefined) {
      this.#warnOnce(
        "balances of older blocks are not given: coin that contracts paid may be missed",
      );
    }
    return [...plain, ...(more ?? [])];
  }

  async #tracedTransfers(
    endpoint: Asked,
    way: "debug" | "parity",
    header: Header,
  ): Promise<readonly ChainTransfer[]> {
    try {
      try {
        return await tracedTransfers(endpoint, way, header);
      } catch (error) {
        if (way !== "debug" || !(error instanceof NodeError)) throw error;
        // Some keep those of the other kind for longer, without the state that made them.
        return await tracedTransfers(endpoint, "parity", header).catch(() => {
          throw error;
        });
      }
    } catch (error) {
      this.#untraceable.note(endpoint.place, header.hash, error);
      throw error;
    }
  }

  async #receiptsOneWayOrAnother(
    endpoint: Asked,
    header: Header,
  ): Promise<readonly BlockReceipt[]> {
    const receipts = await this.#receipts(endpoint, header);
    if (receipts !== undefined) return receipts;
    const answers = await Promise.all(
      header.txHashes.map((txHash) => endpoint.call("eth_getTransactionReceipt", [txHash])),
    );
    return readReceipts(answers, header);
  }

  /** An endpoint that fails meanwhile is looked at again. */
  #traceWayOf(endpoint: Asked, header: Header): Promise<TraceWay> {
    const { place } = endpoint;
    const known = this.#traceWays.get(place);
    if (known !== undefined) return known;
    // On the newest block: of an older one it may not give what it gives of others.
    const found = readHeader(endpoint, "latest").then((newest) =>
      findTraceWay(endpoint, newest ?? header),
    );
    this.#traceWays.set(place, found);
    found.catch(() => this.#traceWays.delete(place));
    return found;
  }

  #warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#options.log.warn({ chain_id: this.#options.chainId }, text);
  }
}

interface TokensWish {
  readonly header: Header;
  readonly tokens: readonly string[];
  /** of this very block; undefined: not asked yet */
  readonly said: unknown;
}

function askLogs(endpoint: Asked, tokens: readonly string[], blockHash: string): Promise<unknown> {
  return endpoint.call("eth_getLogs", [{ blockHash, address: tokens, topics: [topics.transfer] }]);
}

/** Undefined: nobody knows which block it is, or the node has no such block. */
async function likelyLogs(
  endpoint: Asked,
  tokens: readonly string[],
  blockHash: string | undefined,
): Promise<unknown> {
  if (tokens.length === 0 || blockHash === undefined) return undefined;
  try {
    return await askLogs(endpoint, tokens, blockHash);
  } catch (error) {
    // Where it is the block after all, it is asked again.
    if (error instanceof NodeError && !isTiredText(error)) return undefined;
    throw error;
  }
}

interface FoundLogs {
  readonly header: Header;
  readonly tokens: ReadonlySet<string>;
  readonly logs: readonly TokenLog[];
}

function placesOf(logs: readonly TokenLog[]): string {
  const places = logs.map(
    (log) => `${log.logIndex} ${log.txHash} ${log.topics.join(" ")} ${log.data}`,
  );
  return places.toSorted().join("\n");
}

/** How nodes and providers say that they do not have a method. */
function isMissing({ code, message }: NodeError): boolean {
  if (code === -32_601 || code === -32_004) return true;
  return /method\b.*\bnot\b|not (?:supported|allowed)|unsupported|unknown method/i.test(message);
}
