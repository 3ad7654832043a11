// Where a request comes from: ranges of addresses, and proxies in between.

import { describe, expect, test } from "vitest";
import { addressRanges } from "../../adapters/system/address-ranges.ts";
import { buildClientAddress } from "../../adapters/http/trusted-proxies.ts";

describe("a range", () => {
  test.each([
    ["192.0.2.7/24", "192.0.2.0/24"],
    ["192.0.2.7/32", "192.0.2.7/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8::5/32", "2001:db8::/32"],
    ["::ffff:192.0.2.7/120", "192.0.2.0/24"],
  ])("%s is written %s", (given, normal) => {
    expect(addressRanges.normalise(given)).toBe(normal);
  });

  test.each(["", "192.0.2.7", "192.0.2/24", "192.0.2.7/33", "::1/129", "a/8", "0x7f.1/8", "1/8"])(
    "%j is none",
    (given) => {
      expect(addressRanges.normalise(given)).toBeUndefined();
    },
  );

  test("an address of one family is in no range of the other", () => {
    expect(addressRanges.contains(["0.0.0.0/0"], "2001:db8::1")).toBe(false);
    expect(addressRanges.contains(["::/0"], "192.0.2.7")).toBe(false);
    expect(addressRanges.contains(["0.0.0.0/0"], "::ffff:192.0.2.7")).toBe(true);
  });
});

test("a peer that forwards and is no proxy of ours is named once", () => {
  const heard: string[] = [];
  const client = buildClientAddress(["10.0.0.0/8"], (peer) => heard.push(peer));
  const headers = { "x-forwarded-for": "192.0.2.9" };
  for (const remoteAddress of ["10.0.0.1", "127.0.0.1", "127.0.0.1"]) {
    client({ remoteAddress, headers });
  }
  client({ remoteAddress: "198.51.100.1", headers: {} });
  expect(heard).toEqual(["127.0.0.1"]);
});

describe("the client behind proxies", () => {
  const behind = buildClientAddress(["10.0.0.0/8", "fd00::/8"]);
  const from = (remoteAddress: string | undefined, forwarded?: string): string | undefined =>
    behind({
      remoteAddress,
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    });

  test.each([
    ["a stranger's header is not believed", "192.0.2.9", "198.51.100.1", "192.0.2.9"],
    ["one proxy", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["two proxies", "10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["what the client put in front", "10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["no header", "10.0.0.1", undefined, "10.0.0.1"],
    ["only proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["a name instead of an address", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["IPv6", "fd00::1", "2001:db8::7", "2001:db8::7"],
    ["a mapped proxy", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ])("%s", (...[, peer, forwarded, client]) => {
    expect(from(peer, forwarded)).toBe(client);
  });

  test("without a list nobody is a proxy, and a socket may have no address", () => {
    const direct = buildClientAddress([]);
    const headers = { "x-forwarded-for": "198.51.100.1" };
    expect(direct({ remoteAddress: "::ffff:10.0.0.1", headers })).toBe("10.0.0.1");
    expect(direct({ remoteAddress: undefined, headers })).toBeUndefined();
  });
});
