import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import {
  blockedIpv4,
  blockedIpv6,
  isGloballyRoutable,
} from "../../adapters/webhooks/address-policy.ts";

const open = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "203.0.112.255",
  "223.255.255.255",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "2A00:1450:4001:081B:0000:0000:0000:200E",
] as const;

const closed: readonly (readonly [string, ...string[]])[] = [
  ["this network", "0.0.0.0", "0.255.255.255"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  ["carrier NAT", "100.64.0.0", "100.127.255.255", "100.100.100.200"],
  ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
  ["link-local and metadata", "169.254.169.254", "169.254.170.2", "fe80::1", "febf::1"],
  ["a host that only looks public", "168.63.129.16"],
  ["protocol assignments", "192.0.0.1", "192.0.0.192", "192.0.0.255", "2001:1::1", "2001:30::1"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff::1"],
  ["documentation, end", "2001:db8:ffff::1", "3fff:fff:ffff::1"],
  ["6to4", "192.88.99.1", "2002:7f00:1::", "2002:808:808::1"],
  ["benchmarking", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  ["reserved and broadcast", "240.0.0.1", "255.255.255.255"],
  ["unspecified", "::"],
  ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::FFFF:808:808"],
  ["IPv4-mapped, long", "0:0:0:0:0:ffff:169.254.169.254"],
  ["IPv4-compatible", "::127.0.0.1", "::8.8.8.8", "::7f00:1"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "64:ff9b:1:ffff::1"],
  ["Teredo", "2001::1", "2001:0:53aa:64c::"],
  ["ORCHID", "2001:10::1", "2001:1f:ffff::1", "2001:20::1", "2001:2f::1"],
  ["discard", "100::1"],
  ["AS112", "192.31.196.1", "192.175.48.255", "2620:4f:8000::1", "2620:4f:8000:ffff::1"],
  ["AMT relays", "192.52.193.1"],
  ["6bone, given back", "3ffe::1"],
  ["SRv6", "5f00::1", "5f00:ffff::1"],
  ["unique local", "fc00::1", "fd00:ec2::254", "fdff:ffff::1"],
  ["site-local", "fec0::1", "feff::1"],
  ["6bone", "3ffe::1"],
  ["not given out", "4000::1", "6000::1", "8000::1", "e000::1", "1fff::1"],
  ["with a zone", "fe80::1%eth0", "2606:4700:4700::1111%eth0"],
  ["no address in plain form", "", "localhost", "0x7f.1", "2130706433", "0177.0.0.1", "127.1"],
  ["no address at all", "8.8.8", "8.8.8.8.8", "256.1.1.1", "[::1]", "8.8.8.8:80", " 8.8.8.8"],
];

test.each(open)("%s is on the public internet", (address) => {
  expect(isGloballyRoutable(address)).toBe(true);
});

describe.each(closed)("%s", (_, ...addresses) => {
  test.each(addresses)("%s is refused", (address) => {
    expect(isGloballyRoutable(address)).toBe(false);
  });
});

/** Any address of a range, as its bytes. */
function inside(range: string): fc.Arbitrary<readonly number[]> {
  const [start, bits] = ipaddr.parseCIDR(range);
  const fixed = start.toByteArray();
  return fc.uint8Array({ minLength: fixed.length, maxLength: fixed.length }).map((random) =>
    fixed.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, bits - index * 8));
      const mask = (0xff << (8 - kept)) & 0xff;
      return (byte & mask) | ((random[index] ?? 0) & ~mask & 0xff);
    }),
  );
}

const ipv4Text = (bytes: readonly number[]): string => bytes.join(".");

function ipv6Groups(bytes: readonly number[]): readonly number[] {
  return Array.from(
    { length: 8 },
    (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0),
  );
}

/** Every way to write an address that the system would take. */
function ipv6Spellings(bytes: readonly number[]): readonly string[] {
  const groups = ipv6Groups(bytes);
  const short = groups.map((one) => one.toString(16)).join(":");
  const long = groups.map((one) => one.toString(16).padStart(4, "0")).join(":");
  const mixed = `${groups
    .slice(0, 6)
    .map((one) => one.toString(16))
    .join(":")}:${ipv4Text(bytes.slice(12))}`;
  const compressed = new ipaddr.IPv6([...bytes]).toString();
  return [short, long, mixed, compressed, long.toUpperCase()];
}

describe("everything inside a blocked range is blocked, however it is written", () => {
  test.each(blockedIpv4)("%s", (range) => {
    fc.assert(
      fc.property(inside(range), (bytes) => {
        const text = ipv4Text(bytes);
        const spellings = [
          text,
          ...ipv6Spellings([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...bytes]),
          ...ipv6Spellings([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...bytes]),
          ...ipv6Spellings([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, ...bytes]),
          ...ipv6Spellings([0x20, 0x02, ...bytes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ];
        expect(spellings.filter(isGloballyRoutable)).toEqual([]);
      }),
    );
  });

  test.each([...blockedIpv6, "::/3", "4000::/2", "8000::/1"])("%s", (range) => {
    fc.assert(
      fc.property(inside(range), (bytes) => {
        expect(ipv6Spellings(bytes).filter(isGloballyRoutable)).toEqual([]);
      }),
    );
  });
});

test("what ipaddr.js calls anything but unicast is never public", () => {
  const anyIpv4 = fc.uint8Array({ minLength: 4, maxLength: 4 });
  const anyIpv6 = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(fc.oneof(anyIpv4, anyIpv6), (bytes) => {
      const address = ipaddr.fromByteArray([...bytes]);
      fc.pre(address.range() !== "unicast");
      expect(isGloballyRoutable(address.toString())).toBe(false);
    }),
  );
});
