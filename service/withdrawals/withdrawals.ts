// Asking for a withdrawal, and taking it back. What becomes of it after that is the business of the
// queue that sends everything, and of `withdrawalSending`.

import assert from "node:assert";
import { rawAmountOf } from "../amounts.ts";
import { nearIds } from "../catalog/near-ids.ts";
import { refusalsOf, ServiceError } from "../errors.ts";
import { eventValues } from "../events/events.ts";
import { decideAgain, storeAnswer, isChanged } from "../idempotency/decide-again.ts";
import { keyExpired, keyTaken } from "../idempotency/idempotency.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Owner } from "../owner.ts";
import { CheckViolation, UniqueViolation } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { Database } from "../ports/database.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { readPayoutFacts, readWithdrawalFacts } from "./facts.sql.ts";
import type { WithdrawalFacts } from "./facts.sql.ts";
import {
  cancelWithdrawal,
  findWithdrawal,
  listCurrencyIds,
  requestPayout,
  requestWithdrawal,
} from "./withdrawals.sql.ts";
import type { NewWithdrawalValues, WithdrawalRow } from "./withdrawals.sql.ts";
import { isWithdrawAddressId } from "./address-model.ts";
import { isWithdrawalId, release, reservation, withdrawalEvent } from "./model.ts";
import type { Withdrawal } from "./model.ts";
import { checkBalance, errorOfRefused, placeOf, placeProblems } from "./decision.ts";
import type { NamedPlace, PlaceView, Refused, WithdrawalPlace } from "./decision.ts";

export interface RequestWithdrawalCommand {
  readonly currencyId: string;
  /** CAIP-2 */
  readonly chainId: string;
  /** decimal text: what the recipient gets */
  readonly amount: string;
  readonly withdrawAddressId: string;
  /** the API key that asks for it */
  readonly keyId: string;
}

export interface PayoutCommand {
  readonly owner: Owner;
  readonly deploymentId: string;
  readonly withdrawAddressId: string;
  /** Whoever made this standing order had a key that may be used from some addresses only. */
  readonly isKeyBound: boolean;
  /** all: what is available, less the fee */
  readonly amount:
    | { readonly kind: "exact"; readonly sendAmountRaw: bigint }
    | { readonly kind: "all"; readonly minimumRaw: bigint };
  readonly occurredAt: Date;
}

export type PayoutResult = { readonly withdrawal: Withdrawal } | Refused;

/** What a payout would be right now. */
export type PayoutPreview = { readonly sendAmountRaw: bigint; readonly feeRaw: bigint } | Refused;

export class Withdrawals {
  readonly #ports: RecordingPorts & WatchedChains;

  constructor(ports: RecordingPorts & WatchedChains) {
    this.#ports = ports;
  }

  /**
   * Throws what `placeOf` and `checkBalance` refuse, and between the two `amount_precision`,
   * `amount_too_small` and `amount_too_large`. Texts must be without U+0000.
   */
  async request(
    owner: Owner,
    command: RequestWithdrawalCommand,
    finish: Finish<Withdrawal>,
  ): Promise<void> {
    await decideAgain("balance", async () => {
      const now = this.#ports.clock.now();
      const { database, watchedChainIds } = this.#ports;
      const place = await findPlace(database, { owner, ...command }, { now, watchedChainIds });
      const sendAmountRaw = rawAmountOf(command.amount, place.decimals, "/amount");
      const poor = checkBalance(place, sendAmountRaw);
      if (poor !== undefined) throw errorOfRefused(poor);
      const withdrawal = this.#draft(owner, place, sendAmountRaw);
      const finishing = finish(withdrawal);
      const idempotencyKey = finishing.fenceKey;
      const values = this.#values(withdrawal, place, { occurredAt: now, idempotencyKey });
      return this.#isWritten({ ...values, ...finishing });
    });
  }

  /** What `request` would refuse of a body of which parts are not known, whatever the balance is. */
  problemsOf(owner: Owner, keyId: string, parts: PlaceParts): Promise<readonly ServiceError[]> {
    return placeProblemsOf(this.#ports, { owner, keyId }, parts);
  }

  /** False: somebody else has spent the balance that was read, and nothing was written. */
  async #isWritten(values: NewWithdrawalValues & FinishingValues): Promise<boolean> {
    try {
      const rows = await this.#ports.database.run(requestWithdrawal, values);
      if (rows.length === 0) throw keyTaken();
      return true;
    } catch (error) {
      const violated = error instanceof CheckViolation || error instanceof UniqueViolation;
      if (!violated) throw error;
      if (error.constraint === "ledger_accounts_not_negative") return false;
      // The request made a withdrawal once, and its answer is long forgotten.
      if (error.constraint === "withdrawals_idempotency_key") throw keyExpired();
      throw error;
    }
  }

  /**
   * For whoever withdraws for a merchant, in an open `database.transaction`: a refusal is a value, and
   * nothing was written then. What is there cannot be spent by somebody else before the commit: the
   * transaction is serializable, and is run again if that happens.
   */
  async requestInTransaction(database: Database, command: PayoutCommand): Promise<PayoutResult> {
    const decided = await this.#decidePayout(database, command);
    if ("refused" in decided) return decided;
    const { place, sendAmountRaw } = decided;
    const withdrawal = this.#draft(command.owner, place, sendAmountRaw);
    const more = { occurredAt: command.occurredAt, idempotencyKey: null };
    const rows = await database.run(requestPayout, this.#values(withdrawal, place, more));
    assert(rows.length === 1, "there is nothing that could keep it from being written");
    return { withdrawal };
  }

  /** What `requestInTransaction` would do; nothing is written. */
  async lookInTransaction(database: Database, command: PayoutCommand): Promise<PayoutPreview> {
    const decided = await this.#decidePayout(database, command);
    if ("refused" in decided) return decided;
    return { sendAmountRaw: decided.sendAmountRaw, feeRaw: decided.place.feeRaw };
  }

  async #decidePayout(
    database: Database,
    command: PayoutCommand,
  ): Promise<{ readonly place: WithdrawalPlace; readonly sendAmountRaw: bigint } | Refused> {
    const { owner, deploymentId, isKeyBound } = command;
    const { merchantId, environment } = owner;
    const withdrawAddressId = askable(command.withdrawAddressId);
    const wanted = { merchantId, environment, deploymentId, withdrawAddressId, isKeyBound };
    const [facts] = await database.run(readPayoutFacts, wanted);
    assert(facts !== undefined, "the statement has one row");
    // The time of whoever asks, which may be more reliable than the clock of this process.
    // Whoever runs a payout has asked for fresh chains.
    const place = placeOf(facts, { now: command.occurredAt, watchedChainIds: undefined });
    if ("refused" in place) return place;
    const sendAmountRaw = sendAmountOf(command, place);
    if (typeof sendAmountRaw !== "bigint") return sendAmountRaw;
    return checkBalance(place, sendAmountRaw) ?? { place, sendAmountRaw };
  }

  #draft(owner: Owner, place: WithdrawalPlace, sendAmountRaw: bigint): Withdrawal {
    const { merchantId, environment } = owner;
    const { currencyId, deploymentId, chainId, feeRaw } = place;
    return {
      id: this.#ports.identifiers.next("wdr"),
      owner: { merchantId, environment },
      currencyId,
      deploymentId,
      chainId,
      sendAmountRaw,
      feeRaw,
      status: "pending",
      txHash: null,
      reason: null,
    };
  }

  #values(
    withdrawal: Withdrawal,
    place: WithdrawalPlace,
    more: { readonly occurredAt: Date; readonly idempotencyKey: string | null },
  ): NewWithdrawalValues {
    const now = this.#ports.clock.now();
    return {
      ...withdrawal.owner,
      id: withdrawal.id,
      currencyId: place.currencyId,
      deploymentId: place.deploymentId,
      chainId: place.chainId,
      contractAddress: place.contractAddress,
      withdrawAddressId: place.withdrawAddressId,
      address: place.address,
      feeVersion: place.feeVersion,
      singleMaxRaw: place.singleMaxRaw,
      dailyMaxRaw: place.dailyMaxRaw,
      sendAmountRaw: withdrawal.sendAmountRaw,
      feeRaw: withdrawal.feeRaw,
      now,
      idempotencyKey: more.idempotencyKey,
      ...eventValues(this.#ports, withdrawalEvent("withdrawal.requested", withdrawal)),
      ...ledgerValues(this.#ports, reservation(withdrawal, more.occurredAt)),
    };
  }

  /** Cancelled already: the same answer, and nothing happens. Throws `not_found`, `withdrawal_not_cancellable`. */
  async cancel(owner: Owner, id: string, finish: Finish<Withdrawal>): Promise<void> {
    await decideAgain("withdrawal", async () => {
      const withdrawal = await this.get(owner, id);
      if (withdrawal.status === "cancelled") {
        return storeAnswer(this.#ports.database, finish(withdrawal));
      }
      if (withdrawal.status !== "pending") throw notCancellable(withdrawal);
      return this.#isCancelled({ ...withdrawal, status: "cancelled" }, finish);
    });
  }

  /** False: somebody has just claimed, cancelled or rejected it, and nothing was written. */
  async #isCancelled(cancelled: Withdrawal, finish: Finish<Withdrawal>): Promise<boolean> {
    const now = this.#ports.clock.now();
    const { id, owner } = cancelled;
    const rows = await this.#ports.database.run(cancelWithdrawal, {
      ...owner,
      id,
      now,
      ...eventValues(this.#ports, withdrawalEvent("withdrawal.cancelled", cancelled)),
      ...ledgerValues(this.#ports, release(cancelled, now)),
      ...finish(cancelled),
    });
    return isChanged(rows);
  }

  /** Throws `not_found`. */
  async get({ merchantId, environment }: Owner, id: string): Promise<Withdrawal> {
    const [row] = isWithdrawalId(id)
      ? await this.#ports.database.run(findWithdrawal, { merchantId, environment, id })
      : [];
    if (row !== undefined) return withdrawalOf(row);
    throw new ServiceError("not_found", "There is no withdrawal with this id.");
  }
}

/** Who asks. */
interface Asker {
  readonly owner: Owner;
  readonly keyId: string;
}

export interface WantedPlace
  extends Asker, Pick<RequestWithdrawalCommand, "currencyId" | "chainId" | "withdrawAddressId"> {}

/** Throws what `placeOf` refuses. */
export async function findPlace(
  database: Database,
  wanted: WantedPlace,
  view: PlaceView,
): Promise<WithdrawalPlace> {
  const facts = await readFacts(database, wanted);
  const place = placeOf(facts, view);
  if (!("refused" in place)) return place;
  if (place.refused !== "currency_not_found") throw errorOfRefused(place);
  const ids = (await database.run(listCurrencyIds, {})).map(({ id }) => id);
  throw errorOfRefused({
    ...place,
    details: { ...place.details, near_currency_ids: nearIds(wanted.currencyId, ids) },
  });
}

async function readFacts(
  database: Database,
  { owner, keyId, currencyId = "", chainId = "", withdrawAddressId = "" }: NamedPlace & Asker,
): Promise<WithdrawalFacts> {
  const { merchantId, environment } = owner;
  const [facts] = await database.run(readWithdrawalFacts, {
    merchantId,
    environment,
    currencyId,
    chainId,
    keyId,
    withdrawAddressId: askable(withdrawAddressId),
  });
  assert(facts !== undefined, "the statement has one row");
  return facts;
}

/** A body for a withdrawal, or for a schedule of them, of which parts are not known. */
export interface PlaceParts extends NamedPlace {
  /** decimal text, and where it stands */
  readonly amount: { readonly text: string | undefined; readonly pointer: string };
}

/** What would be refused of the parts that are known. Nothing is written. */
export async function placeProblemsOf(
  { database, clock, watchedChainIds }: RecordingPorts & WatchedChains,
  asker: Asker,
  { amount, ...named }: PlaceParts,
): Promise<readonly ServiceError[]> {
  const facts = await readFacts(database, { ...asker, ...named });
  const problems = placeProblems(facts, { now: clock.now(), watchedChainIds }, named);
  const { text, pointer } = amount;
  const { decimals } = facts;
  if (text === undefined || decimals === null) return problems;
  return [...problems, ...refusalsOf([() => rawAmountOf(text, decimals, pointer)])];
}

export function withdrawalOf(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    owner: { merchantId: row.merchant_id, environment: row.environment },
    currencyId: row.currency_id,
    deploymentId: row.deployment_id,
    chainId: row.chain_id,
    sendAmountRaw: BigInt(row.send_amount_raw),
    feeRaw: BigInt(row.fee_raw),
    status: row.status,
    txHash: row.tx_hash,
    reason: row.reason,
  };
}

/** What cannot be an id of ours is replaced by one that nobody has. */
function askable(withdrawAddressId: string): string {
  return isWithdrawAddressId(withdrawAddressId) ? withdrawAddressId : "";
}

function sendAmountOf({ amount }: PayoutCommand, place: WithdrawalPlace): bigint | Refused {
  if (amount.kind === "exact") return amount.sendAmountRaw;
  const sendAmountRaw = place.availableRaw - place.feeRaw;
  if (sendAmountRaw > 0n && sendAmountRaw >= amount.minimumRaw) return sendAmountRaw;
  return {
    refused: "amount_too_small",
    message: "What is available less the fee is below the least amount.",
    details: { available_raw: place.availableRaw.toString() },
  };
}

function notCancellable({ status, txHash }: Withdrawal): ServiceError {
  const details = txHash === null ? { status } : { status, tx_hash: txHash };
  return new ServiceError(
    "withdrawal_not_cancellable",
    "Only a pending withdrawal can be cancelled.",
    { details },
  );
}
