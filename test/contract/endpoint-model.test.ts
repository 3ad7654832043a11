// Webhook endpoints against a model of a few lines: whatever a merchant does in whatever order, the
// service answers and keeps what the model does.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, errorOf, readAnswer, bodyOf } from "../support/contract-answers.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { type Change, send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { type Merchant, useService } from "../support/service.ts";

interface Action {
  readonly kind: "register" | "update" | "status" | "rotate" | "read";
  /** which of the endpoints there are; one more than there are is one that nobody has */
  readonly endpoint: number;
  readonly url: string;
  readonly active: boolean;
  readonly types: readonly string[];
}

// Few URLs, so that they are often taken already.
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom("register", "update", "status", "rotate", "read"),
  endpoint: fc.nat(4),
  url: fc.nat(3).map((at) => `https://shop.example/hooks/${at}`),
  active: fc.boolean(),
  types: fc.constantFrom(["*"], ["payment.paid"], ["payment.expired", "payment.created"]),
});

interface Known {
  readonly id: string;
  url: string;
  types: readonly string[];
  active: boolean;
  secret: string;
}

const unknownId = "whe_00000000000000000000000000";

describe.each(engines)("on %s", (engine) => {
  const service = useService(engine);

  const ask = async (merchant: Merchant, operationId: string, change: Change): Promise<Answer> => {
    const operation = operationBy(operationId);
    return readAnswer(await send(merchant, validRequest(operation, change)), operation);
  };

  /** What the answer was, in the words of the model. */
  const act = async (merchant: Merchant, known: Known[], given: Action): Promise<void> => {
    const { kind, url, types, active } = given;
    const endpoint = known[given.endpoint % (known.length + 1)];
    const path = { id: endpoint?.id ?? unknownId };
    const isTaken = known.some(
      (one) => one.url === url && (kind === "register" || one !== endpoint),
    );
    const body = { url, event_types: [...types] };
    const expectCode = (answer: Answer, status: number, code: string): void => {
      expect([kind, answer.status, errorOf(answer.body).code]).toEqual([kind, status, code]);
    };
    if (kind === "register") {
      const answer = await ask(merchant, "registerWebhookEndpoint", { body });
      if (isTaken) return expectCode(answer, 409, "endpoint_already_exists");
      expect([kind, answer.status]).toEqual([kind, 201]);
      const { id, secret } = bodyOf(answer.body);
      known.push({ id: textOf(id), secret: textOf(secret), url, types, active: true });
      return undefined;
    }
    const operations = {
      update: ["updateWebhookEndpoint", { path, body }],
      status: ["setWebhookEndpointStatus", { path, body: { active } }],
      rotate: ["rotateWebhookEndpointSecret", { path }],
      read: ["getWebhookEndpoint", { path }],
    } as const;
    const [operationId, change]: readonly [string, Change] = operations[kind];
    const answer = await ask(merchant, operationId, change);
    if (endpoint === undefined) return expectCode(answer, 404, "not_found");
    if (kind === "update" && isTaken) return expectCode(answer, 409, "endpoint_already_exists");
    expect([kind, answer.status]).toEqual([kind, 200]);
    if (kind === "update") Object.assign(endpoint, { url, types });
    if (kind === "status") endpoint.active = active;
    if (kind === "rotate") {
      const secret = textOf(bodyOf(answer.body)["secret"]);
      expect(secret).not.toBe(endpoint.secret);
      endpoint.secret = secret;
      return undefined;
    }
    expect(bodyOf(answer.body)).toMatchObject(shapeOf(endpoint));
    return undefined;
  };

  test("any session leaves what the model says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        const merchant = await service.newMerchant();
        const known: Known[] = [];
        for (const one of actions) await act(merchant, known, one);
        for (const one of known) {
          const answer = await ask(merchant, "getWebhookEndpoint", { path: { id: one.id } });
          expect(bodyOf(answer.body)).toMatchObject(shapeOf(one));
        }
        const rows = "select 1 from webhook_endpoints where merchant_id = $1";
        expect(await service.count(rows, [merchant.merchantId])).toBe(known.length);
      }),
      { numRuns: 25 },
    );
  });
});

function shapeOf({ id, url, types, active }: Known): JsonObject {
  return { id, url, event_types: [...types], active };
}
