// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Host names (RFC 1123, section 2.1), and the labels in them that stand for other scripts: what follows
// "xn--" must be the one way to write a name that is allowed (RFC 5890 to 5893).

import { decodePunycode, encodePunycode } from "./punycode.ts";

const plainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

export function isHostname(text: string): boolean {
  if (text.length > 253 || text.length === 0) return false;
  const labels = text.split(".");
  return labels.every(isLabel) && haveDirections(labels);
}

/** RFC 5890, section 2.3.2.3: labels as people write them, or as machines do. */
export function isInternationalHostname(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split(separators);
  if (!labels.every((label) => isLabel(label) || isWritten(label))) return false;
  return labels.map(encoded).join(".").length <= 253 && haveDirections(labels);
}

/** Full stops of other scripts stand for the dot (RFC 3490, section 3.1). */
const separators = /[.\u3002\uff0e\uff61]/;

function isWritten(label: string): boolean {
  return label.length <= 63 && isUnicodeLabel(label) && encoded(label).length <= 63;
}

function encoded(label: string): string {
  return isForeign.test(label) ? `xn--${encodePunycode(Array.from(label, pointOf))}` : label;
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function isLabel(label: string): boolean {
  if (!plainLabel.test(label)) return false;
  const lower = label.toLowerCase();
  if (!lower.startsWith("xn--")) return true;
  const points = decodePunycode(lower.slice(4));
  if (points === undefined || encodePunycode(points) !== lower.slice(4)) return false;
  return isUnicodeLabel(String.fromCodePoint(...points));
}

/** RFC 5891, section 5.4. */
function isUnicodeLabel(label: string): boolean {
  const hasHyphens = label.startsWith("-") || label.endsWith("-") || /^..--/su.test(label);
  if (hasHyphens || label.normalize("NFC") !== label || /^\p{M}/u.test(label)) return false;
  return isForeign.test(label) && allowed.test(label) && isInContext(label);
}

/** Without it there would be nothing to encode. */
const isForeign = /[^\0-\x7f]/;

/** Exceptions of RFC 5892, section 2.6; what is allowed in some surroundings included. */
const exceptions =
  "\u00df\u03c2\u06fd\u06fe\u0f0b\u3007\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d\u0660-\u0669\u06f0-\u06f9";

/** Of the letters and digits those that never stand in a name (sections 2.6, 2.8 and 2.9). */
const forbidden =
  "\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b" +
  "\u20d0-\u20ff\u{1d100}-\u{1d24f}" +
  "\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff" +
  "\\p{Changes_When_NFKC_Casefolded}\\p{Default_Ignorable_Code_Point}";

const allowed = new RegExp(
  `^(?:[${exceptions}]|(?![${forbidden}])[-\\p{Ll}\\p{Lo}\\p{Lm}\\p{Mn}\\p{Mc}\\p{Nd}])*$`,
  "u",
);

/** Signs that take away the vowel before them: those of the canonical combining class 9. */
const viramas =
  "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a" +
  "\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed" +
  "\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}" +
  "\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}" +
  "\u{11c3f}\u{11d44}\u{11d45}\u{11d97}\u{11f41}\u{11f42}";

/** Letters of the scripts that are written joined. */
const joined = "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}";

/** Each finds a character outside of its surroundings (RFC 5892, appendix A). */
const misplaced: readonly RegExp[] = [
  new RegExp(`(?<![${viramas}])(?<![${joined}]\\p{M}*)\u200c`, "u"),
  new RegExp(`(?<![${viramas}])\u200c(?!\\p{M}*[${joined}])`, "u"),
  new RegExp(`(?<![${viramas}])\u200d`, "u"),
  /(?<!l)\u00b7|\u00b7(?!l)/u,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/u,
];

function isInContext(label: string): boolean {
  return !misplaced.some((one) => one.test(label));
}

/** Letters of the scripts that are written from right to left (bidirectional classes R and AL). */
const leftward =
  "\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}" +
  "\\p{Script=Samaritan}\\p{Script=Mandaic}\\p{Script=Adlam}\\p{Script=Hanifi_Rohingya}" +
  "\\p{Script=Mende_Kikakui}\\u{10800}-\\u{10fff}";
const hasLeftward = new RegExp(`(?![\\u06f0-\\u06f9])[${leftward}\\u0660-\\u0669]`, "u");
/** RFC 5893 section 2, rules 1 to 4; \u06f0 to \u06f9 count as European digits. */
const leftwardLabel = new RegExp(
  `^(?![\\p{M}\\u0660-\\u0669\\u06f0-\\u06f9])[${leftward}](?:[${leftward}\\p{M}0-9\\u06f0-\\u06f9\\u0660-\\u0669\\u200c\\u200d-])*` +
    `(?<=[${leftward}0-9\\u06f0-\\u06f9\\u0660-\\u0669]\\p{M}*)$`,
  "u",
);
const mixedDigits = /[\u0660-\u0669].*[0-9\u06f0-\u06f9]|[0-9\u06f0-\u06f9].*[\u0660-\u0669]/;
/** Rules 1, 5 and 6: a letter first, a letter or a digit last, nothing leftward. */
const rightwardLabel = /^\p{L}.*(?<=[\p{L}\p{N}]\p{M}*)$/u;

/** Rules of directions hold in a name of which any part is written from right to left. */
function haveDirections(labels: readonly string[]): boolean {
  if (!labels.some((label) => isForeign.test(label) || /^xn--/i.test(label))) return true;
  const decoded = labels.map(unicodeOf);
  if (!decoded.some((label) => hasLeftward.test(label))) return true;
  return decoded.every((label) =>
    hasLeftward.test(label)
      ? leftwardLabel.test(label) && !mixedDigits.test(label)
      : rightwardLabel.test(label),
  );
}

function unicodeOf(label: string): string {
  if (!/^xn--/i.test(label)) return label;
  return String.fromCodePoint(...(decodePunycode(label.toLowerCase().slice(4)) ?? []));
}
