// What a buyer's program sends in its header: read as it is meant, and refused where it means nothing.

import { describe, expect, test } from "vitest";
import { RequestError } from "../../generated/runtime/runtime.ts";
import { paymentHeaderOf, paymentWishOf } from "../../handlers/checkout/x402-payload.ts";
import type { LinkPlace } from "../../service/x402/requirements.ts";

const signature = `0x${"1".repeat(130)}`;
const authorization = {
  from: "0xpayer",
  to: "0xus",
  value: "25000000",
  validAfter: "7",
  validBefore: "1795398882",
  nonce: "0xnonce",
};
const permit = {
  permitted: { token: "0xtoken", amount: "25000000" },
  from: "0xpayer",
  spender: "0xproxy",
  nonce: "513",
  deadline: "1795398882",
  witness: { to: "0xus", validAfter: "7" },
};
const accepted = {
  scheme: "exact",
  network: "eip155:84532",
  asset: "0xtoken",
  payTo: "0xus",
  amount: "25000000",
  extra: { name: "USD Coin" },
};
const second = { x402Version: 2, accepted, payload: { signature, authorization } };
const first = {
  x402Version: 1,
  scheme: "exact",
  network: "base-sepolia",
  payload: { signature, authorization },
};

const place: LinkPlace = {
  scheme: "exact",
  method: "eip3009",
  domain: { name: "USD Coin", version: "2" },
  chainId: "eip155:84532",
  asset: "0xtoken",
  payTo: "0xus",
};

function wishOf(said: unknown, version: 1 | 2 = 2, places: readonly LinkPlace[] = [place]) {
  const text = Buffer.from(JSON.stringify(said)).toString("base64");
  return paymentWishOf("pay_1", { version, text }, places);
}

/** The same with one member changed, wherever it stands. */
function changed(said: object, path: string, value: unknown): object {
  const [name = "", ...rest] = path.split(".");
  const fields = said as Readonly<Record<string, object>>;
  const next = rest.length === 0 ? value : changed(fields[name] ?? {}, rest.join("."), value);
  return { ...said, [name]: next };
}

const signed = { nonce: "0xnonce", validBefore: 1_795_398_882n };
const eip3009 = {
  ...signed,
  method: "eip3009",
  signature,
  from: "0xpayer",
  to: "0xus",
  amountRaw: 25_000_000n,
  validAfter: 7n,
};

describe("a header", () => {
  test("of version 2 comes before one of version 1", () => {
    const both = new Headers({ "PAYMENT-SIGNATURE": "b", "X-PAYMENT": "a" });
    expect(paymentHeaderOf(both)).toEqual({ version: 2, text: "b" });
    expect(paymentHeaderOf(new Headers({ "X-PAYMENT": "a" }))).toEqual({ version: 1, text: "a" });
    expect(paymentHeaderOf(new Headers())).toBeUndefined();
  });

  test("of version 2 says all of what it accepts", () => {
    const { amount: _, ...rest } = accepted;
    expect(wishOf(second)).toEqual({
      commands: [
        {
          paymentId: "pay_1",
          payload: eip3009,
          requirements: { ...rest, ...signed, maxAmountRaw: 25_000_000n },
        },
      ],
      network: "eip155:84532",
      payer: "0xpayer",
    });
  });

  test("of a permit says what Permit2 signs, with a facilitator or without", () => {
    const said = { ...second, payload: { signature, permit2Authorization: permit } };
    const payload = {
      method: "permit2",
      signature,
      token: "0xtoken",
      from: "0xpayer",
      to: "0xus",
      amountRaw: 25_000_000n,
      validAfter: 7n,
      validBefore: 1_795_398_882n,
      nonce: "513",
      spender: "0xproxy",
      facilitator: null,
    };
    expect(wishOf(said).commands).toMatchObject([{ payload }]);
    const named = changed(said, "payload.permit2Authorization.witness.facilitator", "0xus");
    expect(wishOf(named).commands).toMatchObject([
      { payload: { ...payload, facilitator: "0xus" } },
    ]);
  });

  test("of version 1 means each token that could be paid so on its network, and no other place", () => {
    const other = { ...place, asset: "0xother", payTo: "0xalso" };
    const places: readonly LinkPlace[] = [
      { ...place, chainId: "eip155:8453" },
      { ...place, chainId: "eip155:1" },
      { ...place, method: "permit2", domain: null },
      { ...place, scheme: "upto" },
      place,
      other,
    ];
    const { commands, network, payer } = wishOf(first, 1, places);
    expect([network, payer]).toEqual(["base-sepolia", "0xpayer"]);
    const requirements = {
      ...signed,
      scheme: "exact",
      network: "base-sepolia",
      maxAmountRaw: 25_000_000n,
      extra: undefined,
    };
    expect(commands).toEqual(
      [place, other].map(({ asset, payTo }) => ({
        paymentId: "pay_1",
        payload: eip3009,
        requirements: { ...requirements, asset, payTo },
      })),
    );
    expect(wishOf(first, 1, []).commands).toEqual([]);
  });
});

const longest = "x".repeat(1_000);
const largest = String(2n ** 256n - 1n);
const latest = String(2n ** 53n - 1n);

test.each([
  ["accepted.asset", longest],
  ["accepted.asset", ""],
  ["accepted.amount", "0"],
  ["accepted.amount", largest],
  ["payload.authorization.value", largest],
  ["payload.authorization.validAfter", "0"],
  ["payload.authorization.validAfter", 0],
  ["payload.authorization.validBefore", latest],
  ["payload.authorization.validBefore", Number(latest)],
  ["accepted.scheme", "upto"],
])("%s may be %j", (path, value) => {
  expect(wishOf(changed(second, path, value)).commands).toHaveLength(1);
});

test.each([
  ["x402Version", 1],
  ["x402Version", "2"],
  ["accepted", undefined],
  ["accepted", null],
  ["accepted", []],
  ["accepted", "exact"],
  ["payload", null],
  ["payload.authorization", null],
  ["payload.authorization", undefined],
  ["payload.authorization", []],
  ["payload.signature", 7],
  ["payload.signature", null],
  ["accepted.asset", `${longest}x`],
  ["accepted.asset", "a\0b"],
  ["accepted.network", undefined],
  ["accepted.scheme", "batch"],
  ["accepted.amount", "-1"],
  ["accepted.amount", "01"],
  ["accepted.amount", "1.0"],
  ["accepted.amount", ""],
  ["accepted.amount", 25_000_000],
  ["accepted.amount", String(2n ** 256n)],
  ["accepted.amount", "9".repeat(79)],
  ["payload.authorization.value", "0x1"],
  ["payload.authorization.validBefore", String(2n ** 53n)],
  ["payload.authorization.validAfter", -1],
  ["payload.authorization.validAfter", 1.5],
])("%s may not be %j: 400", (path, value) => {
  const refused = () => wishOf(changed(second, path, value));
  expect(refused).toThrow(RequestError);
  expect(refused).toThrow(expect.objectContaining({ status: 400, problem: "invalid_request" }));
});

test.each([
  ["accepted", null],
  ["accepted", []],
  ["accepted", "exact"],
  ["accepted", 7],
  ["payload", null],
  ["payload", []],
  ["payload.authorization", "0x"],
])("where %s is %j it says that an object is missing", (path, value) => {
  expect(() => wishOf(changed(second, path, value))).toThrow("an object is missing");
});

test.each(["", "%%%", Buffer.from("[1]").toString("base64"), Buffer.from("7").toString("base64")])(
  "%j is no payment: 400",
  (text) => {
    for (const version of [1, 2] as const) {
      expect(() => paymentWishOf("pay_1", { version, text }, [place])).toThrow("cannot be read");
    }
  },
);
