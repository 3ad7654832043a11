// How far the journal of the signer is, remembered where nobody reaches who has only its disk. A
// journal that was cut off, deleted or replaced by an older copy has forgotten limits of the day, and
// what was signed for which nonce.

import { auditValues } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { JournalKeeper, JournalPosition } from "../ports/signer.ts";
import {
  forgetSignerJournals,
  readSignerJournal,
  storeSignerJournal,
} from "./signer-journals.sql.ts";

export type SignerJournalAlarm = "signer_journal_went_back";

/** What is wrong with the journal. */
export interface JournalWentBack {
  readonly known_count: string;
  readonly count: string;
}

export class SignerJournals {
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts) {
    this.#ports = ports;
  }

  /**
   * Remembers how far it is. Something: it is not as far as it was, or is another one, until an operator
   * has accepted that. Throws `chain_unavailable`.
   */
  async look(
    signer: JournalKeeper,
    depositPublicKey: string,
  ): Promise<JournalWentBack | undefined> {
    const { database, clock } = this.#ports;
    const [known] = await database.run(readSignerJournal, { depositPublicKey });
    // Asked after that, or another process might have heard of a later one meanwhile.
    const position = await signer.journalPosition();
    if (known !== undefined && isBehind(position, known)) {
      return { known_count: known.record_count.toString(), count: position.count.toString() };
    }
    const { count: recordCount, head } = position;
    const values = { depositPublicKey, recordCount, head, now: clock.now() };
    await database.run(storeSignerJournal, values);
    return undefined;
  }

  /** Throws `OperatorError`. */
  async accept(reason: string): Promise<void> {
    const audit = auditValues({
      occurredAt: this.#ports.clock.now(),
      actor: "operator",
      action: "signer.journal_accepted",
      subject: { type: "signer", id: "journal" },
      details: { reason },
    });
    if ((await this.#ports.database.run(forgetSignerJournals, audit)).length > 0) return;
    throw new OperatorError("No journal of a signer is known here.");
  }
}

type KnownRow = NonNullable<(typeof readSignerJournal)["row"]>;

function isBehind({ count, head }: JournalPosition, known: KnownRow): boolean {
  return count < known.record_count || (count === known.record_count && head !== known.head);
}
