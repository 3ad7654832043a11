// The catalog with the local chain in it: what is shipped, and the deployments of catalog.json here
// added to their currencies, or in place of the one with the same id. What comes out is a catalog
// file like any other and is checked as one.

import { readFileSync } from "node:fs";
import { join } from "node:path";

interface CatalogFile {
  readonly currencies: readonly CatalogCurrency[];
}

interface CatalogCurrency {
  readonly id: string;
  readonly deployments: readonly { readonly id: string }[];
}

export const localCatalogPath = join(import.meta.dirname, "catalog.json");

/** @param shipped the text of a catalog file */
export function catalogWithLocalChain(shipped: string): string {
  // Both are files of this project; the result is checked in full by whoever applies it.
  const file = JSON.parse(shipped) as CatalogFile;
  const local = JSON.parse(readFileSync(localCatalogPath, "utf8")) as CatalogFile;
  const added = new Map(local.currencies.map((currency) => [currency.id, currency]));
  const currencies = file.currencies.map((currency) => {
    const more = added.get(currency.id)?.deployments ?? [];
    added.delete(currency.id);
    const ids = new Set(more.map(({ id }) => id));
    const kept = currency.deployments.filter(({ id }) => !ids.has(id));
    return { ...currency, deployments: [...kept, ...more] };
  });
  return JSON.stringify({ ...file, currencies: [...currencies, ...added.values()] });
}
