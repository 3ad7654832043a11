import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, CanonicalJsonError } from "../../service/canonical-json.ts";

/** RFC 8785, appendix B: the 64 bits of a number, and its text. */
const numbers: readonly (readonly [bits: string, text: string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

function numberOf(bits: string): number {
  return Buffer.from(bits, "hex").readDoubleBE();
}

describe("canonical JSON (RFC 8785)", () => {
  it.each(numbers)("writes the number %s as %s", (bits, text) => {
    expect(canonicalJson(numberOf(bits))).toBe(text);
  });

  it("writes the sample of section 3.2.2", () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("orders members by their UTF-16 code units, as in section 3.2.3", () => {
    const value: unknown = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    const values = [...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, text]) => text);
    expect(values).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  it("writes the same text whatever the order of members, and one that reads back", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(reversed(value))).toBe(text);
        // Not `value` itself: JSON.stringify writes -0 as 0.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("keeps names apart that JavaScript treats in its own way", () => {
    const value: unknown = JSON.parse('{"constructor":2,"10":4,"9":3,"__proto__":1}');
    expect(canonicalJson(value)).toBe('{"10":4,"9":3,"__proto__":1,"constructor":2}');
  });

  const refused: readonly (readonly [name: string, value: unknown, pointer: string])[] = [
    ["half of a surrogate pair", { list: ["a", "\ud800"] }, "/list/1"],
    ["half of a surrogate pair in a name", { "a/\udc00": 1 }, "/a~1\udc00"],
    ["what is not a number", [numberOf("7fffffffffffffff")], "/0"],
    ["infinity", { a: { b: numberOf("7ff0000000000000") } }, "/a/b"],
    ["a bigint", 1n, ""],
    ["nothing in a list", [undefined], "/0"],
  ];
  it.each(refused)("refuses %s, and says where", (_, value, pointer) => {
    const error = thrownBy(() => canonicalJson(value));
    expect(error).toBeInstanceOf(CanonicalJsonError);
    expect(error).toMatchObject({ pointer });
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, one]: [string, unknown]) => [name, reversed(one)]));
}
