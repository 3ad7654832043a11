// Signatures of deliveries: Standard Webhooks 1.0 (github.com/standard-webhooks/standard-webhooks,
// spec/standard-webhooks.md), so that merchants verify with a library that exists already.

import { createHmac, createSecretKey } from "node:crypto";
import type { KeyObject } from "node:crypto";

const secretPrefix = "whsec_";
const version = "v1";

export interface SignedContent {
  /** the same on every retry, so that a receiver can tell what it has seen */
  readonly id: string;
  /** of this attempt */
  readonly timestampSeconds: number;
  /** the very bytes that are sent: nobody may write the JSON anew after this */
  readonly body: Uint8Array;
}

/**
 * The header `webhook-signature`: a signature for each secret, separated by spaces. While a secret
 * is being replaced there are two, and a receiver accepts whichever it knows.
 */
export function signWebhook(secrets: readonly string[], content: SignedContent): string {
  return secrets.map((secret) => signature(secret, content)).join(" ");
}

function signature(secret: string, content: SignedContent): string {
  const hmac = createHmac("sha256", keyOf(secret));
  hmac.update(`${content.id}.${content.timestampSeconds}.`);
  hmac.update(content.body);
  return `${version},${hmac.digest("base64")}`;
}

/** The key is what the base64 stands for, not its text. As an object it costs Node a third of what bytes do. */
function keyOf(secret: string): KeyObject {
  if (!secret.startsWith(secretPrefix)) throw new Error("a webhook secret has no whsec_ prefix");
  return createSecretKey(secret.slice(secretPrefix.length), "base64");
}
