// String formats of JSON Schema and OpenAPI, each as one predicate. Every regular expression here
// is unambiguous (no nested repetition over the same characters), so matching is linear.

import { isHostname } from "./hostnames.ts";

const percentEncoded = "%[0-9A-Fa-f]{2}";
const pathCharacter = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@]|${percentEncoded})`;
const userInformation = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=:]|${percentEncoded})*`;
const registeredName = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|${percentEncoded})*`;
const authority = `(?:${userInformation}@)?(?:\\[([0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\\.[^\\]]+)\\]|${registeredName})(?::[0-9]*)?`;
const relativePart = `(?://${authority}(?:/${pathCharacter}*)*|/(?:${pathCharacter}+(?:/${pathCharacter}*)*)?|${pathCharacter}+(?:/${pathCharacter}*)*|)`;
const queryAndFragment = `(?:\\?(?:${pathCharacter}|[/?])*)?(?:#(?:${pathCharacter}|[/?])*)?`;

/** RFC 3986 section 3, with a scheme. */
const absoluteUri = new RegExp(`^[A-Za-z][A-Za-z0-9+.\\-]*:${relativePart}${queryAndFragment}$`);
/** What nearly every URI looks like; one that does not is looked at in full. */
const plainUri =
  /^[a-z]{2,10}:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:\/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@/?-]*)?$/;
/** RFC 3986 section 4.1; a first segment with ":" would be a scheme. */
const uriReference = new RegExp(`^${relativePart}${queryAndFragment}$`);
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const quotedText = '"(?:[ !#-\\[\\]-~]|\\\\[ -~])*"';
const hostLabel = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** RFC 5321 section 4.1.2; a name of a host has at least two labels. */
const emailAddress = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quotedText})@(?:(?:${hostLabel}\\.)+${hostLabel}|\\[([^\\]]*)\\])$`,
);
const ipv4Address = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;
const uuid = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const base64Url = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$/;
const fullDate = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const fullTime =
  /^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;
const isoDuration =
  /^P(?!$)(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?(?:T(?!$)(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)?)?)$/;
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

/** RFC 4291 section 2.2, without a zone. */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [half, part] of halves.entries()) {
    if (part === "") continue;
    const pieces = part.split(":");
    for (const [index, piece] of pieces.entries()) {
      const last = half === halves.length - 1 && index === pieces.length - 1;
      if (last && piece.includes(".")) {
        if (!ipv4Address.test(piece)) return false;
        groups += 2;
      } else if (/^[0-9A-Fa-f]{1,4}$/.test(piece)) {
        groups += 1;
      } else {
        return false;
      }
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

function matchesUri(expression: RegExp, text: string): boolean {
  const match = expression.exec(text);
  if (match === null) return false;
  const literal = match[1];
  return (
    literal === undefined || literal.startsWith("v") || literal.startsWith("V") || isIpv6(literal)
  );
}

/** The host may be an address in brackets (section 4.1.3). */
function isEmail(text: string): boolean {
  const match = emailAddress.exec(text);
  if (match === null) return false;
  const literal = match[1];
  if (literal === undefined || ipv4Address.test(literal)) return true;
  return /^IPv6:/i.test(literal) && isIpv6(literal.slice(5));
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
  hostname: isHostname,
  ipv4: (text) => ipv4Address.test(text),
  ipv6: isIpv6,
  uri: (text) => plainUri.test(text) || matchesUri(absoluteUri, text),
  "uri-reference": (text) =>
    (!/^[^/?#]*:/.test(text) && matchesUri(uriReference, text)) || matchesUri(absoluteUri, text),
  uuid: (text) => uuid.test(text),
  byte: (text) => base64.test(text),
  base64url: (text) => base64Url.test(text),
  "json-pointer": (text) => jsonPointer.test(text),
  regex: isRegularExpression,
} as const satisfies Readonly<Record<string, (text: string) => boolean>>;

export type Format = keyof typeof formats;
