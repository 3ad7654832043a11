// What is signed of a request: docs/signing.md. A second implementation of the rules, on purpose: it shares nothing with
// the server, so that the two can be compared by a test.

export interface Credentials {
  /** `mk_...`, public */
  readonly key: string;
  /** `sk_...`, exactly as it was issued: it is not base64-decoded */
  readonly secret: string;
}

export interface SigningInput extends Credentials {
  readonly method: string;
  /** as on the request line, without the query */
  readonly path: string;
  /** as on the request line, without "?" */
  readonly query?: string | undefined;
  /** exactly the bytes that are sent; a text is sent as UTF-8 */
  readonly body?: string | Uint8Array | undefined;
  readonly idempotencyKey?: string | undefined;
  /** unix seconds; now when left out */
  readonly timestamp?: number | string | undefined;
  /** 16 to 64 of A-Z a-z 0-9 _ -, never used before with this key; random when left out */
  readonly nonce?: string | undefined;
}

export interface SignedHeaders {
  readonly "X-Api-Key": string;
  readonly "X-Timestamp": string;
  readonly "X-Nonce": string;
  readonly "X-Signature": string;
  readonly "Idempotency-Key"?: string;
}

/** Without what is left out: the time is now, and the nonce is new. */
export function completed(
  input: SigningInput,
): SigningInput & { readonly timestamp: string; readonly nonce: string } {
  const { timestamp = Math.floor(Date.now() / 1000), nonce = `n-${crypto.randomUUID()}` } = input;
  return { ...input, timestamp: String(timestamp), nonce };
}

/**
 * Nine lines, without a line feed at the end.
 *
 * @param bodyHash SHA-256 of the body in lower-case hex
 */
export function canonicalString(input: SigningInput, bodyHash: string): string {
  return [
    "CPS1-HMAC-SHA256",
    input.key,
    String(input.timestamp),
    input.nonce,
    input.method.toUpperCase(),
    input.path,
    canonicalQuery(input.query ?? ""),
    input.idempotencyKey ?? "",
    bodyHash,
  ].join("\n");
}

/** @param signature in lower-case hex */
export function signedHeaders(
  { key, timestamp, nonce = "", idempotencyKey }: SigningInput,
  signature: string,
): SignedHeaders {
  return {
    "X-Api-Key": key,
    "X-Timestamp": String(timestamp),
    "X-Nonce": nonce,
    "X-Signature": signature,
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
  };
}

/**
 * Each pair decoded, encoded again in the one way of RFC 3986, sorted by name and then value (as
 * encoded, character by character). A plus sign is a space, as the server reads it; empty pairs
 * do not count; a name without "=" has an empty value.
 */
export function canonicalQuery(query: string): string {
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair): readonly [name: string, value: string] => {
      const equals = pair.indexOf("=");
      if (equals === -1) return [encodeAgain(pair), ""];
      return [encodeAgain(pair.slice(0, equals)), encodeAgain(pair.slice(equals + 1))];
    });
  return pairs
    .toSorted(([name, value], [other, otherValue]) => {
      return compareTexts(name, other) || compareTexts(value, otherValue);
    })
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Throws a URIError when the text has an escape that is no UTF-8. */
function encodeAgain(text: string): string {
  const plain = decodeURIComponent(text.replaceAll("+", "%20"));
  // encodeURIComponent leaves five characters alone that RFC 3986 reserves
  return encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
