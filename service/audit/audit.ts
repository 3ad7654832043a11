// The audit log: who changed what, written with the change, in one chain of hashes. The database
// makes the chain; here it is checked, by code that shares nothing with the one that made it.

import assert from "node:assert";
import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment } from "../owner.ts";
import type { Database } from "../ports/database.ts";
import { listAuditEntries, listNewestAuditEntries, readAuditPage } from "./audit.sql.ts";
import type { AuditValues } from "./audit.sql.ts";

/** Everything that leaves an entry. */
export type AuditAction =
  | "merchant.created"
  | "merchant.suspended"
  | "merchant.activated"
  | "merchant.fee_set"
  | "split_consent.granted"
  | "split_consent.ended"
  | "api_key.created"
  | "api_key.rotated"
  | "api_key.revoked"
  | "catalog.applied"
  // One by one, so that the first comes before and the second after all of them.
  | "secrets.reseal_begun"
  | "secrets.resealed"
  | "webhook_endpoint.disabled"
  | "webhook_deliveries.resend_begun"
  | "webhook_deliveries.resent"
  | "withdraw_address.registered"
  | "withdraw_address.disabled"
  | "withdrawal.approved"
  | "withdrawal.rejected"
  | "withdrawal.decided"
  | "withdrawal.remembered"
  | "sweep.ordered"
  | "outgoing.decided"
  | "sweep.remembered"
  | "float.set"
  | "gas_budget.set"
  | "chain.rescanned"
  | "withdrawals.stopped"
  | "withdrawals.resumed"
  | "withdrawal_fee.set"
  | "withdrawal_limits.set"
  | "subscription.created"
  | "x402.usage_reported"
  | "ledger.funded"
  | "ledger.moved"
  | "ledger.taken"
  | "suspense.credited"
  | "suspense.sent_back"
  | "suspense.written_off"
  | "suspense.cancelled"
  | "suspense.decided"
  | "suspense.remembered"
  | "debt.settled"
  | "debt.written_off"
  | "deployment.frozen"
  | "deployment.unfrozen"
  | "deposit_addresses.advanced"
  | "signer.accepted"
  | "signer.journal_accepted";

export interface AuditDraft {
  readonly occurredAt: Date;
  readonly actor: "operator" | "system" | `api_key ${string}`;
  readonly action: AuditAction;
  /** whom it concerns, if it is one merchant */
  readonly merchantId?: string;
  readonly environment?: Environment;
  readonly subject: { readonly type: string; readonly id: string };
  /** in wire names; never a secret, since nobody can take it out again */
  readonly details: object;
}

const detailsBytesMax = 65_536;

const reasonCharactersMax = 200;

/** Why an operator does something, as an entry says it. Throws `OperatorError`. */
export function checkedReason(reason: string): string {
  const text = reason.trim();
  if (text !== "" && Array.from(text).length <= reasonCharactersMax && !text.includes("\0")) {
    return text;
  }
  throw new OperatorError(`Give a reason of 1 to ${reasonCharactersMax} characters.`);
}

/** The values that `recordingAudit` needs in its statement. */
export function auditValues(draft: AuditDraft): AuditValues {
  const details = canonicalJson(draft.details);
  const bytes = Buffer.byteLength(details, "utf8");
  assert(bytes <= detailsBytesMax, `${draft.action} has ${bytes} bytes of details`);
  return {
    auditOccurredAt: draft.occurredAt,
    auditActor: draft.actor,
    auditAction: draft.action,
    auditMerchantId: draft.merchantId ?? null,
    auditEnvironment: draft.environment ?? null,
    auditSubjectType: draft.subject.type,
    auditSubjectId: draft.subject.id,
    auditDetails: details,
  };
}

export interface AuditEntry {
  readonly sequence: bigint;
  readonly occurredAt: Date;
  readonly actor: string;
  readonly action: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly subject: { readonly type: string; readonly id: string };
  /** canonical JSON */
  readonly details: string;
}

/** A place in the chain. Kept somewhere else, it proves that all before it is as it was. */
export interface AuditAnchor {
  readonly sequence: bigint;
  /** 64 hexadecimal digits */
  readonly hash: string;
}

export interface AuditVerdict {
  /** entries that were read */
  readonly count: bigint;
  readonly head: AuditAnchor;
  /** in the order of the chain; none: it is whole */
  readonly problems: readonly string[];
}

const rowsMax = 500;
/** Whoever changed more than that needs no complete list. */
const problemsMax = 20;
const startHash = Buffer.alloc(32);
/** Lower than any number that a forger can give to an entry. */
const beforeAll = -(2n ** 63n);

export class Audit {
  readonly #database: Database;

  constructor(ports: { readonly database: Database }) {
    this.#database = ports.database;
  }

  /** In their order: those after a number, or the newest. */
  async list(options: {
    readonly after: bigint | undefined;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]> {
    const { after, limit } = options;
    const rows = await (after === undefined
      ? this.#database.run(listNewestAuditEntries, { rowsMax: limit })
      : this.#database.run(listAuditEntries, { after, rowsMax: limit }));
    return rows.map((row) => ({
      sequence: row.sequence,
      occurredAt: row.occurred_at,
      actor: row.actor,
      action: row.action,
      merchantId: row.merchant_id,
      environment: row.environment,
      subject: { type: row.subject_type, id: row.subject_id },
      details: row.details,
    }));
  }

  /** Of the whole chain, while others add to it. `anchor` is a head of before that must still be in it. */
  async verify(anchor?: AuditAnchor): Promise<AuditVerdict> {
    const chain = new Chain(anchor);
    let after = beforeAll;
    for (;;) {
      const rows = await this.#database.run(readAuditPage, { after, rowsMax });
      const entries = rows.filter(isEntry);
      for (const entry of entries) chain.add(entry);
      const last = entries.at(-1);
      // A page and its head are of one moment, so the last page ends where the head is.
      if (last === undefined || entries.length < rowsMax) return chain.end(rows[0] ?? noHead);
      after = last.sequence;
    }
  }
}

type PageRow = NonNullable<(typeof readAuditPage)["row"]>;
type HeadRow = Pick<PageRow, "head_sequence" | "head_hash">;
const noHead: HeadRow = { head_sequence: null, head_hash: null };
type EntryRow = PageRow & { readonly sequence: bigint };

function isEntry(row: PageRow): row is EntryRow {
  return row.sequence !== null;
}

/** What has been read of the chain so far. */
class Chain {
  readonly #anchor: AuditAnchor | undefined;
  readonly #problems: string[] = [];
  #count = 0n;
  /** As it says itself, so that one wrong entry does not make all that follow look wrong. */
  #last: { readonly sequence: bigint; readonly hash: Uint8Array } = {
    sequence: 0n,
    hash: startHash,
  };

  constructor(anchor: AuditAnchor | undefined) {
    this.#anchor = anchor;
  }

  add(row: EntryRow): void {
    const { sequence, hash } = row;
    this.#count += 1n;
    if (sequence < 1n) {
      this.#complain(`Entry ${sequence} was never written.`);
      return;
    }
    const last = this.#last;
    this.#last = { sequence, hash: hash ?? new Uint8Array() };
    if (sequence !== last.sequence + 1n) {
      const [first, end] = [last.sequence + 1n, sequence - 1n];
      const which = first === end ? `Entry ${first} is` : `Entries ${first} to ${end} are`;
      this.#complain(`${which} missing.`);
    } else if (!areSame(row.previous_hash, last.hash)) {
      this.#complain(`Entry ${sequence} does not follow from the one before it.`);
    }
    const made = hashOf(row);
    if (!areSame(hash, made)) this.#complain(`Entry ${sequence} is not what was written.`);
    if (this.#anchor?.sequence === sequence && this.#anchor.hash !== made.toString("hex")) {
      this.#complain(`Entry ${sequence} is another one than the anchor says.`);
    }
  }

  end({ head_sequence: at, head_hash: claimed }: HeadRow): AuditVerdict {
    const { sequence, hash } = this.#last;
    const anchor = this.#anchor;
    if (at === null || claimed === null) {
      this.#complain("The table audit_head is empty.");
    } else if (at !== sequence || !areSame(claimed, hash)) {
      this.#complain(
        `The chain ends with entry ${sequence}, but its head says ${at} ` +
          `with the hash ${Buffer.from(claimed).toString("hex")}.`,
      );
    }
    if (anchor !== undefined && anchor.sequence > sequence) {
      this.#complain(`The chain ends with entry ${sequence}, before the anchor.`);
    }
    const head = { sequence, hash: Buffer.from(hash).toString("hex") };
    return { count: this.#count, head, problems: this.#problems };
  }

  #complain(problem: string): void {
    if (this.#problems.length < problemsMax) this.#problems.push(problem);
  }
}

function areSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && Buffer.compare(one, other) === 0;
}

/** As the database makes it: see 0004_operations.sql for the fields and why they have lengths. */
function hashOf(row: EntryRow): Buffer {
  const fields = [
    String(row.sequence),
    row.microseconds === null ? null : String(row.microseconds),
    row.actor,
    row.action,
    row.merchant_id,
    row.environment,
    row.subject_type,
    row.subject_id,
    row.details,
    row.previous_hash,
  ];
  const hash = createHash("sha256");
  for (const field of fields) {
    if (field === null) {
      hash.update(new Uint8Array([0]));
      continue;
    }
    const bytes = Buffer.from(field);
    const head = Buffer.alloc(5, 1);
    head.writeUInt32BE(bytes.length, 1);
    hash.update(head).update(bytes);
  }
  return hash.digest();
}
