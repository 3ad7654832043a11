// Which addresses are on the public internet. A webhook must not reach anything else: not this
// machine, not the network around it, not the metadata service of a cloud, and none of the ways to
// write such an address inside another one.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * IANA's special-purpose registry for IPv4, without those of its entries that are globally
 * reachable. `Address.range()` of ipaddr.js would say nearly the same, but it calls 192.88.99.0/24
 * by a name of its own and knows nothing of the last line; a list can be compared with the registry.
 */
export const blockedIpv4: readonly string[] = [
  "0.0.0.0/8", // this network; 0.0.0.0 reaches this machine
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a provider's NAT, and metadata at Alibaba
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and metadata nearly everywhere
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments, and metadata at Oracle
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112: answers for private names
  "192.52.193.0/24", // AMT relays
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "168.63.129.16/32", // a public address that every machine at Azure takes for its host
];

/**
 * The only part of IPv6 that is given out for the public internet (RFC 4291, section 2.4). What is
 * outside of it needs no list: unspecified, loopback, IPv4-compatible and IPv4-mapped addresses,
 * NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard (100::/64), SRv6 (5f00::/16), unique local,
 * link-local, site-local, multicast, and whatever comes next.
 */
export const publicIpv6 = "2000::/3";

/** What that part holds beside the public internet. */
export const blockedIpv6: readonly string[] = [
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID, drone ids
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address inside
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // 6bone, given back
  "3fff::/20", // documentation
];

const blocked = [...blockedIpv4, ...blockedIpv6].map((text) => ipaddr.parseCIDR(text));
const publicIpv6Range = ipaddr.parseCIDR(publicIpv6);

/**
 * False for whatever is not an address in plain form: ipaddr.js would read 0x7f.1 as well, and an
 * address with a zone (fe80::1%eth0) says itself that it is not public.
 */
export function isGloballyRoutable(text: string): boolean {
  if (isIP(text) === 0 || text.includes("%")) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv6" && !isInside(address, publicIpv6Range)) return false;
  return !blocked.some((range) => isInside(address, range));
}

/** `match` throws for an address of the other family. */
function isInside(address: Address, [start, bits]: Range): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}
