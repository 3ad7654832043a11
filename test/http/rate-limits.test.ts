import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildRateLimits, clientOf } from "../../adapters/http/rate-limits.ts";

// The library reads the time of day and sets timers: both stand still until a test moves them.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a quota", () => {
  test("is used up by its subject alone, and comes back after its window", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { read: 2 } });
    const first = await limits.take("read", "a");
    expect(first).toEqual({
      policy: "read",
      quota: 2,
      windowSeconds: 60,
      remaining: 1,
      resetSeconds: 60,
      isExceeded: false,
    });
    expect(await limits.take("read", "a")).toMatchObject({ remaining: 0, isExceeded: false });
    vi.advanceTimersByTime(20_500);
    const over = await limits.take("read", "a");
    expect(over).toMatchObject({ remaining: 0, resetSeconds: 40, isExceeded: true });
    expect(await limits.take("read", "b")).toMatchObject({ isExceeded: false });
    expect(await limits.take("write", "a")).toMatchObject({ quota: 120, isExceeded: false });
    vi.advanceTimersByTime(over.resetSeconds * 1000);
    expect(await limits.take("read", "a")).toMatchObject({ remaining: 1, isExceeded: false });
  });

  test("is shared by the processes: each has its part, and tells of the whole", async () => {
    const limits = buildRateLimits({ processes: 3, quotas: { read: 6 } });
    expect(await limits.take("read", "a")).toMatchObject({ quota: 6, remaining: 3 });
    expect(await limits.take("read", "a")).toMatchObject({ remaining: 0, isExceeded: false });
    expect(await limits.take("read", "a")).toMatchObject({ isExceeded: true });
  });

  test("that does not divide is rounded down, and is one for each process at least", async () => {
    const limits = buildRateLimits({ processes: 3, quotas: { read: 7, write: 2 } });
    const read = () => limits.take("read", "a");
    expect([await read(), await read(), await read()]).toMatchObject([
      { isExceeded: false },
      { isExceeded: false },
      { isExceeded: true },
    ]);
    const write = () => limits.take("write", "a");
    expect([await write(), await write()]).toMatchObject([
      { isExceeded: false, remaining: 0 },
      { isExceeded: true },
    ]);
  });

  test("of a key is its own, whatever its id looks like", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { read: 1 } });
    await limits.take("read", "2001:db8::1");
    expect(await limits.take("read", "2001:db8::2")).toMatchObject({ isExceeded: false });
  });

  test("of an IPv4 address has nothing to do with any other", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { checkout: 1 } });
    for (let count = 0; count < 100; count++) {
      const taken = await limits.take("checkout", `192.0.2.${count}`);
      expect(taken).toMatchObject({ isExceeded: false });
    }
  });

  test("can be looked at without using it", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { failed_authentication: 1 } });
    const look = () => limits.look("failed_authentication", "192.0.2.1");
    expect(await look()).toMatchObject({ remaining: 1, resetSeconds: 60, isExceeded: false });
    await limits.take("failed_authentication", "192.0.2.1");
    expect(await look()).toMatchObject({ remaining: 0, isExceeded: true });
  });

  test("of an IPv6 address counts for its network", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { address: 2 } });
    await limits.take("address", "2001:db8::1");
    await limits.take("address", "2001:db8::2");
    expect(await limits.take("address", "2001:db8::3")).toMatchObject({ isExceeded: true });
    expect(await limits.take("address", "2001:db8:0:1::3")).toMatchObject({ isExceeded: false });
  });

  test.each([
    ["failed_authentication", 4],
    ["checkout", 16],
  ] as const)(
    "%s is had %i times by all networks of one IPv6 site together",
    async (policy, times) => {
      const limits = buildRateLimits({ processes: 1, quotas: { [policy]: 2 } });
      const from = (network: number, site = "2001:db8:1") =>
        limits.take(policy, `${site}:${network.toString(16)}::1`);
      // What is over the limit of its own network uses up nothing of its neighbours'.
      for (let count = 0; count < 10; count++) await from(0);
      for (let network = 1; network < times; network++) {
        expect(await from(network)).toMatchObject({ quota: 2, isExceeded: false });
        expect(await from(network)).toMatchObject({ remaining: 0, isExceeded: false });
      }
      const over = { quota: 2, remaining: 0, resetSeconds: 60, isExceeded: true };
      expect(await from(0xff)).toMatchObject(over);
      expect(await limits.look(policy, "2001:db8:1:fe::1")).toMatchObject(over);
      expect(await from(0xff, "2001:db8:2")).toMatchObject({ remaining: 1, isExceeded: false });
    },
  );

  test("neighbours of one IPv6 site use up nothing of what a signed request needs", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { address: 2 } });
    const from = (network: number) => limits.take("address", `2001:db8:1:${network}::1`);
    for (let network = 0; network < 100; network++) {
      for (let count = 0; count < 3; count++) await from(network);
    }
    expect(await from(5000)).toMatchObject({ remaining: 1, isExceeded: false });
  });

  test.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", "2001:db8:1::"],
    // With every bit set, one too many or too few would be seen.
    ["2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8:ffff:ffff::", "2001:db8:ffff::"],
    ["192.0.2.255", "192.0.2.255", "192.0.2.255"],
    ["::ffff:192.0.2.255", "::ffff:192.0.2.255", "::ffff:192.0.2.255"],
    ["no: address", "no: address", "no: address"],
    ["no address", "no address", "no address"],
  ])("%s is of the network %s and of the site %s", (address, network, site) => {
    expect(clientOf(address)).toEqual({ network, site });
  });

  test("of any number of subjects takes a bounded number of places", async () => {
    const limits = buildRateLimits({ processes: 1, quotas: { address: 1 }, subjectsMax: 10 });
    for (let count = 0; count < 1000; count++) await limits.take("address", `192.0.2.${count}`);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(10);
    expect(await limits.take("address", "192.0.2.999")).toMatchObject({ isExceeded: true });
  });
});
