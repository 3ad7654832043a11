// The report of what was really used of an upto payment: one for each payment, before or after the
// authorization is settled.

import assert from "node:assert";
import { hash } from "node:crypto";
import { auditValues } from "../audit/audit.ts";
import { canonicalAmount, rawAmountOf } from "../amounts.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { CatalogDeployment } from "../catalog/model.ts";
import { ServiceError } from "../errors.ts";
import { storeAnswer } from "../idempotency/decide-again.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import { outgoingValues } from "../sending/model.ts";
import type { Owner } from "../owner.ts";
import type { Database } from "../ports/database.ts";
import { queueOutgoing } from "../sending/queue.sql.ts";
import { insertUsage, useSettlement } from "./settling.sql.ts";
import type { readUsage, readX402Payment } from "./settling.sql.ts";
import { readFacts } from "./payable.ts";
import type { X402SettlementsTable } from "../database/tables/x402.ts";
import { isSchemePossible, x402MeansOf } from "../catalog/x402-capabilities.ts";
import { signedOf } from "./model.ts";
import type { PaymentStatus } from "../database/words.ts";
import type { QuotedDeployment } from "../database/tables/payments.ts";
import type { SettlingPorts } from "./settling.ts";
import { settlementDraft } from "./settling.ts";

export interface UsageReport {
  readonly paymentId: string;
  /** decimal text, which may be zero */
  readonly actualAmount: string;
  readonly usageId: string;
  /** JSON, without U+0000 */
  readonly evidence: object;
}

export interface RecordedUsage {
  readonly paymentId: string;
  readonly maxRaw: bigint;
  readonly actualRaw: bigint;
  readonly usageId: string;
}

/** Who reports. */
export interface Reporter extends Owner {
  /** of the API key, for the audit log */
  readonly keyId: string;
}

export type UsagePorts = Pick<
  SettlingPorts,
  "database" | "clock" | "identifiers" | "catalog" | "progress" | "chains" | "sendNow"
>;

type PaymentFacts = NonNullable<(typeof readX402Payment)["row"]>;
type Settlement = X402SettlementsTable;

/** What of the payment is charged by its usage. */
interface Target {
  readonly quoted: QuotedDeployment;
  readonly maxRaw: bigint;
  /** the authorization that was accepted; undefined: none yet */
  readonly live: Settlement | undefined;
}

export class X402UsageReports {
  readonly #ports: UsagePorts;

  constructor(ports: UsagePorts) {
    this.#ports = ports;
  }

  /**
   * Throws `not_found`, `amount_precision`, `amount_too_large`, `usage_not_upto`,
   * `usage_exceeds_max`, `usage_already_reported`, `usage_closed`. The same report again is answered
   * as the first one, and nothing happens.
   */
  async report(
    reporter: Reporter,
    report: UsageReport,
    finish: Finish<RecordedUsage>,
  ): Promise<void> {
    const { catalog, database, sendNow } = this.#ports;
    const deployments = await catalog.allDeployments();
    const queued = await database.transaction((inside) =>
      this.#reportIn(inside, { reporter, report, finish, deployments }),
    );
    if (queued === undefined) return;
    // If this fails, the jobs send it.
    await sendNow(queued.chain_id, queued.pay_to).catch(() => undefined);
  }

  /** Gives the authorization whose transaction was queued. */
  async #reportIn(
    inside: Database,
    { reporter, report, finish, deployments }: Reporting,
  ): Promise<Settlement | undefined> {
    const { merchantId, environment } = reporter;
    const { paymentId, usageId } = report;
    const of = { merchantId, environment, paymentId };
    const facts = await readFacts(inside, reporter, { paymentId, missing: "not_found" });
    const { payment, settlements, usage: known } = facts;
    if (known !== undefined) {
      const actualRaw = usedRaw(report, quotedOf(payment, known.deployment_id));
      await repeat(inside, { known, report, actualRaw, finish });
      return undefined;
    }
    const target = this.#target(payment, settlements, deployments);
    const { quoted, maxRaw, live } = target;
    const actualRaw = usedRaw(report, quoted);
    if (actualRaw > maxRaw) throw exceedsMax();
    if (live !== undefined) this.#refuseClosed(payment, live);
    const recorded: RecordedUsage = { paymentId, maxRaw, actualRaw, usageId };
    const evidence = canonicalJson(report.evidence);
    const evidenceHash = hash("sha256", evidence, "buffer");
    const written = await inside.run(insertUsage, {
      ...of,
      versionRead: payment.version,
      deploymentId: quoted.deploymentId,
      usageId,
      maxRaw,
      actualRaw,
      evidence,
      evidenceHash,
      now: this.#ports.clock.now(),
      ...this.#audit(reporter, recorded, evidenceHash),
    });
    assert(written.length === 1, "the payment was read in this transaction");
    await storeAnswer(inside, finish(recorded));
    const queued = await this.#use(inside, live, { ...of, actualRaw });
    await this.#ports.progress.tell(inside, paymentId, "x402.usage_reported");
    return queued;
  }

  /** By Permit2 nothing was sent so far: now it is, as much as was used. */
  async #use(
    inside: Database,
    live: Settlement | undefined,
    used: Owner & { readonly paymentId: string; readonly actualRaw: bigint },
  ): Promise<Settlement | undefined> {
    if (live?.status !== "waiting") return undefined;
    const { merchantId, environment, paymentId, actualRaw } = used;
    const status = actualRaw === 0n ? "unused" : "queued";
    const rows = await inside.run(useSettlement, {
      merchantId,
      environment,
      paymentId,
      id: live.id,
      status,
      amountRaw: actualRaw,
      now: this.#ports.clock.now(),
    });
    assert(rows.length === 1, "the settlement was read in this transaction");
    if (status === "unused") return undefined;
    const { scheme, deployment_id: deploymentId, chain_id: chainId } = live;
    const evidenceVersion = live.evidence_version;
    const checked = { ...signedOf(live), scheme, deploymentId, chainId, evidenceVersion };
    const draft = settlementDraft(live.id, live.pay_to, { ...checked, amountRaw: actualRaw });
    await inside.run(queueOutgoing, outgoingValues(this.#ports, draft));
    return live;
  }

  #target(
    payment: PaymentFacts,
    settlements: readonly Settlement[],
    deployments: readonly CatalogDeployment[],
  ): Target {
    const live = settlements.find(({ status }) => status !== "failed");
    if (live !== undefined) {
      if (live.scheme !== "upto") throw notUpto("The payment was settled by the exact scheme.");
      const maxRaw = BigInt(live.authorized_raw);
      return { quoted: quotedOf(payment, live.deployment_id), maxRaw, live };
    }
    if (closedStatuses.has(payment.status)) throw closed(payment.status);
    if (payment.status !== "pending" && payment.status !== "partially_paid") {
      throw notUpto("The payment is paid without x402.");
    }
    // Our choice: what came too late for one authorization is not charged from the next.
    const [last] = settlements;
    if (last?.scheme === "upto" && last.amount_raw === null) throw closed(payment.status);
    const connected = new Set(this.#ports.chains.map(({ chain }) => chain.chainId));
    const possible = payment.quotes
      .flatMap((quote) => quote.deployments)
      .filter(({ deploymentId, chainId }) => {
        const found = deployments.find(({ id }) => id === deploymentId);
        const isPossible = found !== undefined && isSchemePossible(x402MeansOf(found), "upto");
        return isPossible && connected.has(chainId);
      });
    const [quoted] = possible;
    if (quoted === undefined) throw notUpto("The payment cannot be settled by the upto scheme.");
    // Our choice: before a settlement says which one, there has to be one only.
    if (possible.length > 1) {
      throw notUpto("The payment can be settled in several deployments: settle it first.");
    }
    return { quoted, maxRaw: BigInt(quoted.rawAmount), live };
  }

  #refuseClosed({ status }: PaymentFacts, live: Settlement): void {
    const isWaiting = live.status === "waiting";
    const nowSeconds = BigInt(Math.floor(this.#ports.clock.nowMilliseconds() / 1000));
    const isLapsed = isWaiting && live.valid_before <= nowSeconds;
    const isOver = live.closed_at !== null || live.status === "unused";
    if (isOver || isLapsed) throw closed(status);
  }

  #audit(reporter: Reporter, recorded: RecordedUsage, evidenceHash: Uint8Array) {
    const { paymentId, maxRaw, actualRaw, usageId } = recorded;
    return auditValues({
      occurredAt: this.#ports.clock.now(),
      actor: `api_key ${reporter.keyId}`,
      action: "x402.usage_reported",
      merchantId: reporter.merchantId,
      environment: reporter.environment,
      subject: { type: "payment", id: paymentId },
      details: {
        usage_id: usageId,
        max_raw: maxRaw.toString(),
        actual_raw: actualRaw.toString(),
        evidence_hash: Buffer.from(evidenceHash).toString("hex"),
      },
    });
  }
}

interface Reporting {
  readonly reporter: Reporter;
  readonly report: UsageReport;
  readonly finish: Finish<RecordedUsage>;
  readonly deployments: readonly CatalogDeployment[];
}

interface Repeating extends Pick<Reporting, "report" | "finish"> {
  readonly known: NonNullable<(typeof readUsage)["row"]>;
  readonly actualRaw: bigint;
}

/** The same again is answered as it was, also under a new key; anything else is refused. */
async function repeat(inside: Database, repeating: Repeating): Promise<void> {
  const { known, report, actualRaw, finish } = repeating;
  const { paymentId, usageId } = report;
  if (known.usage_id !== usageId || BigInt(known.actual_raw) !== actualRaw) {
    const text = "The usage of this payment was reported before.";
    throw new ServiceError("usage_already_reported", text);
  }
  const recorded = { paymentId, maxRaw: BigInt(known.max_raw), actualRaw, usageId };
  await storeAnswer(inside, finish(recorded));
}

/** It is over, and nothing more can be charged. */
const closedStatuses: ReadonlySet<PaymentStatus> = new Set([
  "expired",
  "cancelled",
  "underpaid",
  "reversed",
]);

function quotedOf({ quotes }: PaymentFacts, deploymentId: string): QuotedDeployment {
  const quoted = quotes
    .flatMap(({ deployments }) => deployments)
    .find((one) => one.deploymentId === deploymentId);
  assert(quoted !== undefined, "only a quoted deployment is settled");
  return quoted;
}

/** Unlike other amounts it may be zero. */
function usedRaw({ actualAmount }: UsageReport, { decimals }: QuotedDeployment): bigint {
  if (canonicalAmount(actualAmount) === "0") return 0n;
  return rawAmountOf(actualAmount, decimals, "/actual_amount");
}

function exceedsMax(): ServiceError {
  const text = "The actual amount is above the authorized maximum.";
  return new ServiceError("usage_exceeds_max", text, { details: { pointer: "/actual_amount" } });
}

function notUpto(text: string): ServiceError {
  return new ServiceError("usage_not_upto", text);
}

function closed(status: PaymentStatus): ServiceError {
  const text = "Usage can no longer be reported for this payment.";
  return new ServiceError("usage_closed", text, { details: { status } });
}
