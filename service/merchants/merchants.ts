// Merchants, as operators make and stop them; the API has no operation for it.

import { auditValues } from "../audit/audit.ts";
import { OperatorError } from "../operator-error.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import {
  findAnyMerchant,
  changeMerchant,
  findMerchant,
  insertMerchant,
  listMerchants,
} from "./merchants.sql.ts";
import { SplitConsents } from "./split-consents.ts";
import { bpsMax } from "../amounts.ts";
import type { MerchantsTable } from "../database/tables/merchants.ts";

const nameCharactersMax = 200;

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly createdAt: Date;
  /** of what its payments receive; a payment keeps what held when it was created */
  readonly feeBps: number;
}

export interface MerchantPorts extends StoragePorts {
  readonly ids: Identifiers;
}

/** Throws `OperatorError` for what cannot be done. */
export class Merchants {
  /** who may name whom as a partner */
  readonly consents: SplitConsents;
  readonly #ports: MerchantPorts;

  constructor(ports: MerchantPorts) {
    this.#ports = ports;
    this.consents = new SplitConsents({ ...ports, identifiers: ports.ids });
  }

  async create(name: string): Promise<Merchant> {
    const { database, clock, ids } = this.#ports;
    const plain = name.trim();
    const length = Array.from(plain).length;
    if (length === 0 || length > nameCharactersMax) {
      throw new OperatorError(`A merchant's name has 1 to ${nameCharactersMax} characters.`);
    }
    const now = clock.now();
    const id = ids.next("mer");
    const audit = auditValues({
      ...byOperator(id, now),
      action: "merchant.created",
      details: { name: plain },
    });
    return only(await database.run(insertMerchant, { id, name: plain, now, ...audit }), id);
  }

  async list(): Promise<readonly Merchant[]> {
    return (await this.#ports.database.run(listMerchants, {})).map(merchantOf);
  }

  async get(id: string): Promise<Merchant> {
    return only(await this.#ports.database.run(findMerchant, { id }), id);
  }

  /** Of a suspended merchant every request is refused from this moment on, on every process. */
  async setStatus(id: string, status: Merchant["status"]): Promise<Merchant> {
    const { database, clock } = this.#ports;
    const audit = auditValues({
      ...byOperator(id, clock.now()),
      action: status === "active" ? "merchant.activated" : "merchant.suspended",
      details: {},
    });
    return only(await database.run(changeMerchant, { id, status, feeBps: null, ...audit }), id);
  }

  /** From now on; payments that exist keep theirs. */
  async setFee(id: string, feeBps: number): Promise<Merchant> {
    const { database, clock } = this.#ports;
    if (!Number.isInteger(feeBps) || feeBps < 0 || feeBps > bpsMax) {
      throw new OperatorError(`A fee has 0 to ${bpsMax} basis points.`);
    }
    const audit = auditValues({
      ...byOperator(id, clock.now()),
      action: "merchant.fee_set",
      details: { fee_bps: feeBps },
    });
    return only(await database.run(changeMerchant, { id, feeBps, status: null, ...audit }), id);
  }

  async areThereAny(): Promise<boolean> {
    return (await this.#ports.database.run(findAnyMerchant, {})).length > 0;
  }
}

function byOperator(id: string, occurredAt: Date) {
  const subject = { type: "merchant", id };
  return { occurredAt, actor: "operator", merchantId: id, subject } as const;
}

type MerchantRow = {
  readonly [Name in "id" | "name" | "created_at"]: MerchantsTable[Name];
} & { readonly status: Merchant["status"]; readonly fee_bps: Merchant["feeBps"] };

function merchantOf(row: MerchantRow): Merchant {
  const { id, name, status, created_at: createdAt, fee_bps: feeBps } = row;
  return { id, name, status, createdAt, feeBps };
}

function only(rows: readonly MerchantRow[], id: string): Merchant {
  const [row] = rows;
  if (row === undefined) throw new OperatorError(`There is no merchant ${id}.`);
  return merchantOf(row);
}
