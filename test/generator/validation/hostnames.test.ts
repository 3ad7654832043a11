// Labels of other scripts in host names: what is allowed, against texts from RFC 5891 and 5892, and
// their encoding, against Node's own.

import { domainToASCII } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHostname } from "../../../generator/runtime/hostnames.ts";
import { decodePunycode, encodePunycode } from "../../../generator/runtime/punycode.ts";

const pointsOf = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);
const encoded = (label: string): string => `xn--${encodePunycode(pointsOf(label))}`;

test.for<[string, string]>([
  ["letters of another script", "日本"],
  ["letters with marks that have no letter of their own", "नी"],
  ["exceptions among what is folded", "faß"],
  ["a middle dot in Catalan", "l·l"],
  ["a keraia before Greek", "͵α"],
  ["a geresh and gershayim behind Hebrew", "א׳ב״"],
  ["a middle dot among Katakana", "ア・イ"],
  ["a middle dot among Han", "日・本"],
  ["Arabic-Indic digits", "ب٠١٩"],
  ["extended Arabic-Indic digits", "ب۰۱۹"],
  ["joiners behind a virama", "क्\u200dषक्\u200cष"],
  ["a non-joiner between letters that are joined", "بي\u200cبي"],
  ["two hyphens elsewhere than third and fourth", "a--ü"],
])("%s may stand in a label", ([, label]) => {
  expect(isHostname(`www.${encoded(label)}.example`)).toBe(true);
  expect(isHostname(encoded(label).toUpperCase())).toBe(true);
});

test.for<[string, string]>([
  ["nothing that needs it", "abc"],
  ["a symbol", "☃"],
  ["a capital letter", "Ü"],
  ["a letter of another width", "ａ"],
  ["a mathematical letter", "\u{1d482}"],
  ["a letter and its mark apart", "e\u0301"],
  ["a mark at the beginning", "\u0301a"],
  ["a mark that is a space", "\u0903a"],
  ["a soft hyphen", "a\u00adb"],
  ["a tatweel", "ب\u0640"],
  ["a tone mark of Hangul", "한\u302e"],
  ["an old letter of Hangul", "\u1100"],
  ["a mark for symbols", "a\u20d0ü"],
  ["a control character", "\u0080"],
  ["a code point of nobody", "\u{10fffd}"],
  ["hyphens in the third and fourth place", "ab--ü"],
  ["a hyphen at the beginning", "-ü"],
  ["a middle dot between others", "a·b"],
  ["a middle dot at the end", "l·"],
  ["a keraia before another script", "͵a"],
  ["a geresh behind another script", "a׳"],
  ["gershayim at the beginning", "״א"],
  ["a Katakana dot among others", "a・b"],
  ["digits of two kinds", "ب٠۱"],
  ["digits of two kinds the other way round", "ب۱٠"],
  ["a joiner behind a letter", "क\u200dष"],
  ["a non-joiner between letters that stand apart", "a\u200cb"],
  ["a non-joiner at the end", "ب\u200c"],
])("%s may not", ([, label]) => {
  expect(isHostname(`www.${encoded(label)}.example`)).toBe(false);
});

test.for(["0", "9", "zzzzzzzz", "99999999", "a-b", "bcher-kv", "1ch2-4d", "999999b"])(
  "xn--%s stands for nothing",
  (text) => {
    expect(decodePunycode(text)).toBeUndefined();
    expect(isHostname(`xn--${text}`)).toBe(false);
  },
);

test("is encoded as Node does, and decoded again", () => {
  const alphabet = "az09äöüéñαβγδεабвгдアイウエ日本語字가나다라";
  const label = fc
    .string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 1, maxLength: 15 })
    .filter((text) => domainToASCII(text).startsWith("xn--"));
  fc.assert(
    fc.property(label, (text) => {
      expect(encoded(text)).toBe(domainToASCII(text));
      expect(decodePunycode(encoded(text).slice(4))).toEqual(pointsOf(text));
      expect([text, isHostname(encoded(text))]).toEqual([text, true]);
    }),
  );
});

test("is decoded from any code points, and never into something else", () => {
  const points = fc.array(fc.integer({ min: 0x80, max: 0x2ffff }), { minLength: 1, maxLength: 10 });
  const isScalar = (point: number): boolean => point < 0xd800 || point > 0xdfff;
  fc.assert(
    fc.property(points, (list) => {
      const some = list.filter(isScalar);
      expect(decodePunycode(encodePunycode(some))).toEqual(some);
    }),
  );
  const text = fc.string({ unit: fc.constantFrom(...Array.from("abcxyz0189-")), maxLength: 59 });
  fc.assert(
    fc.property(text, (one) => {
      const decoded = decodePunycode(one);
      if (decoded === undefined || encodePunycode(decoded) !== one) {
        expect(isHostname(`xn--${one}`)).toBe(false);
      }
    }),
  );
});
