// What a server must be told before it is trusted with money: where people try things out, each of
// these has a value that is good enough.

/** 32 bytes by chance have 30 different ones on average, and fewer than these never. */
const differentBytesMin = 16;

interface Judged {
  readonly environment: string;
  readonly encryptionKey: Uint8Array | undefined;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly webhookHttpHosts: ReadonlySet<string>;
}

interface Asked {
  /** whether a variable has a value, right or wrong */
  readonly isGiven: (name: string) => boolean;
  /** merchants and customers come to it; nobody comes to an operator's command */
  readonly isServer: boolean;
}

export function productionMistakes(judged: Judged, asked: Asked): readonly string[] {
  if (judged.environment !== "production") return [];
  return [...keyMistakes(judged), ...(asked.isServer ? serverMistakes(judged, asked) : [])];
}

function keyMistakes({ encryptionKey }: Judged): readonly string[] {
  if (encryptionKey === undefined) return [];
  if (new Set(encryptionKey).size >= differentBytesMin) return [];
  const reason = "whoever guesses it reads every secret";
  return [
    `ENCRYPTION_KEY has fewer than ${differentBytesMin} different bytes, so nobody made it by ` +
      `chance; ${reason}, make one with: openssl rand -base64 32; if secrets are sealed with it, ` +
      "move this one to ENCRYPTION_KEYS_OLDER until npm run admin -- secrets reseal is done",
  ];
}

function serverMistakes(
  { publicUrl, trustedProxies, webhookHttpHosts }: Judged,
  { isGiven }: Asked,
): readonly string[] {
  const mistakes: string[] = [];
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
  const wide = trustedProxies.find(isNearlyEverybody);
  if (wide !== undefined) {
    mistakes.push(
      `TRUSTED_PROXIES has ${wide}, which is nearly every address; everybody could say who he is; write ` +
        "the proxy's own ranges, /8 or narrower (IPv6: /16)",
    );
  }
  if (webhookHttpHosts.size > 0) {
    const reason = "it opens the inside of the network to whoever has a test key";
    mistakes.push(`WEBHOOK_HTTP_HOSTS is not for production, ${reason}; leave it out`);
  }
  return mistakes;
}

function isNearlyEverybody(range: string): boolean {
  const bits = Number(range.slice(range.indexOf("/") + 1));
  return bits < (range.includes(":") ? 16 : 8);
}
