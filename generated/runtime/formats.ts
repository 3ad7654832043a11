// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// String formats of JSON Schema and OpenAPI, each as one predicate. Every regular expression here
// is unambiguous (no nested repetition over the same characters), so matching is linear.

import { isHostname, isInternationalHostname } from "./hostnames.ts";
import { isIpv4, isIpv6, isIri, isIriReference, isUri, isUriReference } from "./uris.ts";

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const quotedText = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
const hostLabel = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** RFC 5321 section 4.1.2; a name of a host has at least two labels. */
const emailAddress = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quotedText})@(?:(?:${hostLabel}\\.)+${hostLabel}|\\[([^\\]]*)\\])$`,
);
/** RFC 6532 section 3.2: any character beyond ASCII stands where a letter may stand. */
const foreign = "(?![\\0-\\x7f])\\P{Cs}";
const foreignAtom = `(?:[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]|${foreign})+`;
const internationalLocalPart = new RegExp(
  `^(?:${foreignAtom}(?:\\.${foreignAtom})*|"(?:[ !#-\\[\\]-~]|${foreign}|\\\\[ -~])*")$`,
  "u",
);
const uuid = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** RFC 4648 pads (section 3.2), what is made of it elsewhere (RFC 7515) does not: both are written. */
const base64Url = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}(?:==)?|[A-Za-z0-9_-]{3}=?)?$/;
const fullDate = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const fullTime =
  /^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;
const isoDuration =
  /^P(?!$)(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?(?:T(?!$)(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)?)?)$/;
/** draft-bhutton-relative-json-pointer-00, section 3 */
const relativeJsonPointer =
  /^(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/;
/** RFC 6570, section 2: literals, and expressions of named variables. */
const variable = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})";
const variableList = `${variable}(?:\\.?${variable})*(?::[1-9][0-9]{0,3}|\\*)?`;
const uriTemplate = new RegExp(
  `^(?:[!#$&-;=?-\\[\\]_a-z~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{10fffd}]|%[0-9A-Fa-f]{2}` +
    `|\\{[+#./;?&=,!@|]?${variableList}(?:,${variableList})*\\})*$`,
  "u",
);
const jsonPointer = /^(?:\/(?:[^~/]|~0|~1)*)*$/;

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const parts = fullDate.exec(text);
  if (parts === null) return false;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && leap ? 29 : (daysOfMonth[month - 1] ?? 0);
  return day >= 1 && day <= last;
}

/** RFC 3339 section 5.6; a leap second (":60") and a missing offset are refused. */
function isDateTime(text: string): boolean {
  const separator = text.charCodeAt(10) | 32; // "T" or "t"
  return separator === 116 && isDate(text.slice(0, 10)) && fullTime.test(text.slice(11));
}

/** The host may be an address in brackets (section 4.1.3). */
function isEmail(text: string): boolean {
  const match = emailAddress.exec(text);
  if (match === null) return false;
  const literal = match[1];
  if (literal === undefined || isIpv4(literal)) return true;
  return /^IPv6:/i.test(literal) && isIpv6(literal.slice(5));
}

/** RFC 6531: local parts and hosts of every script. */
function isInternationalEmail(text: string): boolean {
  if (isEmail(text)) return true;
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const host = text.slice(at + 1).normalize("NFC");
  return internationalLocalPart.test(local) && isInternationalHostname(host);
}

function isRegularExpression(text: string): boolean {
  try {
    RegExp(text, "u");
    return true;
  } catch {
    return false; // the constructor's refusal is the answer
  }
}

/** Every format that is checked; a format that is missing here is an annotation only. */
export const formats = {
  "date-time": isDateTime,
  date: isDate,
  time: (text) => fullTime.test(text),
  duration: (text) => isoDuration.test(text),
  email: isEmail,
  "idn-email": isInternationalEmail,
  hostname: isHostname,
  "idn-hostname": isInternationalHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  "uri-reference": isUriReference,
  "uri-template": (text) => uriTemplate.test(text),
  iri: isIri,
  "iri-reference": isIriReference,
  uuid: (text) => uuid.test(text),
  byte: (text) => base64.test(text),
  base64url: (text) => base64Url.test(text),
  "json-pointer": (text) => jsonPointer.test(text),
  "relative-json-pointer": (text) => relativeJsonPointer.test(text),
  regex: isRegularExpression,
} as const satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Format = keyof typeof formats;
