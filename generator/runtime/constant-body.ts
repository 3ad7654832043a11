// Bodies that are the answer to many requests: JSON is made of them once.

const known = new WeakMap<object, Uint8Array>();
const encoder = new TextEncoder();

/**
 * Says that a body of JSON never changes: it is frozen, with all that it holds (bytes and what a Date stands for cannot
 * be), and what is sent for it is made now and kept as long as the body itself. For answers that many requests get,
 * such as a page of a catalog.
 *
 * @returns the same object, for the body of an answer
 * @throws TypeError where JSON cannot say it
 */
export function constantBody<Body extends object>(body: Body): Body {
  // functions have no JSON; the declared type of stringify leaves that out
  const text = JSON.stringify(body) as string | undefined;
  if (text === undefined) throw new TypeError("the body of the answer is nothing JSON can say");
  freeze(body);
  known.set(body, encoder.encode(text));
  return body;
}

/** Undefined: it is none. */
export function constantBytes(body: unknown): Uint8Array | undefined {
  return typeof body === "object" && body !== null ? known.get(body) : undefined;
}

/** Also what lies below a part that is frozen already. */
function freeze(value: unknown, seen = new Set<object>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (!ArrayBuffer.isView(value)) Object.freeze(value);
  for (const part of Object.values(value)) freeze(part, seen);
}
