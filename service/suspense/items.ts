// What is in suspense. A deposit that pays nothing, or that is nobody's, and what was not used of an x402
// authorization and did not get back to its payer: each is decided about as a whole, and once.

import type { Database } from "../ports/database.ts";
import type { AccountKind, ChainFamily, OutgoingStatus, PaymentStatus } from "../database/words.ts";
import type { DepositPlace } from "../chains/unmatched.sql.ts";
import type { Owner } from "../owner.ts";
import { OperatorError } from "../operator-error.ts";
import * as store from "./items.sql.ts";
import type { ItemRow } from "./items.sql.ts";

export type ItemSource =
  | {
      readonly kind: "deposit";
      readonly place: DepositPlace;
      /** in the ledger; a deposit can be booked again after a reorganisation */
      readonly booking: number;
      /** where its coins came to */
      readonly holder: Extract<AccountKind, "chain:deposit_addresses" | "chain:settlement">;
    }
  | {
      readonly kind: "refund";
      readonly settlementId: string;
      /** of the transfer to the payer */
      readonly release: OutgoingStatus | null;
    };

export interface SuspenseItem {
  /** such as eip155:8453/0x.../12 or stl_... */
  readonly id: string;
  readonly source: ItemSource;
  readonly account: Extract<
    AccountKind,
    "merchant:unmatched" | "payer:unmatched" | "payer:refund_due"
  >;
  readonly chainId: string;
  readonly chainFamily: ChainFamily;
  readonly isTestNetwork: boolean;
  readonly deploymentId: string;
  readonly decimals: number;
  readonly amountRaw: bigint;
  /** null: the chain does not say */
  readonly sender: string | null;
  readonly since: Date;
  readonly paymentId: string | null;
  readonly paymentStatus: PaymentStatus | null;
  /** null: nobody's */
  readonly owner: Owner | null;
}

export function itemOf(row: ItemRow): SuspenseItem {
  const { merchant_id: merchantId, environment } = row;
  const owner = merchantId === null || environment === null ? null : { merchantId, environment };
  const source = sourceOf(row);
  return {
    id: source.kind === "refund" ? source.settlementId : depositId(source.place),
    source,
    account: accountOf(source, owner),
    chainId: row.chain_id,
    chainFamily: row.chain_family,
    isTestNetwork: row.is_test_network,
    deploymentId: row.deployment_id,
    decimals: row.decimals,
    amountRaw: BigInt(row.amount_raw),
    sender: row.sender,
    since: row.since,
    paymentId: row.payment_id,
    paymentStatus: row.payment_status,
    owner,
  };
}

function sourceOf(row: ItemRow): ItemSource {
  const { chain_id: chainId, tx_hash: txHash, log_index: logIndex, booking, settlement_id } = row;
  if (txHash !== null && logIndex !== null && booking !== null) {
    const holder = row.source === "address" ? "chain:deposit_addresses" : "chain:settlement";
    return { kind: "deposit", place: { chainId, txHash, logIndex }, booking, holder };
  }
  if (settlement_id === null) throw new Error("an item is a deposit or a refund");
  return { kind: "refund", settlementId: settlement_id, release: row.release_status };
}

function accountOf(source: ItemSource, owner: Owner | null): SuspenseItem["account"] {
  if (source.kind === "refund") return "payer:refund_due";
  return owner === null ? "payer:unmatched" : "merchant:unmatched";
}

function depositId({ chainId, txHash, logIndex }: DepositPlace): string {
  return `${chainId}/${txHash}/${logIndex}`;
}

const depositForm = /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})\/(0x[0-9a-f]{1,64})\/(-?\d{1,9})$/;

function placeOf(id: string): DepositPlace | undefined {
  const [, chainId, txHash, logIndex] = depositForm.exec(id) ?? [];
  if (chainId === undefined || txHash === undefined) return undefined;
  return { chainId, txHash, logIndex: Number(logIndex) };
}

/**
 * In the transaction in which it is decided about, before anything else is locked. Throws
 * `OperatorError`: it is not there, or was decided about.
 */
export async function lockItem(inside: Database, id: string): Promise<SuspenseItem> {
  const place = placeOf(id);
  const [row] = await (place === undefined ? lockRefund(inside, id) : lockDeposit(inside, place));
  if (row !== undefined) return itemOf(row);
  const [known] = place === undefined ? [] : await inside.run(store.findDepositPayment, place);
  const exitId = known?.suspense_exit_id ?? null;
  throw new OperatorError(
    exitId === null
      ? `Nothing waits as ${id}: "suspense list" shows what does.`
      : `${id} was decided about already, as ${exitId}.`,
  );
}

/** Where a list goes on. Throws `OperatorError` for what was never there. */
export async function itemPlace(
  database: Database,
  item: string | undefined,
): Promise<{ readonly afterSince: Date | null; readonly afterItem: string }> {
  if (item === undefined) return { afterSince: null, afterItem: "" };
  const [found] = await database.run(store.findItemSince, { item });
  if (found !== undefined) return { afterSince: found.since, afterItem: item };
  throw new OperatorError(`There is no ${item}: --after takes an item of "suspense list".`);
}

async function lockDeposit(inside: Database, place: DepositPlace): Promise<readonly ItemRow[]> {
  const [found] = await inside.run(store.findDepositPayment, place);
  const paymentId = found?.payment_id ?? null;
  if (paymentId !== null) await inside.run(store.lockItemPayment, { id: paymentId });
  return inside.run(store.lockDepositItem, place);
}

async function lockRefund(inside: Database, settlementId: string): Promise<readonly ItemRow[]> {
  const [found] = await inside.run(store.findSettlementPayment, { settlementId });
  if (found === undefined) return [];
  await inside.run(store.lockItemPayment, { id: found.payment_id });
  return inside.run(store.lockRefundItem, { settlementId });
}

/**
 * A reorganisation took away what was sent back, and now it is here again: the platform has paid for it
 * already. Or it was given back, and moved something else, as a token with a fee does. Throws
 * `OperatorError`.
 */
export async function refuseSentBefore(
  inside: Database,
  { id, source }: Pick<SuspenseItem, "id" | "source">,
): Promise<void> {
  if (source.kind === "refund") {
    if (source.release !== "succeeded") return;
    throw new OperatorError(
      `${id} was given back by a transaction that is mined and has moved something else than the books ` +
        'say: what is left of it is not known here. Settle it with the payer, and "suspense write-off" it.',
    );
  }
  const [sent] = await inside.run(store.findSentBefore, source.place);
  if (typeof sent?.id !== "string") return;
  throw new OperatorError(
    `${id} was sent back already, as ${sent.id}, before a reorganisation took it away. The platform has ` +
      'borne that loss: "suspense write-off" makes it good.',
  );
}
