// Connects the chains of the configuration, the chain of a developer's own among them, and the
// process with the keys. Without chains nothing is started, and the service runs all the same.

import { join } from "node:path";
import type { CatalogReader } from "../../service/catalog/catalog.ts";
import { finalityOf } from "../../service/catalog/finality.ts";
import { SignerIdentity } from "../../service/addresses/signer-identity.ts";
import { OwnAddresses } from "../../service/addresses/own-addresses.ts";
import { cellInWords } from "../../service/cell.ts";
import type { Cell } from "../../service/cell.ts";
import type { DepositAddressSource } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import type { SettlementChain } from "../../service/ports/settlement-chain.ts";
import { ForeignSigner } from "../../service/ports/signer.ts";
import type { SignerAccounts } from "../../service/ports/signer.ts";
import { isLocalChainOn } from "../configuration/chains.ts";
import type { Clock } from "../system/clock.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { openEvmChain } from "../evm/chain.ts";
import { openDepositAddresses } from "../evm/deposit-addresses.ts";
import type { RpcObserver } from "../evm/rpc.ts";
import type { LocalChain } from "../local-chain/local-chain.ts";
import { LocalChainUnavailable } from "../local-chain/unavailable.ts";
import type { Logger, LogOutput } from "../system/logging.ts";
import { SignerChildError, startSignerChild } from "../signer-client/child.ts";
import { connectSigner } from "../signer-client/client.ts";
import type { ConnectedSigner } from "../signer-client/client.ts";
import { socketPathBytesMax } from "../signer-client/protocol.ts";

export interface ConnectedChains {
  readonly chains: readonly SettlementChain[];
  readonly signer: ConnectedSigner;
  readonly depositSources: Readonly<Record<"evm", DepositAddressSource>>;
  /** undefined: there is none */
  readonly localChain: LocalChain | undefined;
  readonly close: () => Promise<void>;
}

export interface ChainPorts {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly log: Logger;
  /** for the lines of a signer that is our child */
  readonly signerOutput: LogOutput;
  /** of a signer that is a child; see `compileCacheOf` */
  readonly compileCache?: string | undefined;
  /** hears of what the nodes of a chain are asked */
  readonly observerOf?: ((chainId: string) => RpcObserver) | undefined;
}

export interface ChainKnowledge {
  readonly database: Database;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
}

/** The chains of a configuration that has none: undefined. What was started ends if the rest fails. */
export async function connectChains(
  ports: ChainPorts,
  knowledge: ChainKnowledge,
): Promise<ConnectedChains | undefined> {
  const rpcUrls = new Map(ports.configuration.chains.rpcUrls);
  const localChain = await openLocalChain(ports);
  if (localChain !== undefined) rpcUrls.set(localChain.chainId, [localChain.url]);
  if (rpcUrls.size === 0) return undefined;
  const opened: (() => Promise<void>)[] = [];
  if (localChain !== undefined) opened.push(() => localChain.stop());
  // The last one first, and each of them, whatever the others do.
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const one of opened.splice(0).toReversed()) {
      await one().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, "chains were not closed in order");
  };
  try {
    const { signer, close: closeSigner } = await openSigner(ports, knowledge);
    opened.push(closeSigner);
    if (localChain !== undefined) await giveGas(localChain, signer.accounts);
    const highValues = await HighValues.read(knowledge.catalog);
    opened.push(highValues.keepFresh());
    const { accounts } = signer;
    const chains = await openChains(ports, { ...knowledge, highValues, rpcUrls, accounts });
    return {
      chains,
      signer,
      depositSources: { evm: openDepositAddresses(signer.accounts.depositPublicKey) },
      localChain,
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Those that others run, for who only looks: no keys, and no chain of a developer's own. */
export async function openReadChains(
  ports: Omit<ChainPorts, "signerOutput">,
  knowledge: ChainKnowledge,
): Promise<readonly SettlementChain[]> {
  const { rpcUrls } = ports.configuration.chains;
  const highValues = await HighValues.read(knowledge.catalog);
  return openChains(ports, { ...knowledge, highValues, rpcUrls, accounts: undefined });
}

interface ChainParts extends ChainKnowledge {
  readonly rpcUrls: ReadonlyMap<string, readonly string[]>;
  readonly highValues: HighValues;
  /** undefined: there is no signer to ask */
  readonly accounts: SignerAccounts | undefined;
}

async function openChains(
  { clock, log, observerOf }: Pick<ChainPorts, "clock" | "log" | "observerOf">,
  { rpcUrls, database, highValues, accounts }: ChainParts,
): Promise<readonly SettlementChain[]> {
  const ours = accounts === undefined ? [] : [accounts.hotAddress, accounts.settlementAddress];
  const own = new OwnAddresses({ database, clock, accounts: ours });
  return await Promise.all(
    Array.from(rpcUrls, ([chainId, urls]) =>
      openEvmChain({
        chainId,
        urls,
        clock,
        log,
        observer: observerOf?.(chainId),
        highValueRaw: (contractAddress) => highValues.of(chainId, contractAddress),
        ownAddresses: (addresses) => own.among(addresses),
        openAddresses: () => own.open(),
      }),
    ),
  );
}

interface OpenedSigner {
  readonly signer: ConnectedSigner;
  readonly close: () => Promise<void>;
}

async function openSigner(
  { configuration, clock, log, signerOutput: output, compileCache }: ChainPorts,
  { database }: ChainKnowledge,
): Promise<OpenedSigner> {
  const identity = new SignerIdentity({ database, clock });
  const confirm = async (accounts: SignerAccounts): Promise<void> => {
    checkCell(accounts.cell, configuration.cell);
    await identity.confirm(accounts, openDepositAddresses(accounts.depositPublicKey).derive);
  };
  const { chains, cell, dataDirectory, logLevel } = configuration;
  const { signerSocket, signerPolicy: policyFile } = chains;
  if (signerSocket !== undefined) {
    const signer = await connectSigner({ socketPath: signerSocket, clock, log, confirm });
    return { signer, close: () => Promise.resolve(signer.close()) };
  }
  const folder = join(dataDirectory, "signer");
  const socketPath = join(folder, "signer.sock");
  if (Buffer.byteLength(socketPath) > socketPathBytesMax) {
    throw new SignerChildError(
      `The path ${socketPath} is too long for the socket of the signer ` +
        `(${socketPathBytesMax} bytes at most): name a shorter DATA_DIR.`,
    );
  }
  const options = { folder, socketPath, policyFile, cell, compileCache, logLevel, log, output };
  const child = await startSignerChild(options);
  try {
    const signer = await connectSigner({ socketPath, clock, log, confirm });
    return {
      signer,
      close: async () => {
        signer.close();
        await child.stop();
      },
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Throws `ForeignSigner`: a first contact would be accepted, and the other cell's money sent from here. */
function checkCell(ofSigner: Cell, ours: Cell): void {
  if (ofSigner === ours) return;
  throw new ForeignSigner(
    `What answers is the signer of ${cellInWords(ofSigner)}, and this is a server of ${cellInWords(ours)}: each cell ` +
      "has a signer of its own. Look whether SIGNER_SOCKET and CELL are the right ones here, and CELL and SIGNER_DIR there.",
  );
}

/**
 * What the launcher gives to a signer that is started on its own, a child gets as well: not in production, where
 * nothing that a server may write becomes code of the process with the keys.
 */
export function compileCacheOf(
  { environment }: Pick<Configuration, "environment">,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return environment === "production" ? undefined : variables["NODE_COMPILE_CACHE"];
}

/**
 * Our choice: where nobody has asked for the chain, a machine that cannot have one (no program for it,
 * installed without the packages of development) starts without it, and says so.
 */
async function openLocalChain(ports: ChainPorts): Promise<LocalChain | undefined> {
  const { configuration, clock, log } = ports;
  if (!isLocalChainOn(configuration)) return undefined;
  const stateFolder = join(configuration.dataDirectory, "local-chain");
  let chain: LocalChain;
  try {
    // Only where it is wanted: it brings development's own packages along.
    const { startLocalChain } = await import("../local-chain/local-chain.ts");
    chain = await startLocalChain({ clock, stateFolder });
  } catch (error) {
    const problem = new LocalChainUnavailable(error);
    if (configuration.chains.localChain === "on") throw problem;
    log.warn(
      { reason: problem.message },
      "there is no local chain: no payment can be made until EVM_RPC_URLS names a chain",
    );
    return undefined;
  }
  const { url, chainId } = chain;
  log.info({ rpc_url: url, chain_id: chainId }, `the local chain listens on ${url}`);
  let isStopping = false;
  void chain.ended.then(() => {
    if (!isStopping) log.error({ chain_id: chainId }, "the local chain has ended: start anew");
  });
  return {
    ...chain,
    stop: () => {
      isStopping = true;
      return chain.stop();
    },
  };
}

/** What the accounts need to pay for their transactions, for longer than anybody experiments. */
const localGasRaw = 100n * 10n ** 18n;

async function giveGas(
  chain: LocalChain,
  { hotAddress, settlementAddress }: SignerAccounts,
): Promise<void> {
  for (const address of [hotAddress, settlementAddress]) {
    // A hexadecimal number, as every node answers this.
    const has = (await chain.rpc("eth_getBalance", [address, "latest"])) as `0x${string}`;
    if (BigInt(has) < localGasRaw / 2n) await chain.giveCoin(address, localGasRaw);
  }
}

/** How old what is known of the catalog may be. */
const highValuesMilliseconds = 30_000;

/** From which amount on one node's word is not enough, by the catalog. */
class HighValues {
  readonly #catalog: ChainKnowledge["catalog"];
  #values: ReadonlyMap<string, bigint>;

  private constructor(catalog: ChainKnowledge["catalog"], values: ReadonlyMap<string, bigint>) {
    this.#catalog = catalog;
    this.#values = values;
  }

  static async read(catalog: ChainKnowledge["catalog"]): Promise<HighValues> {
    return new HighValues(catalog, await valuesOf(catalog));
  }

  /** Also where another process watches the chains: this one may have to go on at any moment. @returns what ends it */
  keepFresh(): () => Promise<void> {
    const read = async (): Promise<void> => {
      this.#values = await valuesOf(this.#catalog);
    };
    // What is known already holds until then, and if the database is away.
    const timer = setInterval(() => void read().catch(() => undefined), highValuesMilliseconds);
    timer.unref();
    return () => Promise.resolve(clearInterval(timer));
  }

  of(chainId: string, contractAddress: string | null): bigint | undefined {
    return this.#values.get(`${chainId} ${contractAddress}`);
  }
}

async function valuesOf(catalog: ChainKnowledge["catalog"]): Promise<ReadonlyMap<string, bigint>> {
  const deployments = await catalog.allDeployments();
  return new Map(
    deployments.flatMap((one) => {
      const least = finalityOf(one)?.highValueRaw;
      return least === undefined ? [] : [[`${one.chainId} ${one.contractAddress}`, least] as const];
    }),
  );
}
