// What a page needs to be up to date: its changing parts as they are now. It comes with the page, by
// its stream of events, and by asking.

import { createHash } from "node:crypto";
import type { CheckoutTerms } from "./checkout-terms.ts";
import { plainText } from "./html.ts";
import { regionNames, regionsOf } from "./page-regions.ts";
import type { EncodeQr, RegionName, Regions } from "./page-regions.ts";
import { isOver, stateTextOf } from "./state-texts.ts";

export interface Snapshot {
  /** the same as long as the page looks the same */
  readonly id: string;
  readonly status: string;
  /** Nothing is to be waited for any more. */
  readonly isOver: boolean;
  readonly title: string;
  readonly regions: Regions;
}

export function snapshotOf(terms: CheckoutTerms, encodeQr: EncodeQr): Snapshot {
  const regions = regionsOf(terms, encodeQr);
  const { status, merchantName } = terms.payment;
  const title = plainText(`${stateTextOf(terms).headline} · ${merchantName}`);
  const hash = createHash("sha256").update(status).update(title);
  for (const name of regionNames) hash.update("\0").update(regions[name].text);
  const id = hash.digest("base64url").slice(0, idCharacters);
  return { id, status, isOver: isOver(terms), title, regions };
}

const idCharacters = 16;

/** To its reader. Regions that are in `known` already are left out. */
export function snapshotJson(
  { id, status, isOver, title, regions }: Snapshot,
  now: Date,
  known?: Pick<Snapshot, "regions">,
): string {
  const changed = regionNames.filter((name) => known?.regions[name].text !== regions[name].text);
  const texts = changed.map((name): readonly [RegionName, string] => [name, regions[name].text]);
  return JSON.stringify({
    id,
    status,
    is_over: isOver,
    server_time: now.toISOString(),
    title,
    regions: Object.fromEntries(texts),
  });
}
