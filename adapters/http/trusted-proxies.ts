// Who sent a request, when proxies stand in between. Only what a proxy of ours has written counts:
// whatever stands further left in X-Forwarded-For was sent by the client and can be anything.

import { addressRanges, parseAddress } from "../system/address-ranges.ts";

export interface Forwarded {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string | undefined;
}

/** More entries than any chain of proxies has: beyond it a header is only work. */
const entriesMax = 32;

/**
 * The right-most address that is no proxy of ours; undefined when nobody trustworthy knows it.
 * `onUntrusted` hears once of a peer that forwards for others and is not among the proxies: then
 * all of its clients look like one.
 */
export function buildClientAddress(
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void = () => undefined,
): (request: Forwarded) => string | undefined {
  let isTold = false;
  const isTrusted = (address: string): boolean => addressRanges.contains(trustedProxies, address);
  return ({ headers, remoteAddress }) => {
    const peer = remoteAddress === undefined ? undefined : plain(remoteAddress);
    const header = headers["x-forwarded-for"];
    if (header === undefined || peer === undefined) return peer;
    if (!isTrusted(peer)) {
      if (!isTold) onUntrusted(peer);
      isTold = true;
      return peer;
    }
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
