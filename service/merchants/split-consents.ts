// Which merchants have agreed to be named as partners in the live payments of which others. The API
// has no operation for it: the operator writes down what the partner has said.

import { auditValues } from "../audit/audit.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import { OperatorError } from "../operator-error.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import * as store from "./split-consents.sql.ts";

export interface SplitConsent {
  /** who gets a share */
  readonly merchantId: string;
  /** of whose payments */
  readonly creatorId: string;
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly split_consent: {
      readonly creator_id: string;
      readonly status: "granted" | "ended";
    };
  }
}

export interface GrantedConsent extends SplitConsent {
  readonly grantedAt: Date;
}

/** Throws `OperatorError` for what cannot be done. */
export class SplitConsents {
  readonly #ports: RecordingPorts;

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  /** From now on; the partner hears of it. Nothing changes if it stood before. */
  async grant(consent: SplitConsent): Promise<void> {
    const { database } = this.#ports;
    if (consent.merchantId === consent.creatorId) {
      throw new OperatorError("A merchant is no partner of itself.");
    }
    const ids = [consent.merchantId, consent.creatorId];
    const rows = await database.run(store.findMerchants, { ids });
    const known = new Set(rows.map(({ id }) => id));
    const missing = ids.find((id) => !known.has(id));
    if (missing !== undefined) throw new OperatorError(`There is no merchant ${missing}.`);
    await database.run(store.insertSplitConsent, this.#values(consent, "granted"));
  }

  /** From now on; payments that exist keep their shares. */
  async end(consent: SplitConsent): Promise<void> {
    const { merchantId, creatorId } = consent;
    const rows = await this.#ports.database.run(
      store.deleteSplitConsent,
      this.#values(consent, "ended"),
    );
    if (rows.length > 0) return;
    throw new OperatorError(`${merchantId} has not agreed to shares of payments of ${creatorId}.`);
  }

  async list(): Promise<readonly GrantedConsent[]> {
    return (await this.#ports.database.run(store.listSplitConsents, {})).map((row) => ({
      merchantId: row.partner_id,
      creatorId: row.creator_id,
      grantedAt: row.granted_at,
    }));
  }

  #values({ merchantId, creatorId }: SplitConsent, what: "granted" | "ended") {
    const now = this.#ports.clock.now();
    const type = `split_consent.${what}` as const;
    const resource = { type: "split_consent", id: creatorId } as const;
    const data = dataAbout("split_consent", { creator_id: creatorId, status: what });
    return {
      merchantId,
      creatorId,
      now,
      ...auditValues({
        occurredAt: now,
        actor: "operator",
        action: type,
        merchantId,
        subject: { type: "merchant", id: merchantId },
        details: { creator_id: creatorId },
      }),
      ...eventValues(this.#ports, { merchantId, environment: "live", type, resource, data }),
    };
  }
}
