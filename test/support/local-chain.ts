// A real chain for tests: anvil on a free port of 127.0.0.1, with our contracts deployed. One for
// each test file is right (`beforeAll` and `close` in `afterAll`); a test then uses accounts of its
// own or `snapshot` and `revert`.
//
//   const chain = await startTestChain();
//   const [payer] = chain.accounts;               // nine of them, 10,000 coins each, keys included
//   await chain.mint(payer.address, 25_000_000n); // TestUSD has 6 decimals
//   const hash = await chain.transfer({ from: payer.address, to, amountRaw: 10_000_000n });
//   await chain.mine(2);                          // nothing is in a block before this
//   await chain.reorg(2);                         // both blocks replaced by empty ones
//   await chain.close();
//
// - Nothing mines by itself: what `transfer`, `send` and `write` answer waits in the pool until
//   `mine`. `mint` and `deploy` mine one block each.
// - `from` may be any address: those in `accounts` really sign, others are impersonated by the
//   chain (their transactions cannot be sent again after a reorg).
// - What reverts gets into a block and has a receipt: no gas is estimated.
// - A snapshot cannot be gone back to once its own newest block is gone in a reorg.
// - What `giveCoin` and `setCode` do becomes part of the next block, and is lost with it in a reorg.
// - Keep it under 1,000 blocks: each block costs more than the one before.
// - `safe` is 4 blocks behind the newest, `finalized` 8.

import { join } from "node:path";
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  numberToHex,
  type Abi,
  type Hex,
} from "viem";
import { startAnvil } from "../../adapters/local-chain/anvil.ts";
import { compileContracts, type Contracts } from "../../adapters/local-chain/compile.ts";
import {
  localChainNumber,
  ownerAddress,
  testUsdAddress,
} from "../../adapters/local-chain/contract-addresses.ts";
import {
  contractNamed,
  contractsFolder,
  deployLocalContracts,
} from "../../adapters/local-chain/deployment.ts";
import { localRpc, type LocalRpc } from "../../adapters/local-chain/rpc.ts";
import { testAccounts } from "./test-accounts.ts";

export interface TestChainOptions {
  /** 31337 unless said; 84532 for x402 clients that know named networks only */
  readonly chainNumber?: bigint;
  /** unix seconds of the first block; now unless said */
  readonly genesisSeconds?: number;
  /** each block is this much later than the one before, whatever time it is */
  readonly secondsPerBlock?: number;
}

export interface TestBlock {
  readonly number: bigint;
  readonly hash: Hex;
  /** unix seconds */
  readonly timestamp: bigint;
}

export interface TestReceipt {
  readonly isSuccess: boolean;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[];
}

export interface Sending {
  readonly from: string;
  readonly to: string;
  readonly data?: Hex;
  /** of the chain's coin */
  readonly coinRaw?: bigint;
}

export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amountRaw: bigint;
  /** TestUSD unless said; null: the chain's coin */
  readonly contractAddress?: string | null;
}

export interface ContractCall {
  /** its name in the .sol files */
  readonly contract: string;
  readonly address: string;
  readonly functionName: string;
  readonly parameters?: readonly unknown[];
}

export interface TestChain {
  readonly url: string;
  /** by its CAIP-2 name, "eip155:31337" */
  readonly chainId: string;
  readonly chainNumber: bigint;
  readonly processId: number;
  /** TestUSD, with the rules of USDC and 6 decimals */
  readonly usdAddress: Hex;
  /** owner of TestUSD; the chain signs for it */
  readonly ownerAddress: Hex;
  readonly accounts: typeof testAccounts;
  readonly rpc: LocalRpc;
  readonly abiOf: (contract: string) => Abi;

  // Blocks.
  /** the newest block afterwards */
  readonly mine: (blocks?: number) => Promise<TestBlock>;
  readonly newestBlock: () => Promise<TestBlock>;
  readonly block: (number: bigint) => Promise<TestBlock>;
  /** Replaces the newest blocks by as many others, with these transactions in the first of them. */
  readonly reorg: (depth: number, again?: readonly Hex[]) => Promise<void>;
  /** Takes the newest blocks away. */
  readonly rollback: (depth: number) => Promise<void>;
  readonly setAutomine: (isOn: boolean) => Promise<void>;
  /** unix seconds of the next block; later ones follow from there */
  readonly setTime: (unixSeconds: number | bigint) => Promise<void>;
  readonly snapshot: () => Promise<unknown>;
  /** once for each snapshot */
  readonly revert: (snapshot: unknown) => Promise<void>;

  // Money.
  /** at once, without a block */
  readonly giveCoin: (to: string, coinRaw: bigint) => Promise<void>;
  /** of TestUSD, or of one of our tokens at that address; mines a block */
  readonly mint: (to: string, amountRaw: bigint, contractAddress?: string) => Promise<void>;
  readonly transfer: (transfer: Transfer) => Promise<Hex>;
  /** of TestUSD unless said; null: the chain's coin */
  readonly balanceOf: (owner: string, contractAddress?: string | null) => Promise<bigint>;

  // Transactions and contracts.
  readonly send: (sending: Sending) => Promise<Hex>;
  /** The signed bytes, to send them again after a reorg; of pending and mined ones. */
  readonly rawOf: (hash: Hex) => Promise<Hex>;
  readonly sendRaw: (raw: Hex) => Promise<Hex>;
  readonly receipt: (hash: Hex) => Promise<TestReceipt | undefined>;
  /** A contract of the .sol files here and in adapters/local-chain/contracts; mines a block. */
  readonly deploy: (contract: string, parameters?: readonly unknown[]) => Promise<Hex>;
  readonly write: (from: string, call: ContractCall) => Promise<Hex>;
  readonly read: (call: ContractCall) => Promise<unknown>;

  /** Ends the process; nothing is left. */
  readonly close: () => Promise<void>;
}

const testContractsFolder = join(import.meta.dirname, "contracts");

export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  const chainNumber = options.chainNumber ?? localChainNumber;
  const { genesisSeconds, secondsPerBlock } = options;
  const contracts = await compileContracts([contractsFolder, testContractsFolder]);
  const anvil = await startAnvil({
    chainNumber,
    isMiningByHand: true,
    ...(genesisSeconds === undefined ? {} : { genesisSeconds }),
  });
  const rpc = localRpc(anvil.url);
  try {
    if (secondsPerBlock !== undefined) {
      await rpc("anvil_setBlockTimestampInterval", [secondsPerBlock]);
    }
    await deployLocalContracts(rpc, contracts);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  const blocks = blocksOf(rpc);
  const transactions = transactionsOf({ rpc, contracts, mine: blocks.mine });
  return {
    url: anvil.url,
    chainId: `eip155:${chainNumber}`,
    chainNumber,
    processId: anvil.pid,
    usdAddress: testUsdAddress,
    ownerAddress,
    accounts: testAccounts,
    rpc,
    abiOf: (contract) => contractNamed(contracts, contract).abi,
    ...blocks,
    ...transactions,
    close: anvil.stop,
  };
}

type Blocks = Pick<
  TestChain,
  | "mine"
  | "newestBlock"
  | "block"
  | "reorg"
  | "rollback"
  | "setAutomine"
  | "setTime"
  | "snapshot"
  | "revert"
>;

function blocksOf(rpc: LocalRpc): Blocks {
  const read = async (tag: string): Promise<TestBlock> => {
    // As the chain's interface has it.
    const block = (await rpc("eth_getBlockByNumber", [tag, false])) as Record<string, Hex> | null;
    if (block === null) throw new Error(`there is no block ${tag}`);
    const { number = "0x", hash = "0x", timestamp = "0x" } = block;
    return { number: BigInt(number), hash, timestamp: BigInt(timestamp) };
  };
  const newestBlock = () => read("latest");
  return {
    newestBlock,
    block: (number) => read(numberToHex(number)),
    mine: async (blocks = 1) => {
      for (let count = 0; count < blocks; count += 1) await rpc("evm_mine");
      return newestBlock();
    },
    reorg: async (depth, again = []) => {
      const raw = await Promise.all(again.map((hash) => rawOf(rpc, hash)));
      await rpc("anvil_reorg", [depth, raw.map((bytes) => [bytes, 0])]);
    },
    rollback: async (depth) => {
      await rpc("anvil_rollback", [depth]);
    },
    setAutomine: async (isOn) => {
      await rpc("evm_setAutomine", [isOn]);
    },
    setTime: async (unixSeconds) => {
      await rpc("evm_setNextBlockTimestamp", [Number(unixSeconds)]);
    },
    snapshot: () => rpc("evm_snapshot"),
    revert: async (snapshot) => {
      if ((await rpc("evm_revert", [snapshot])) !== true) throw new Error("no such snapshot");
    },
  };
}

type Transactions = Pick<
  TestChain,
  | "giveCoin"
  | "mint"
  | "transfer"
  | "balanceOf"
  | "send"
  | "rawOf"
  | "sendRaw"
  | "receipt"
  | "deploy"
  | "write"
  | "read"
>;

interface TransactionPorts {
  readonly rpc: LocalRpc;
  readonly contracts: Contracts;
  readonly mine: TestChain["mine"];
}

/** Enough for all that tests do; nothing is estimated, so what reverts gets into a block too. */
const gasOfCall = numberToHex(500_000);
const gasOfDeployment = numberToHex(5_000_000);

function transactionsOf({ rpc, contracts, mine }: TransactionPorts): Transactions {
  const known = new Set(
    [ownerAddress, ...testAccounts.map(({ address }) => address)].map((one) => one.toLowerCase()),
  );
  /** A transaction hash, as the chain's interface has it. */
  const sendWithGas = async ({ from, to, data, coinRaw }: Partial<Sending>, gas: Hex) => {
    const sender = from ?? ownerAddress;
    if (!known.has(sender.toLowerCase())) {
      await rpc("anvil_impersonateAccount", [sender]);
      known.add(sender.toLowerCase());
    }
    const value = numberToHex(coinRaw ?? 0n);
    return (await rpc("eth_sendTransaction", [{ from: sender, to, data, value, gas }])) as Hex;
  };
  const send = (sending: Sending) => sendWithGas(sending, gasOfCall);
  const encode = (call: Omit<ContractCall, "address">) =>
    encodeFunctionData({
      abi: contractNamed(contracts, call.contract).abi,
      functionName: call.functionName,
      args: call.parameters ?? [],
    });
  const write = (from: string, call: ContractCall) =>
    send({ from, to: call.address, data: encode(call) });
  const read = async (call: ContractCall) => {
    const data = (await rpc("eth_call", [{ to: call.address, data: encode(call) }])) as Hex;
    const { abi } = contractNamed(contracts, call.contract);
    return decodeFunctionResult({ abi, functionName: call.functionName, data });
  };
  // In whatever spelling an address comes: without capitals there is no checksum to be wrong.
  const usdCall = (
    functionName: string,
    [account, ...more]: readonly [string, ...unknown[]],
    address?: string,
  ) => ({
    contract: "TestUSD",
    address: address ?? testUsdAddress,
    functionName,
    parameters: [account.toLowerCase(), ...more],
  });
  return {
    send,
    write,
    read,
    rawOf: (hash) => rawOf(rpc, hash),
    sendRaw: async (raw) => (await rpc("eth_sendRawTransaction", [raw])) as Hex,
    giveCoin: async (to, coinRaw) => {
      await rpc("anvil_setBalance", [to, numberToHex(coinRaw)]);
    },
    mint: async (to, amountRaw, contractAddress) => {
      const hash = await write(ownerAddress, usdCall("mint", [to, amountRaw], contractAddress));
      await mine();
      await requireSuccess(rpc, hash);
    },
    transfer: ({ from, to, amountRaw, contractAddress }) =>
      contractAddress === null
        ? send({ from, to, coinRaw: amountRaw })
        : write(from, usdCall("transfer", [to, amountRaw], contractAddress)),
    balanceOf: async (owner, contractAddress) => {
      if (contractAddress === null) {
        return BigInt((await rpc("eth_getBalance", [owner, "latest"])) as Hex);
      }
      // A uint256, by the ABI.
      return (await read(usdCall("balanceOf", [owner], contractAddress))) as bigint;
    },
    receipt: (hash) => receiptOf(rpc, hash),
    deploy: async (name, parameters = []) => {
      const { abi, creationCode } = contractNamed(contracts, name);
      const data = encodeDeployData({ abi, bytecode: creationCode, args: parameters });
      const nonce = (await rpc("eth_getTransactionCount", [ownerAddress, "pending"])) as Hex;
      const hash = await sendWithGas({ data }, gasOfDeployment);
      await mine();
      await requireSuccess(rpc, hash);
      return getContractAddress({ from: ownerAddress, nonce: BigInt(nonce) });
    },
  };
}

async function rawOf(rpc: LocalRpc, hash: Hex): Promise<Hex> {
  const raw = await rpc("eth_getRawTransactionByHash", [hash]);
  if (typeof raw !== "string") throw new Error(`the chain does not have ${hash}`);
  // Hex, as the chain's interface has it.
  return raw as Hex;
}

async function receiptOf(rpc: LocalRpc, hash: Hex): Promise<TestReceipt | undefined> {
  // As the chain's interface has it.
  const receipt = (await rpc("eth_getTransactionReceipt", [hash])) as {
    readonly status: Hex;
    readonly blockNumber: Hex;
    readonly blockHash: Hex;
    readonly logs: TestReceipt["logs"];
  } | null;
  if (receipt === null) return undefined;
  const { status, blockNumber, blockHash, logs } = receipt;
  return { isSuccess: status === "0x1", blockNumber: BigInt(blockNumber), blockHash, logs };
}

async function requireSuccess(rpc: LocalRpc, hash: Hex): Promise<void> {
  const receipt = await receiptOf(rpc, hash);
  if (receipt?.isSuccess !== true) throw new Error(`the transaction ${hash} has not succeeded`);
}
