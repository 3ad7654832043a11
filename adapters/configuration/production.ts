// What a server must be told before it is trusted with money: where people try things out, each of
// these has a value that is good enough.

/** 32 bytes by chance have 30 different ones on average, and fewer than these never. */
const differentBytesMin = 16;

interface Judged {
  readonly environment: string;
  readonly encryptionKey: Uint8Array | undefined;
  readonly publicUrl: string | undefined;
  readonly webhookHttpHosts: ReadonlySet<string>;
}

/** @param isGiven whether a variable has a value, right or wrong */
export function productionMistakes(
  { environment, encryptionKey, publicUrl, webhookHttpHosts }: Judged,
  isGiven: (name: string) => boolean,
): readonly string[] {
  if (environment !== "production") return [];
  const mistakes: string[] = [];
  if (encryptionKey !== undefined && new Set(encryptionKey).size < differentBytesMin) {
    const reason = "whoever guesses it reads every secret";
    mistakes.push(
      `ENCRYPTION_KEY has fewer than ${differentBytesMin} different bytes, so nobody made it by ` +
        `chance; ${reason}, make one with: openssl rand -base64 32`,
    );
  }
  if (!isGiven("PUBLIC_URL")) {
    mistakes.push(
      "PUBLIC_URL is missing; checkout links begin with it, and webhooks never go there; write " +
        "where merchants reach the service, such as https://pay.example.com",
    );
  } else if (publicUrl?.startsWith("http:") === true) {
    mistakes.push(
      "PUBLIC_URL is not https; whoever is between a customer and the page changes the address " +
        "that is paid to; let a proxy speak TLS, and write its https address",
    );
  }
  if (!isGiven("TRUSTED_PROXIES")) {
    mistakes.push(
      "TRUSTED_PROXIES is missing; behind a proxy that nobody named all clients count as one, and " +
        "share its limits; write the proxy's ranges such as 10.0.0.0/8, or none if there is no proxy",
    );
  }
  if (webhookHttpHosts.size > 0) {
    const reason = "it opens the inside of the network to whoever has a test key";
    mistakes.push(`WEBHOOK_HTTP_HOSTS is not for production, ${reason}; leave it out`);
  }
  return mistakes;
}
