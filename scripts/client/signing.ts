// Signs with WebCrypto: in Node, Bun, Deno and workers.

import {
  canonicalString,
  completed,
  type Credentials,
  signedHeaders,
  type SignedHeaders,
  type SigningInput,
} from "./canonical.ts";

/** The headers of one request. Every attempt needs new ones: a nonce is taken once. */
export function sign({ key, secret, ...request }: SigningInput): Promise<SignedHeaders> {
  return signerOf({ key, secret })(request);
}

export type Signer = (request: Omit<SigningInput, keyof Credentials>) => Promise<SignedHeaders>;

/**
 * Signs any number of requests.
 *
 * @throws {TypeError} the secret is none, or this is a page: whoever reads a page would have the secret
 */
export function signerOf({ key, secret }: Credentials): Signer {
  if ("window" in globalThis && "document" in globalThis) {
    throw new TypeError("a page gives its secret to whoever reads it: sign on your server");
  }
  for (const [name, text] of [
    ["key", key],
    ["secret", secret],
  ] as const) {
    if (typeof text === "string" && /^\S+$/.test(text)) continue;
    throw new TypeError(
      `the ${name} is empty or has white space in it: hand it over as it was issued`,
    );
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined;
  return async (request) => {
    imported ??= crypto.subtle.importKey("raw", encoded(secret), algorithm, false, ["sign"]);
    const whole = completed({ ...request, key, secret });
    const { body = "" } = request;
    const digest = await crypto.subtle.digest(
      "SHA-256",
      typeof body === "string" ? encoded(body) : new Uint8Array(body),
    );
    const text = canonicalString(whole, hex(digest));
    return signedHeaders(
      whole,
      hex(await crypto.subtle.sign("HMAC", await imported, encoded(text))),
    );
  };
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
