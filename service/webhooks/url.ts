// Which URLs a merchant may have events sent to: what can be said by looking at the text. What a
// name leads to is looked at again at each connection.

import { ServiceError } from "../errors.ts";

export interface WebhookUrlPolicy {
  /**
   * Names or addresses without a port that may be called over http, at any port and on private
   * networks: the receivers of developers and tests. In lower case.
   */
  readonly allowedHttpHosts: ReadonlySet<string>;
  /** our own names without a port: events sent to ourselves would be requests in our own name */
  readonly ownHosts: ReadonlySet<string>;
  /** whether `allowedHttpHosts` counts: for test endpoints, when they are saved and at each attempt */
  readonly isTest: boolean;
}

const lengthMax = 2048;
/** What `URL.port` says; the port of https itself is left empty. */
const allowedPorts: ReadonlySet<string> = new Set(["", "8443"]);

/**
 * Suffixes that no public name has: RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of
 * `internal`, and what home and company networks use beside them (RFC 6762, appendix G).
 */
const privateSuffixes = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "home.arpa",
  "home",
  "lan",
  "corp",
  "private",
] as const;

/** One label of a host name; `_` is left out, as in every name that a certificate can prove. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Throws `webhook_url_not_allowed`. */
export function checkWebhookUrl(text: string, policy: WebhookUrlPolicy): void {
  const problem = webhookUrlProblem(text, policy);
  if (problem === undefined) return;
  throw new ServiceError(
    "webhook_url_not_allowed",
    `Webhooks are not sent to this URL: it ${problem}.`,
    {
      details: {
        violations: [{ in: "body", pointer: "/url", rule: "url_policy", message: problem }],
      },
    },
  );
}

/** What is wrong and what to write instead, to be read after "it ..."; undefined: nothing. */
export function webhookUrlProblem(text: string, policy: WebhookUrlPolicy): string | undefined {
  if (text.length > lengthMax) return `must be at most ${lengthMax} characters long`;
  // A parser drops tabs and newlines, turns \ into / and full-width digits into digits. Whoever
  // looks at the text has to see what the parser sees.
  if (!/^[\x21-\x7e]*$/.test(text) || text.includes("\\")) {
    return "must be written in visible ASCII without backslashes: encode other characters, host names as xn--...";
  }
  const parts = /^(https?):\/\/([^/?#]+)/i.exec(text);
  const url = URL.parse(text);
  if (parts === null || url === null) {
    return "must be an absolute https URL with a host name, like https://shop.example/hooks";
  }
  if (text.includes("#")) return "must not have a fragment: leave out # and what follows";
  const authority = parts[2] ?? "";
  if (authority.includes("@")) {
    return "must not have user information: leave out what stands before @; deliveries are signed instead";
  }
  const isListed = policy.isTest && policy.allowedHttpHosts.has(url.hostname);
  if (url.protocol !== "https:" && !isListed) return "must be an https URL: write https://";
  return hostProblem(url, authority) ?? (isListed ? undefined : publicHostProblem(url, policy));
}

/** The host stands there as it is meant, in one spelling. */
function hostProblem(url: URL, authority: string): string | undefined {
  const written = authority.toLowerCase().replace(/:\d*$/, "");
  if (written === url.hostname && !written.endsWith(".")) return undefined;
  if (isAddress(url.hostname)) return addressProblem;
  if (written.endsWith(".")) return "must have a host name without a dot at its end";
  return `must have its host name spelled plainly: write ${url.hostname}`;
}

const addressProblem =
  "must have a public host name, not an IP address in any spelling: write the name that the certificate is for";

/**
 * The parser has already turned every spelling of an IPv4 address (hexadecimal, octal, one number)
 * into four decimal numbers, and refused what only looks like one.
 */
function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(hostname);
}

function publicHostProblem(url: URL, policy: WebhookUrlPolicy): string | undefined {
  const { hostname } = url;
  if (isAddress(hostname)) return addressProblem;
  if (!allowedPorts.has(url.port)) return "must use port 443 (the default of https) or 8443";
  if (policy.ownHosts.has(hostname)) {
    return "must not lead to this service itself: write the host of your own server";
  }
  const labels = hostname.split(".");
  if (labels.length < 2) {
    return "must have a full public host name with its domain, like shop.example";
  }
  if (hostname.length > 253 || !labels.every((one) => label.test(one))) {
    return "must have a valid host name: letters, digits and hyphens between dots";
  }
  const suffix = privateSuffixes.find((one) => hostname.endsWith(`.${one}`));
  if (suffix === undefined) return undefined;
  return `must have a public host name: .${suffix} only means something inside a private network`;
}
