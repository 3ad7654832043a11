// The signer that this database belongs to. The addresses of payments are derived from its key, and
// money leaves from its accounts: another signer, with a seed that somebody lost, restored or made by
// mistake, would get the money of payers where nobody looks. So the first one is remembered, and any
// other one is refused until an operator accepts it.

import { createHash } from "node:crypto";
import { auditValues } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { ForeignSigner } from "../ports/signer.ts";
import type { SignerAccounts } from "../ports/signer.ts";
import {
  replaceSignerIdentity,
  findNewestAddress,
  listSignerIdentities,
  storeRefusedSigner,
  insertSignerIdentity,
} from "./signer-identity.sql.ts";

const fingerprintDigits = 32;

export interface KnownSigner {
  readonly state: "accepted" | "refused";
  readonly fingerprint: string;
  readonly hotAddress: string;
  readonly settlementAddress: string;
  /** first contact or acceptance; of a refused one, when it came last */
  readonly since: Date;
}

export class SignerIdentity {
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts) {
    this.#ports = ports;
  }

  /**
   * At each contact, before anything is asked. The first one ever is accepted, unless the addresses
   * that were given here are not of its key. Throws `ForeignSigner`.
   *
   * @param derive the address of an index, by the key of these accounts
   */
  async confirm(accounts: SignerAccounts, derive: (index: bigint) => string): Promise<void> {
    const { database, clock } = this.#ports;
    const fingerprint = fingerprintOf(accounts);
    const now = clock.now();
    const values = { ...accounts, fingerprint, now };
    const accepted = await this.#accepted();
    if (accepted === fingerprint) return;
    if (accepted === undefined && (await this.#hasMadeAddresses(derive))) {
      const audit = auditOf({ actor: "system", now, fingerprint, accounts });
      if ((await database.run(insertSignerIdentity, { ...values, ...audit })).length > 0) return;
      // Another process was faster, with the same one or with another.
      if ((await this.#accepted()) === fingerprint) return;
    }
    await database.run(storeRefusedSigner, values);
    throw new ForeignSigner(
      `This database belongs to another signer: what answers has the hot account ` +
        `${accounts.hotAddress}. Look whether SIGNER_SOCKET and SIGNER_DIR are the right ones, and ` +
        "restore the seed if it was lost. Only if the signer was changed on purpose, stop all servers, " +
        `and then: npm run admin -- signer accept ${fingerprint}`,
    );
  }

  async list(): Promise<readonly KnownSigner[]> {
    const rows = await this.#ports.database.run(listSignerIdentities, {});
    return rows.map((row) => ({
      state: row.slot,
      fingerprint: row.fingerprint,
      hotAddress: row.hot_address,
      settlementAddress: row.settlement_address,
      since: row.since,
    }));
  }

  /** Throws `OperatorError`. */
  async accept(fingerprint: string): Promise<KnownSigner> {
    const known = await this.list();
    const chosen = known.find((one) => one.state === "refused" && one.fingerprint === fingerprint);
    const now = this.#ports.clock.now();
    if (chosen !== undefined) {
      const before = known.find(({ state }) => state === "accepted")?.fingerprint ?? null;
      const audit = auditOf({ actor: "operator", now, fingerprint, accounts: chosen, before });
      const rows = await this.#ports.database.run(replaceSignerIdentity, {
        fingerprint,
        now,
        ...audit,
      });
      if (rows.length > 0) return { ...chosen, state: "accepted", since: now };
    }
    throw new OperatorError(
      `No signer with the fingerprint ${fingerprint} was refused last: start a server with it, and ` +
        "take the fingerprint from its refusal, or from signer show.",
    );
  }

  async #accepted(): Promise<string | undefined> {
    return (await this.list()).find(({ state }) => state === "accepted")?.fingerprint;
  }

  /** Those that were given here, if any were. */
  async #hasMadeAddresses(derive: (index: bigint) => string): Promise<boolean> {
    const [newest] = await this.#ports.database.run(findNewestAddress, {});
    return newest === undefined || newest.address === derive(newest.derivation_index);
  }
}

function fingerprintOf({ hotAddress, settlementAddress, depositPublicKey }: SignerAccounts) {
  const text = [hotAddress, settlementAddress, depositPublicKey].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, fingerprintDigits);
}

interface Acceptance {
  readonly actor: "operator" | "system";
  readonly now: Date;
  readonly fingerprint: string;
  readonly accounts: Pick<SignerAccounts, "hotAddress" | "settlementAddress">;
  /** the fingerprint of the one before; null: none */
  readonly before?: string | null;
}

function auditOf({ actor, now, fingerprint, accounts, before = null }: Acceptance) {
  return auditValues({
    occurredAt: now,
    actor,
    action: "signer.accepted",
    subject: { type: "signer", id: fingerprint },
    details: {
      hot_address: accounts.hotAddress,
      settlement_address: accounts.settlementAddress,
      before,
    },
  });
}
