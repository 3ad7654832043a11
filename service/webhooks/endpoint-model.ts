// A webhook endpoint, as the rules see it and as merchants see it.

export interface WebhookEndpoint {
  readonly id: string;
  /** as the URL parser writes it */
  readonly url: string;
  /** names of events, or `*` alone */
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  /** null while it is active */
  readonly inactiveSince: Date | null;
  readonly createdAt: Date;
}

/** In wire names: the service needs them too, for the data of events. Never with a secret. */
export interface PublishedWebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly event_types: string[];
  readonly active: boolean;
  readonly created_at: string;
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly webhook_endpoint: PublishedWebhookEndpoint & { readonly reason?: "failing" | "gone" };
  }
}

/** The endpoint as merchants see it, in answers and in events alike. */
export function publishedEndpoint(endpoint: WebhookEndpoint): PublishedWebhookEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    event_types: [...endpoint.eventTypes],
    active: endpoint.active,
    created_at: endpoint.createdAt.toISOString(),
  };
}
