// Who sent a request, when proxies stand in between. Only what a proxy of ours has written counts:
// whatever stands further left in X-Forwarded-For was sent by the client and can be anything.

import { addressRanges, parseAddress } from "./address-ranges.ts";

export interface Forwarded {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string | undefined;
}

/** More entries than any chain of proxies has: beyond it a header is only work. */
const entriesMax = 32;

/** The right-most address that is no proxy of ours; undefined when nobody trustworthy knows it. */
export function buildClientAddress(
  trustedProxies: readonly string[],
): (request: Forwarded) => string | undefined {
  const isTrusted = (address: string): boolean => addressRanges.contains(trustedProxies, address);
  return ({ headers, remoteAddress }) => {
    const peer = remoteAddress === undefined ? undefined : plain(remoteAddress);
    if (trustedProxies.length === 0 || peer === undefined || !isTrusted(peer)) return peer;
    const header = headers["x-forwarded-for"];
    if (header === undefined) return peer;
    const entries = String(header).split(",").slice(-entriesMax);
    let client = peer;
    for (const entry of entries.toReversed()) {
      const address = plain(entry.trim());
      // A proxy of ours wrote what we cannot read ("unknown"): it is all we know.
      if (address === undefined) return client;
      client = address;
      if (!isTrusted(address)) return address;
    }
    return client;
  };
}

function plain(text: string): string | undefined {
  return parseAddress(text)?.toString();
}
