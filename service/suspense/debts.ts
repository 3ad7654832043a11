// What merchants owe after a deep reorganisation, and what it is paid with when no income of its
// deployment comes any more: their own balance in another deployment at a stated rate, a payment that
// nobody here can see, or the platform.

import { amountOf } from "../amounts.ts";
import type { AuditAction } from "../audit/audit.ts";
import {
  bookByHand,
  deploymentOf,
  evidenceOf,
  handAmountRaw,
  referenceOf,
} from "../ledger/by-hand.ts";
import type { HandBooked } from "../ledger/by-hand.ts";
import { recordBorneDebt } from "../ledger/borne-debts.sql.ts";
import type { Posting } from "../ledger/model.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment, Owner } from "../owner.ts";
import { posting } from "../payments/share-postings.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { listDebts, lockMerchantAccounts } from "./debts.sql.ts";

const shownMax = 500;

export interface Debt {
  readonly owner: Owner;
  readonly deploymentId: string;
  readonly raw: bigint;
  /** decimal text */
  readonly amount: string;
  readonly since: Date | null;
}

interface DebtWish {
  readonly merchantId: string;
  readonly environment: Environment;
  /** of the debt */
  readonly deploymentId: string;
  /** of the debt, in decimal text */
  readonly amount: string;
  /** counts once for the debt */
  readonly evidence: string;
}

export interface DebtSettling extends DebtWish {
  /** left out: it was paid elsewhere */
  readonly from?: { readonly deploymentId: string; readonly rate: string } | undefined;
}

type Funded = Awaited<ReturnType<typeof deploymentOf>>;

interface Paid {
  readonly kind: string;
  readonly action: AuditAction;
  readonly details: Readonly<Record<string, unknown>>;
  /** The platform has paid it; so it is paid back first when the money behind it comes again. */
  readonly isBorne?: boolean;
  /** beside those of the debt itself */
  readonly paying: (amountRaw: bigint, owed: Funded) => Promise<readonly Posting[]>;
}

/** Throws `OperatorError` for what cannot be done. */
export class Debts {
  readonly #ports: RecordingPorts;

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  /** One more than are shown says that there are more. */
  async list(
    filter: {
      readonly merchantId?: string | undefined;
      readonly deploymentId?: string | undefined;
    } = {},
  ): Promise<readonly Debt[]> {
    const { merchantId = null, deploymentId = null } = filter;
    const values = { merchantId, deploymentId, rowsMax: shownMax + 1 };
    const rows = await this.#ports.database.run(listDebts, values);
    return rows.map((row) => {
      const raw = BigInt(row.balance);
      const owner = { merchantId: row.merchant_id, environment: row.environment };
      const amount = amountOf(raw, row.decimals);
      return { owner, deploymentId: row.deployment_id, raw, amount, since: row.since };
    });
  }

  /**
   * Our choice: the platform takes what the merchant has elsewhere, and bears the debt in its place; so
   * what the chain lacks in the deployment of the debt is the operator's to put in.
   */
  async settle(wish: DebtSettling): Promise<HandBooked> {
    const { from } = wish;
    const rate = from === undefined ? undefined : rateOf(from.rate);
    return this.#book(wish, (inside) => ({
      kind: "debt_settled",
      action: "debt.settled",
      details:
        from === undefined ? { paid: "outside" } : { from: from.deploymentId, rate: from.rate },
      paying: async (amountRaw, owed) => {
        if (from === undefined || rate === undefined) return [];
        if (from.deploymentId === wish.deploymentId) {
          throw new OperatorError(
            "That is the deployment of the debt, whose income pays it by itself.",
          );
        }
        const other = await deploymentOf(inside, from.deploymentId);
        if (other.is_test_network && !owed.is_test_network) {
          throw new OperatorError("Coins of a test network pay no debt in real ones.");
        }
        const takenRaw = exchangedRaw(amountRaw, {
          decimals: owed.decimals,
          otherDecimals: other.decimals,
          rate,
        });
        await checkHas(inside, wish, { ...from, kind: "merchant:available", wantedRaw: takenRaw });
        const { deploymentId } = from;
        return [
          posting("merchant:available", ownerOf(wish), takenRaw, deploymentId),
          posting("platform:fees", null, -takenRaw, deploymentId),
        ];
      },
    }));
  }

  /** The platform bears it, and is paid back first when the money behind it comes again. */
  writeOff(wish: DebtWish): Promise<HandBooked> {
    return this.#book(wish, () => ({
      kind: "debt_written_off",
      action: "debt.written_off",
      details: {},
      isBorne: true,
      paying: () => Promise.resolve([]),
    }));
  }

  async #book(wish: DebtWish, paidOf: (inside: Database) => Paid): Promise<HandBooked> {
    const { deploymentId } = wish;
    const owner = ownerOf(wish);
    const reference = referenceOf(evidenceOf(wish.evidence));
    const owed = await deploymentOf(this.#ports.database, deploymentId);
    const amountRaw = handAmountRaw(wish.amount, owed.decimals);
    try {
      return await this.#ports.database.transaction(async (inside) => {
        const { kind, action, details, paying, isBorne = false } = paidOf(inside);
        const debt = { deploymentId, kind: "merchant:debt", wantedRaw: amountRaw } as const;
        await checkHas(inside, wish, debt);
        const paid = await paying(amountRaw, owed);
        const booked = await bookByHand(
          { ...this.#ports, database: inside },
          {
            kind,
            action,
            ...owner,
            reference: `${deploymentId}/${owner.merchantId}/${owner.environment}/${reference}`,
            subject: { type: "deployment", id: deploymentId },
            details: { ...details, amount_raw: amountRaw.toString(), evidence: reference },
            postings: [
              ...paid,
              posting("platform:fees", null, amountRaw, deploymentId),
              posting("merchant:debt", owner, -amountRaw, deploymentId),
            ],
          },
        );
        const { transactionId: id } = booked;
        if (isBorne) {
          const now = this.#ports.clock.now();
          const borne = { id, ...owner, deploymentId, borneRaw: amountRaw, now };
          await inside.run(recordBorneDebt, borne);
        }
        return booked;
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (error.constraint !== "ledger_transactions_once") throw error;
      throw new OperatorError(`${reference} has paid a debt in ${deploymentId} already.`);
    }
  }
}

function ownerOf({ merchantId, environment }: Owner): Owner {
  return { merchantId, environment };
}

async function checkHas(
  inside: Database,
  owner: Owner,
  {
    deploymentId,
    kind,
    wantedRaw,
  }: {
    readonly deploymentId: string;
    readonly kind: "merchant:debt" | "merchant:available";
    readonly wantedRaw: bigint;
  },
): Promise<void> {
  const values = { ...ownerOf(owner), deploymentIds: [deploymentId] };
  const rows = await inside.run(lockMerchantAccounts, values);
  const hasRaw = BigInt(rows.find((row) => row.kind === kind)?.balance ?? 0);
  if (wantedRaw <= hasRaw) return;
  throw new OperatorError(
    `${kind} of ${owner.merchantId} ${owner.environment} in ${deploymentId} is ${hasRaw} units, and that ` +
      `are ${wantedRaw}.`,
  );
}

interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const rateForm = /^(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

/** How many whole units of the other deployment pay one of the debt's. */
function rateOf(text: string): Rate {
  const [, whole, fraction = ""] = rateForm.exec(text) ?? [];
  const numerator = BigInt(`${whole ?? "0"}${fraction}`);
  if (whole !== undefined && numerator > 0n) {
    return { numerator, denominator: 10n ** BigInt(fraction.length) };
  }
  throw new OperatorError(
    "A rate is written like 1 or 0.00035: what one unit of the debt costs there.",
  );
}

/** Rounded up: who owes pays the part of a unit. */
function exchangedRaw(
  amountRaw: bigint,
  {
    decimals,
    otherDecimals,
    rate,
  }: { readonly decimals: number; readonly otherDecimals: number; readonly rate: Rate },
): bigint {
  const numerator = amountRaw * rate.numerator * 10n ** BigInt(otherDecimals);
  const denominator = rate.denominator * 10n ** BigInt(decimals);
  return (numerator + denominator - 1n) / denominator;
}
