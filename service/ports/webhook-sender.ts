// One attempt to hand an event to a merchant's server, and what can come of it.

export interface WebhookRequest {
  /** Connections may be used again for the same one. */
  readonly endpointId: string;
  readonly url: string;
  /** of a test endpoint: a listed host may be called over http and on a private network */
  readonly isTest: boolean;
  /** complete: nothing else is sent but what HTTP itself needs */
  readonly headers: Readonly<Record<string, string>>;
  /** sent as they are: the signature counts for exactly these bytes */
  readonly body: Uint8Array;
}

/** Why there was no answer. Never a library's text: merchants choose what such texts say. */
export type SendFailure =
  /** the name is not known, or the resolver is silent */
  | "dns"
  /** the name leads, or may lead, to an address that is not on the public internet */
  | "address_not_allowed"
  /** no connection in time */
  | "connect_timeout"
  | "refused"
  /** nobody can be reached at that address */
  | "unreachable"
  /** the connection broke off before an answer */
  | "reset"
  /** no TLS, or a certificate that does not prove the name */
  | "tls"
  /** what came back is no HTTP answer */
  | "not_http"
  /** connected, but no status in time */
  | "timeout";

export type WebhookOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** the header Retry-After, counted from now */
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: "failed"; readonly reason: SendFailure };

export interface WebhookSender {
  /** Always ends, within its time limits, and never throws for what the other side does. */
  readonly send: (request: WebhookRequest) => Promise<WebhookOutcome>;
}
