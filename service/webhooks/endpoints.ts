// The endpoints a merchant has its events sent to: registering, reading, changing, switching on and
// off, and replacing the secret. Keys of the merchant's other environment find none of them.
//
// Every change reads the endpoint, decides in memory, and writes with one statement that does
// nothing unless the endpoint is still what was read; if it is not, the change is decided again.

import assert from "node:assert";
import { resumableMilliseconds } from "./delivery-rules.ts";
import { checkEventNames, parseEventTypes } from "../events/types.ts";
import type { EventTypeAbout } from "../events/types.ts";
import { endpointsMax } from "../database/words.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import type { EventDraft } from "../events/events.ts";
import { refusalsOf, ServiceError } from "../errors.ts";
import { decideAgain, isChanged, storeAnswer } from "../idempotency/decide-again.ts";
import { keyExpired, keyTaken } from "../idempotency/idempotency.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import type { Owner } from "../owner.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { Random } from "../ports/random.ts";
import { sealingContexts } from "../secrets/sealing.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import {
  findEndpoint,
  findEndpointByUrl,
  registerEndpoint,
  replaceEndpoint,
  rotateEndpointSecret,
  switchEndpointOff,
  switchEndpointOn,
} from "./endpoints.sql.ts";
import type { RegisterFacts, RegisterValues, ReplaceValues } from "./endpoints.sql.ts";
import { publishedEndpoint } from "./endpoint-model.ts";
import type { WebhookEndpoint } from "./endpoint-model.ts";
import { checkWebhookUrl } from "./url.ts";
import type { WebhookUrlPolicy } from "./url.ts";

/** Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;
const hourMilliseconds = 3_600_000;
/** How long the previous secret signs beside a new one. */
const previousSecretHours = 24;

export interface WebhookEndpointPorts extends RecordingPorts {
  readonly random: Random;
  readonly sealer: Sealer;
  readonly urlPolicy: Omit<WebhookUrlPolicy, "isTest">;
}

/** As the constraints of the table are called. */
const constraints = {
  slot: "webhook_endpoints_merchant_id_environment_slot_key",
  url: "webhook_endpoints_merchant_id_environment_url_key",
  key: "webhook_endpoints_idempotency_key",
} as const;

const endpointId = /^whe_[0-9A-Za-z]{1,64}$/;

/** Where to send which events. */
export interface EndpointCommand {
  readonly url: string;
  /** omitted: every event */
  readonly eventTypes?: readonly string[] | undefined;
}

/** Of a command of which parts are not known. */
export interface EndpointParts {
  readonly url: string | undefined;
  readonly eventTypes: readonly (string | undefined)[] | undefined;
}

/** A new secret is shown here, and nowhere else. */
export interface EndpointSecret {
  readonly id: string;
  readonly secret: string;
  readonly eventTypes: readonly string[];
}

export class WebhookEndpoints {
  readonly #ports: WebhookEndpointPorts;

  constructor(ports: WebhookEndpointPorts) {
    this.#ports = ports;
  }

  /**
   * Throws `webhook_url_not_allowed`, `unknown_event_type`, `endpoint_already_exists`,
   * `endpoint_limit_reached`. Emits no event.
   */
  async register(
    owner: Owner,
    command: EndpointCommand,
    finish: Finish<EndpointSecret>,
  ): Promise<void> {
    const { identifiers, sealer } = this.#ports;
    const url = this.#allowedUrl(owner, command);
    const eventTypes = parseEventTypes(command.eventTypes);
    const id = identifiers.next("whe");
    const secret = this.#newSecret();
    const values: RegisterValues = {
      id,
      merchantId: owner.merchantId,
      environment: owner.environment,
      url,
      eventTypes,
      secretSealed: sealer.seal(secret, sealingContexts.webhookEndpoint(id)),
      now: this.#ports.clock.now(),
      ...finish({ id, secret, eventTypes }),
    };
    // Every lost slot is one that another request took, and no slot is ever given back: after this
    // many there is none left to lose. A lost URL costs an attempt more.
    for (let attempt = 0; attempt <= endpointsMax + 1; attempt++) {
      const facts = await this.#tryRegister(values);
      if (facts !== "taken") return assertRegistered(facts);
    }
    throw limitReached();
  }

  /** "taken": another request was faster, and what it wrote is there now. */
  async #tryRegister(values: RegisterValues): Promise<RegisterFacts | "taken"> {
    try {
      const [facts] = await this.#ports.database.run(registerEndpoint, values);
      assert(facts !== undefined, "the statement has one row");
      return facts;
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      const { constraint } = error;
      if (constraint === constraints.key) throw keyExpired();
      if (constraint === constraints.slot || constraint === constraints.url) return "taken";
      throw error;
    }
  }

  /** Throws `not_found`. */
  async get({ merchantId, environment }: Owner, id: string): Promise<WebhookEndpoint> {
    // What cannot be an id of ours need not be asked for (and the database keeps no U+0000).
    const rows = endpointId.test(id)
      ? await this.#ports.database.run(findEndpoint, { merchantId, environment, id })
      : [];
    const [row] = rows;
    if (row === undefined) {
      throw new ServiceError("not_found", "There is no webhook endpoint with this id.");
    }
    return {
      id: row.id,
      url: row.url,
      eventTypes: row.event_types,
      active: row.active,
      inactiveSince: row.inactive_since,
      createdAt: row.created_at,
    };
  }

  /**
   * Replaces URL and events. Pending deliveries follow the URL, since it is read at each attempt.
   * Throws as `register`, and `not_found`.
   */
  async update(
    owner: Owner,
    command: EndpointCommand & { readonly id: string },
    finish: Finish<WebhookEndpoint>,
  ): Promise<void> {
    const { id } = command;
    const url = this.#allowedUrl(owner, command);
    const eventTypes = parseEventTypes(command.eventTypes);
    const { database } = this.#ports;
    await this.#change(owner, id, async (endpoint) => {
      const next = { ...endpoint, url, eventTypes };
      // Our choice: a replacement by the same is no change, so it is no event.
      const isSame = url === endpoint.url && isSameList(eventTypes, endpoint.eventTypes);
      if (isSame) return storeAnswer(database, finish(endpoint));
      const change = this.#changeOf(owner, endpoint, finish(next));
      const values = { ...change("webhook_endpoint.updated", next), url, eventTypes };
      return this.#replace(values);
    });
  }

  /** False: it is to be decided again. Throws `endpoint_already_exists`. */
  async #replace(values: ReplaceValues): Promise<boolean> {
    const { database } = this.#ports;
    try {
      return isChanged(await database.run(replaceEndpoint, values));
    } catch (error) {
      const isTaken = error instanceof UniqueViolation && error.constraint === constraints.url;
      if (!isTaken) throw error;
      const { merchantId, environment, url } = values;
      const [other] = await database.run(findEndpointByUrl, { merchantId, environment, url });
      // Whoever had the URL has left it since, maybe to this one.
      if (other === undefined || other.id === values.id) return false;
      throw alreadyExists(other.id);
    }
  }

  /**
   * While an endpoint is off, its new events are skipped and its open deliveries wait; they are
   * resumed if it is on again within 72 hours, and given up later. Throws `not_found`.
   */
  async setStatus(
    owner: Owner,
    command: { readonly id: string; readonly active: boolean },
    finish: Finish<WebhookEndpoint>,
  ): Promise<void> {
    const { database } = this.#ports;
    await this.#change(owner, command.id, async (endpoint) => {
      if (endpoint.active === command.active) return storeAnswer(database, finish(endpoint));
      const next = { ...endpoint, active: command.active };
      const change = this.#changeOf(owner, endpoint, finish(next));
      if (!command.active) {
        const values = change("webhook_endpoint.disabled", next);
        return isChanged(await database.run(switchEndpointOff, values));
      }
      const resumableSince = new Date(this.#ports.clock.nowMilliseconds() - resumableMilliseconds);
      const values = { ...change("webhook_endpoint.updated", next), resumableSince };
      return isChanged(await database.run(switchEndpointOn, values));
    });
  }

  /**
   * A new secret that signs at once; the previous one signs beside it for 24 hours, and one before
   * that no longer. Throws `not_found`.
   */
  async rotateSecret(owner: Owner, id: string, finish: Finish<EndpointSecret>): Promise<void> {
    const { clock, database, sealer } = this.#ports;
    const secret = this.#newSecret();
    await this.#change(owner, id, async (endpoint) => {
      const answer = finish({ id, secret, eventTypes: endpoint.eventTypes });
      const change = this.#changeOf(owner, endpoint, answer);
      const expiresAt = clock.nowMilliseconds() + previousSecretHours * hourMilliseconds;
      const rows = await database.run(rotateEndpointSecret, {
        ...change("webhook_endpoint.secret_rotated", endpoint),
        secretSealed: sealer.seal(secret, sealingContexts.webhookEndpoint(id)),
        previousSecretExpiresAt: new Date(expiresAt),
      });
      return isChanged(rows);
    });
  }

  /** Reads and decides until the decision was written on what it was made from. */
  async #change(
    owner: Owner,
    id: string,
    decide: (endpoint: WebhookEndpoint) => Promise<boolean>,
  ): Promise<void> {
    await decideAgain("endpoint", async () => {
      const endpoint = await this.get(owner, id);
      return decide(endpoint);
    });
  }

  /** The values every change has: what was read, the answer, and the event about the result. */
  #changeOf({ merchantId, environment }: Owner, read: WebhookEndpoint, finishing: FinishingValues) {
    const { id } = read;
    return (type: EventTypeAbout<"webhook_endpoint">, next: WebhookEndpoint) => {
      const resource = { type: "webhook_endpoint", id } as const;
      const data = dataAbout("webhook_endpoint", publishedEndpoint(next));
      const owner = { merchantId, environment };
      const draft: EventDraft = { ...owner, type, resource, data, exceptEndpointId: id };
      return {
        ...owner,
        id,
        urlRead: read.url,
        eventTypesRead: read.eventTypes,
        activeRead: read.active,
        now: this.#ports.clock.now(),
        ...eventValues(this.#ports, draft),
        ...finishing,
      };
    };
  }

  /** What saving would refuse of a body of which parts are not known. */
  problemsOf(owner: Owner, { url, eventTypes }: EndpointParts): readonly ServiceError[] {
    const names = eventTypes?.filter((name) => name !== undefined);
    const isWhole = names?.length === eventTypes?.length;
    return refusalsOf([
      () => url !== undefined && this.#allowedUrl(owner, { url }),
      () => (isWhole ? parseEventTypes(names) : checkEventNames(eventTypes ?? [])),
    ]);
  }

  /** The URL in the one spelling it is stored and compared in. */
  #allowedUrl({ environment }: Owner, { url }: EndpointCommand): string {
    const policy = { ...this.#ports.urlPolicy, isTest: environment === "test" };
    checkWebhookUrl(url, policy);
    const { href } = new URL(url);
    // Escapes can make it longer than what was sent.
    checkWebhookUrl(href, policy);
    return href;
  }

  #newSecret(): string {
    return `whsec_${Buffer.from(this.#ports.random.bytes(secretBytes)).toString("base64")}`;
  }
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** The reasons in the order of precedence; the key comes first, since nothing else counts. */
function assertRegistered(facts: RegisterFacts): void {
  if (facts.is_finished) return;
  // The request made an endpoint once, and its answer is long forgotten.
  if (facts.has_key) throw keyExpired();
  if (facts.url_owner_id !== null) throw alreadyExists(facts.url_owner_id);
  if (facts.slot === null) throw limitReached();
  throw keyTaken();
}

function alreadyExists(id: string): ServiceError {
  return new ServiceError(
    "endpoint_already_exists",
    "A webhook endpoint with this URL exists. Update it instead.",
    { details: { endpoint_id: id } },
  );
}

function limitReached(): ServiceError {
  return new ServiceError(
    "endpoint_limit_reached",
    `A merchant may have at most ${endpointsMax} webhook endpoints in each environment.`,
  );
}
