// Merchants, as operators make and stop them; the API has no operation for it.

import { OperatorError } from "./operator-error.ts";
import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import type { Identifiers } from "./ports/identifiers.ts";
import {
  anyMerchant,
  findMerchant,
  insertMerchant,
  listMerchants,
  setMerchantStatus,
} from "./store/merchants.ts";
import type { MerchantsTable } from "./store/tables.ts";

const nameCharactersMax = 200;

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  readonly createdAt: Date;
}

export interface MerchantPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Identifiers;
}

/** Throws `OperatorError` for what cannot be done. */
export class Merchants {
  readonly #ports: MerchantPorts;

  constructor(ports: MerchantPorts) {
    this.#ports = ports;
  }

  async create(name: string): Promise<Merchant> {
    const { database, clock, ids } = this.#ports;
    const plain = name.trim();
    const length = Array.from(plain).length;
    if (length === 0 || length > nameCharactersMax) {
      throw new OperatorError(`A merchant's name has 1 to ${nameCharactersMax} characters.`);
    }
    const now = new Date(clock.nowMilliseconds());
    const rows = await database.run(insertMerchant, { id: ids.next("mer"), name: plain, now });
    return only(rows, plain);
  }

  async list(): Promise<readonly Merchant[]> {
    return (await this.#ports.database.run(listMerchants, {})).map(merchantOf);
  }

  async get(id: string): Promise<Merchant> {
    return only(await this.#ports.database.run(findMerchant, { id }), id);
  }

  /** Of a suspended merchant every request is refused from this moment on, on every process. */
  async setStatus(id: string, status: Merchant["status"]): Promise<Merchant> {
    return only(await this.#ports.database.run(setMerchantStatus, { id, status }), id);
  }

  async areThereAny(): Promise<boolean> {
    return (await this.#ports.database.run(anyMerchant, {})).length > 0;
  }
}

type MerchantRow = {
  readonly [Name in "id" | "name" | "created_at"]: MerchantsTable[Name];
} & { readonly status: Merchant["status"] };

function merchantOf({ id, name, status, created_at: createdAt }: MerchantRow): Merchant {
  return { id, name, status, createdAt };
}

function only(rows: readonly MerchantRow[], id: string): Merchant {
  const [row] = rows;
  if (row === undefined) throw new OperatorError(`There is no merchant ${id}.`);
  return merchantOf(row);
}
