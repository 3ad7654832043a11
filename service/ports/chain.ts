// What the rules need of a chain. Everything here may lag, fail, or change its mind about the newest
// blocks; nothing of it is believed before it is final. All texts are in one spelling: hashes in
// lower case, addresses as the family normalises them (EVM: the checksum of EIP-55).
//
// The port suite of the tests says what every adapter has to keep.

export interface ChainBlock {
  readonly number: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
}

/** A successful transfer. */
export interface ChainTransfer {
  readonly txHash: string;
  /**
   * Unique in its transaction, whatever it is counted from; of the chain's own coin, which has no
   * logs: below zero. A reorganisation may move it.
   */
  readonly logIndex: number;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  readonly from: string;
  readonly to: string;
  readonly amountRaw: bigint;
}

export interface ChainHead extends ChainBlock {
  /** CAIP-2, as whoever answered says now: behind one address another chain may come to answer */
  readonly chainId: string;
  /** the newest block that the chain itself calls safe or finalized; undefined where it has no such word */
  readonly safeNumber: bigint | undefined;
  readonly finalizedNumber: bigint | undefined;
}

export interface BlockContent extends ChainBlock {
  /**
   * Successful ones, of the contracts that were asked for, and of the chain's own coin if null is
   * among them. They are of the block with this hash, even if another one has its number by now.
   */
  readonly transfers: readonly ChainTransfer[];
}

/** In the smallest unit of the chain's own coin, for each unit of gas. */
export interface ChainFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface SignedTransfer {
  readonly txHash: string;
  readonly raw: Uint8Array;
}

export interface ChainReceipt {
  readonly txHash: string;
  readonly block: ChainBlock;
  readonly isSuccess: boolean;
  /** of the chain's own coin */
  readonly gasCostRaw: bigint;
  readonly transfers: readonly ChainTransfer[];
}

/** A token's own method that moves what its owner has signed away, by EIP-3009: whoever hands it in pays the gas. */
export interface MinedCollection extends Pick<ChainTransfer, "from" | "to" | "amountRaw"> {
  /** the token */
  readonly contractAddress: string;
  /** unix seconds */
  readonly validAfter: bigint;
  /** unix seconds */
  readonly validBefore: bigint;
  /** 32 bytes as 0x and lower-case hex */
  readonly nonce: string;
}

/** Of a kind that is never signed here: all of it is the word of one node. */
export interface OtherMined {
  readonly raw: undefined;
  readonly account: string;
  readonly nonce: bigint;
  readonly blockNumber: bigint;
  readonly transfer: undefined;
  readonly collect: undefined;
}

export type MinedOfAnyKind = MinedTransaction | OtherMined;

/** What one of our accounts may have sent, whether anybody here remembers it or not. */
export interface MinedTransaction extends SignedTransfer {
  /** whose signature it bears */
  readonly account: string;
  readonly nonce: bigint;
  readonly gasUnitsMax: bigint;
  readonly fees: ChainFees;
  readonly blockNumber: bigint;
  /** undefined: it is more than a transfer of the coin, or of a token by its own method, or less */
  readonly transfer: Pick<ChainTransfer, "contractAddress" | "to" | "amountRaw"> | undefined;
  /** undefined: it is no such call, or more, or less */
  readonly collect: MinedCollection | undefined;
}

/**
 * What became of a transaction that was handed over.
 * - accepted: it waits to be mined
 * - known: it waited already, or is mined as it is
 * - nonce_used: a transaction with its number is mined, this one or another; a receipt tells which
 * - underpriced: not taken, its fees are too low now, or no more than a little above those of the
 *   transaction with its number that waits
 * - unfunded: not taken, the account cannot pay for it now
 *
 * "Not taken" is the word of one node at one moment. Another one may have the transaction and mine
 * it: only a receipt, or another one for the same number, decides.
 */
export type SendResult = "accepted" | "known" | "nonce_used" | "underpriced" | "unfunded";

/**
 * Every method throws `chain_unavailable` (a ServiceError) when nobody answers or the answer cannot
 * be trusted: then nothing is known, and nothing is decided. None waits without an end: whoever
 * makes the adapter sets a limit.
 */
export interface Chain {
  /** CAIP-2 */
  readonly chainId: string;
  readonly head: () => Promise<ChainHead>;
  /**
   * Undefined: the chain has no block of this number now.
   * @param isAgain it was read before, perhaps by another process, and what both say is believed
   */
  readonly block: (
    number: bigint,
    contracts: readonly (string | null)[],
    isAgain?: boolean,
  ) => Promise<BlockContent | undefined>;
  /** How much an account has now. */
  readonly balance: (address: string, contractAddress: string | null) => Promise<bigint>;
  /**
   * How much it had after the block with this hash. Throws `chain_unavailable` too where the block is
   * not of the branch that counts any more, or so old that nobody knows.
   */
  readonly balanceAt: (
    address: string,
    contractAddress: string | null,
    blockHash: string,
  ) => Promise<bigint>;
  /** The same, where it matters: if several nodes are there, two of them have to say it. */
  readonly agreedBalanceAt: Chain["balanceAt"];

  /** How many transactions of the account are mined; the next one has this number. */
  readonly minedCount: (address: string) => Promise<bigint>;
  readonly fees: () => Promise<ChainFees>;
  /** Hands over a signed transaction. To send the same bytes again is harmless. */
  readonly send: (raw: Uint8Array) => Promise<SendResult>;
  /** Undefined: not mined on the branch that counts now. */
  readonly receipt: (txHash: string) => Promise<ChainReceipt | undefined>;
  /**
   * With the signature as its proof, so nobody's word counts for who has sent it and what it does. That it
   * is mined is the word of one node. Undefined: not mined.
   */
  readonly minedTransaction: (txHash: string) => Promise<MinedOfAnyKind | undefined>;
}

/** Makes addresses that payments are sent to, without any key that could spend from them. */
export interface DepositAddressSource {
  /** what they are derived from; undefined: made up in a test */
  readonly publicKey?: string;
  readonly derive: (index: bigint) => string;
}
