// Reading the catalog. It is small and changes rarely, so all of it is kept in memory in the state
// it was read in: a read costs one round trip that asks which state counts, and brings the new content
// only when it is another one.

import assert from "node:assert";
import { ServiceError } from "../errors.ts";
import { catalogFor } from "./model.ts";
import type { Catalog, CatalogCurrency, CatalogDeployment } from "./model.ts";
import type { CursorPosition, Cursors } from "../cursor.ts";
import type { Environment } from "../owner.ts";
import type { Database } from "../ports/database.ts";
import { currencyOf, readCatalog, readCatalogToShow } from "./catalog.sql.ts";
import type { CatalogColumns, CurrencyRow } from "./catalog.sql.ts";

export interface CatalogPageRequest {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface CatalogPage {
  /** the state that it is a page of: the same object until there is another one */
  readonly catalog: Catalog;
  readonly currencies: readonly CatalogCurrency[];
  /** null on the last page */
  readonly nextCursor: string | null;
}

export interface CatalogEntry {
  readonly catalogVersion: bigint;
  readonly currency: CatalogCurrency;
}

export interface CatalogLook {
  /** the state whose content need not be brought; empty: nothing is known */
  readonly known: string;
  /** The catalog of the row that was read so. */
  readonly take: (row: CatalogColumns) => Catalog;
}

/** What a key of an environment sees, or everything. */
type Sight = Environment | "all";

/** One state in every sight. */
interface Kept extends Readonly<Record<Sight, Catalog>> {
  /** as the database calls it */
  readonly stamp: string;
}

const nothing: Catalog = { version: 0n, currencies: [] };
/** Nothing was ever applied. */
const nobody: CatalogColumns = { version: null, catalog: null, currencies: null };

const emptyState: Kept = { stamp: "", live: nothing, test: nothing, all: nothing };

export class CatalogReader {
  readonly #database: Database;
  readonly #cursors: Cursors;
  #kept = emptyState;
  /** the read that is under way, and the one after it, which all share that come meanwhile */
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<Catalog> | undefined;

  constructor(ports: { readonly database: Database; readonly cursors: Cursors }) {
    this.#database = ports.database;
    this.#cursors = ports.cursors;
  }

  /** The whole catalog as it is now; never older than what was committed before the call. */
  async current(sight: Sight): Promise<Catalog> {
    const look = this.look(sight);
    const [row = nobody] = await this.#database.run(readCatalog, { known: look.known });
    return look.take(row);
  }

  /** The same for whoever only wants to see it: it may be a second old, and is not older than what was read before. */
  async #toShow(sight: Sight): Promise<Catalog> {
    const look = this.look(sight, { mayBeStale: true });
    const [row = nobody] = await this.#database.run(readCatalogToShow, { known: look.known });
    // Late, or the database was put back: only the server that takes writes knows.
    if ((row.version ?? 0n) < this.#kept.all.version) return this.current(sight);
    return look.take(row);
  }

  /** Every deployment there is: what was quoted, sent or received stays what it is for every key. */
  async allDeployments(): Promise<readonly CatalogDeployment[]> {
    const { currencies } = await this.#shared();
    return currencies.flatMap(({ deployments }) => deployments);
  }

  #shared(): Promise<Catalog> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#reading.then(() => {
      this.#next = undefined;
      const read = this.current("all");
      this.#reading = read.catch(() => undefined);
      return read;
    });
    this.#next = next;
    return next;
  }

  /**
   * For a statement that brings the catalog along with what else it reads.
   * @param mayBeStale what it brings is not kept in place of a later state
   */
  look(sight: Sight, { mayBeStale = false } = {}): CatalogLook {
    const kept = this.#kept;
    return {
      known: kept.stamp,
      take: ({ version, catalog: stamp, currencies }) => {
        if (version === null || stamp === null) {
          if (!mayBeStale) this.#kept = emptyState;
          return nothing;
        }
        if (currencies === null) {
          assert(stamp === kept.stamp, "a catalog that is not brought is the one that is known");
          return kept[sight];
        }
        // Of reads that come back together the first has kept it.
        if (stamp === this.#kept.stamp) return this.#kept[sight];
        const read = keptOf(stamp, version, currencies);
        if (!mayBeStale || version >= this.#kept.all.version) this.#kept = read;
        return read[sight];
      },
    };
  }

  /** One page in the order of code, then id. Throws `invalid_cursor`. */
  async list(request: CatalogPageRequest): Promise<CatalogPage> {
    const { merchantId, environment, limit, cursor } = request;
    const scope = { merchantId, filters: { operation: "listCurrencies" } };
    const after = cursor === undefined ? null : this.#cursors.read(scope, cursor);
    const catalog = await this.#toShow(environment);
    const { currencies } = catalog;
    const rest = after === null ? currencies : currencies.filter((one) => isAfter(one, after));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const hasMore = rest.length > page.length && last !== undefined;
    const nextCursor = hasMore ? this.#cursors.write(scope, [last.code, last.id]) : null;
    return { catalog, currencies: page, nextCursor };
  }

  /** Throws `not_found`. */
  async get(currencyId: string, environment: Environment): Promise<CatalogEntry> {
    const { version, currencies } = await this.#toShow(environment);
    const currency = currencies.find(({ id }) => id === currencyId);
    if (currency === undefined) {
      throw new ServiceError("not_found", "There is no currency with this id.");
    }
    return { catalogVersion: version, currency };
  }
}

function keptOf(stamp: string, version: bigint, rows: readonly CurrencyRow[]): Kept {
  const all = { version, currencies: rows.map(currencyOf) };
  return { stamp, live: catalogFor("live", all), test: catalogFor("test", all), all };
}

/** Code point order, as in the database: codes and ids are ASCII. */
function isAfter({ code, id }: CatalogCurrency, position: CursorPosition): boolean {
  const [afterCode = "", afterId = ""] = position;
  return code > afterCode || (code === afterCode && id > afterId);
}
