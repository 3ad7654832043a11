// URIs (RFC 3986), the same in every script (RFC 3987), and the addresses that may stand in them. Every
// regular expression here is unambiguous, so matching is linear.

const ipv4Address = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;

export function isIpv4(text: string): boolean {
  return ipv4Address.test(text);
}

/** RFC 4291 section 2.2, without a zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [half, part] of halves.entries()) {
    if (part === "") continue;
    const pieces = part.split(":");
    for (const [index, piece] of pieces.entries()) {
      const last = half === halves.length - 1 && index === pieces.length - 1;
      if (last && piece.includes(".")) {
        if (!isIpv4(piece)) return false;
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

/** What nearly every URI looks like; one that does not is looked at in full. */
const plainUri =
  /^[a-z]{2,10}:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:\/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@/?-]*)?$/;

interface Grammar {
  /** RFC 3986 section 3, with a scheme */
  readonly absolute: RegExp;
  /** section 4.1; a first segment with ":" would be a scheme */
  readonly relative: RegExp;
}

/** `letters`: further characters wherever a letter may stand; `privately`: and in queries alone. */
function grammarOf(letters: string, privately: string): Grammar {
  const percentEncoded = "%[0-9A-Fa-f]{2}";
  const character = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@${letters}]|${percentEncoded})`;
  const userInformation = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=:${letters}]|${percentEncoded})*`;
  const registeredName = `(?:[A-Za-z0-9\\-._~!$&'()*+,;=${letters}]|${percentEncoded})*`;
  const authority = `(?:${userInformation}@)?(?:\\[([0-9A-Fa-f:.]+|[vV][0-9A-Fa-f]+\\.[A-Za-z0-9\\-._~!$&'()*+,;=:]+)\\]|${registeredName})(?::[0-9]*)?`;
  const relativePart = `(?://${authority}(?:/${character}*)*|/(?:${character}+(?:/${character}*)*)?|${character}+(?:/${character}*)*|)`;
  const query = `(?:\\?(?:${character}|[/?${privately}])*)?`;
  const fragment = `(?:#(?:${character}|[/?])*)?`;
  return {
    absolute: new RegExp(`^[A-Za-z][A-Za-z0-9+.\\-]*:${relativePart}${query}${fragment}$`, "u"),
    relative: new RegExp(`^${relativePart}${query}${fragment}$`, "u"),
  };
}

const uris = grammarOf("", "");
/** RFC 3987 section 2.2, ucschar and iprivate. */
const iris = grammarOf(
  "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" +
    Array.from({ length: 14 }, (_, index) => (index + 1).toString(16))
      .map((plane) => `\\u{${plane}${plane === "e" ? "1000" : "0000"}}-\\u{${plane}fffd}`)
      .join(""),
  "\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}",
);

export function isUri(text: string): boolean {
  return plainUri.test(text) || matches(uris.absolute, text);
}

export function isUriReference(text: string): boolean {
  return isReference(uris, text);
}

export function isIri(text: string): boolean {
  return matches(iris.absolute, text);
}

export function isIriReference(text: string): boolean {
  return isReference(iris, text);
}

function isReference({ absolute, relative }: Grammar, text: string): boolean {
  return (!/^[^/?#]*:/.test(text) && matches(relative, text)) || matches(absolute, text);
}

function matches(expression: RegExp, text: string): boolean {
  const match = expression.exec(text);
  if (match === null) return false;
  const literal = match[1];
  return literal === undefined || /^v/i.test(literal) || isIpv6(literal);
}
