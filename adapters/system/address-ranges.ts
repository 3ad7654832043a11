// Addresses and CIDR ranges, read by ipaddr.js.

import ipaddr from "ipaddr.js";
import type { AddressRanges } from "../../service/ports/address-ranges.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Undefined for what is no address. `::ffff:192.0.2.1` is 192.0.2.1, as sockets of both families say. */
export function parseAddress(text: string): Address | undefined {
  // Only the four decimal numbers: 0x7f.1 and 2130706433 are other spellings of an address.
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  const address = ipaddr.process(text);
  // Interface names (fe80::1%eth0) mean something on one machine only.
  return address instanceof ipaddr.IPv6 && address.zoneId !== undefined
    ? ipaddr.IPv6.parse(text.slice(0, text.indexOf("%")))
    : address;
}

interface Range {
  readonly network: Address;
  readonly bits: number;
}

const form = /^([0-9A-Fa-f.:]+)\/([0-9]{1,3})$/;
const mappedBits = 96;

function parseRange(text: string): Range | undefined {
  const [, base = "", length = ""] = form.exec(text) ?? [];
  const network = parseAddress(base);
  if (network === undefined) return undefined;
  const isMapped = base.includes(":") && network.kind() === "ipv4";
  const bits = Number(length) - (isMapped ? mappedBits : 0);
  const bitsMax = network.kind() === "ipv4" ? 32 : 128;
  return bits >= 0 && bits <= bitsMax ? { network, bits } : undefined;
}

/** Ranges are few and asked for with every request of a key. */
const parsed = new Map<string, Range | undefined>();
const parsedMax = 10_000;

function knownRange(text: string): Range | undefined {
  if (!parsed.has(text)) {
    if (parsed.size >= parsedMax) parsed.clear();
    parsed.set(text, parseRange(text));
  }
  return parsed.get(text);
}

function isWithin(address: Address, range: Range | undefined): boolean {
  return range !== undefined && range.network.kind() === address.kind()
    ? address.match(range.network, range.bits)
    : false;
}

export const addressRanges: AddressRanges = {
  normalise: (text) => {
    const range = parseRange(text);
    if (range === undefined) return undefined;
    const { network, bits } = range;
    const base =
      network instanceof ipaddr.IPv4
        ? ipaddr.IPv4.networkAddressFromCIDR(`${network.toString()}/${bits}`)
        : ipaddr.IPv6.networkAddressFromCIDR(`${network.toString()}/${bits}`);
    return `${base.toString()}/${bits}`;
  },
  contains: (ranges, text) => {
    const address = parseAddress(text);
    if (address === undefined) return false;
    return ranges.some((range) => isWithin(address, knownRange(range)));
  },
};
