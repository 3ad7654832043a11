// What holds for the document as a whole, said again here and asserted of what was written.

import { describe, expect, test } from "vitest";
import { statusByCode } from "../../handlers/errors.ts";
import {
  below,
  document,
  isObject,
  listAt,
  members,
  objectAt,
  type Operation,
  operations,
  type Place,
  placeAt,
  textOf,
} from "../support/contract-document.ts";

/**
 * Of the operations that the interface began with: the successes, and the four errors that a caller must
 * branch on; `default` is the fifth. What one that came later has to say follows from what it is, below.
 */
const statuses: Readonly<Record<string, string>> = {
  registerWebhookEndpoint: "201 400 401 403 409",
  getWebhookEndpoint: "200 401 403 404 429",
  updateWebhookEndpoint: "200 400 401 403 404",
  setWebhookEndpointStatus: "200 400 401 403 404",
  rotateWebhookEndpointSecret: "200 401 403 404 409",
  listWebhookDeliveries: "200 400 401 403 429",
  createPayment: "201 400 401 409 422",
  cancelPayment: "200 401 403 404 409",
  requestWithdrawal: "201 400 401 409 422",
  cancelWithdrawal: "200 401 403 404 409",
  registerWithdrawAddress: "201 400 401 409 422",
  createPayoutSchedule: "201 400 401 409 422",
  listPayoutSchedules: "200 400 401 403 429",
  pausePayoutSchedule: "200 401 403 404 409",
  cancelSubscription: "200 401 403 404 409",
  listCurrencies: "200 304 400 401 403 429",
  getCurrency: "200 304 401 403 404 429",
  replaceCurrencyAcceptance: "200 400 401 403 422",
  reportX402Usage: "201 401 404 409 422",
  settleX402Payment: "200 202 400 401 402 409",
};

test("there are the twenty operations that the interface began with, in their order", () => {
  const first = operations.filter(({ operationId }) => Object.hasOwn(statuses, operationId));
  expect(first.map(({ operationId }) => operationId)).toEqual(Object.keys(statuses));
  expect(first).toHaveLength(20);
});

describe.each(operations)("$operationId", (operation) => {
  const { operationId, responses, defaultStatuses, parameters, method, path } = operation;

  test("has its successes and exactly five documented errors", () => {
    const all = [...responses.keys()];
    const { [operationId]: known = all.slice(0, -1).join(" ") } = statuses;
    expect(all).toEqual([...known.split(" "), "default"]);
    expect(all.filter((status) => !/^[23]/.test(status))).toHaveLength(5);
    expect(all).toEqual([...new Set(all)].toSorted());
  });

  test("names the errors that a caller of its kind must branch on", () => {
    const isRead = method === "GET";
    const hasPath = parameters.some((one) => one.in === "path");
    const hasKey = parameters.some(({ name, required }) => name === "Idempotency-Key" && required);
    const successes = [...responses.keys()].filter((status) => /^[23]/.test(status));
    expect(successes.some((status) => status.startsWith("2"))).toBe(true);
    const wanted = ["401", ...(isRead ? ["403", "429"] : []), ...(hasPath ? ["404"] : ["400"])];
    expect([...responses.keys()]).toEqual(expect.arrayContaining(wanted));
    // The key may be taken, or have been used for something else.
    const promised = [...responses.keys(), ...defaultStatuses.map(String)];
    if (hasKey) expect(promised).toEqual(expect.arrayContaining(["409", "422"]));
    expect(responses.has("201") && isRead).toBe(false);
  });

  test("says what its default stands for, and names nothing twice", () => {
    const possible = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503];
    expect(defaultStatuses).toEqual(possible.filter((one) => defaultStatuses.includes(one)));
    expect(defaultStatuses.filter((one) => responses.has(String(one)))).toEqual([]);
    const certain = operation.body === undefined ? [413, 500, 503] : [413, 415, 500, 503];
    expect(defaultStatuses).toEqual(expect.arrayContaining(certain));
    const everywhere = [400, 401, 403, 429].filter((one) => !responses.has(String(one)));
    expect(defaultStatuses).toEqual(expect.arrayContaining(everywhere));
  });

  test("has the error body and X-Request-Id on every answer", () => {
    for (const [status, response] of responses) {
      const header = members(response, "headers").get("X-Request-Id");
      expect({ status, required: header?.node["required"] }).toEqual({ status, required: true });
      if (/^[23]/.test(status)) continue;
      const media = members(response, "content").get("application/json");
      expect(media?.node["schema"]).toEqual({ $ref: "#/components/schemas/ApiError" });
    }
  });

  test("lists codes that belong to the status", () => {
    for (const [status, response] of responses) {
      if (/^[23]/.test(status)) continue;
      const codes = listAt(response.node, "x-error-codes").map(String);
      expect(codes.length).toBeGreaterThan(0);
      const known = new Map<string, number>(Object.entries(statusByCode));
      const wanted = status === "default" ? undefined : Number(status);
      const wrong = codes.filter((code) => known.get(code) !== (wanted ?? known.get(code)));
      expect({ status, wrong, unknown: codes.filter((code) => !known.has(code)) }).toEqual({
        status,
        wrong: [],
        unknown: [],
      });
    }
  });

  test("declares who calls, and a key for everything that writes", () => {
    const headers = parameters.filter((one) => one.in === "header");
    const required = headers.filter((one) => one.required).map(({ name }) => name);
    const always = ["X-Api-Key", "X-Signature", "X-Timestamp", "X-Nonce"];
    const writes = method !== "GET";
    const needsKey = writes && operationId !== "settleX402Payment";
    expect(required).toEqual(needsKey ? [...always, "Idempotency-Key"] : always);
    expect(headers.some(({ name }) => name === "Idempotency-Key")).toBe(writes);
    const security = operation.node["security"] ?? document["security"];
    expect(security).toEqual([{ ApiKey: [] }]);
  });

  test("declares the parameters of its path", () => {
    const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => name);
    const declared = parameters.filter((one) => one.in === "path");
    expect(declared.map(({ name }) => name)).toEqual(names);
    expect(declared.every(({ required }) => required)).toBe(true);
  });

  test("is described", () => {
    const { summary, description } = operation.node;
    expect(textOf(summary).length).toBeGreaterThan(5);
    expect(textOf(description).length).toBeGreaterThan(40);
  });

  test("replays name themselves", () => {
    const successes = [...responses].filter(([status]) => status.startsWith("2"));
    for (const [, response] of successes) {
      expect(members(response, "headers").has("Idempotent-Replayed")).toBe(method !== "GET");
    }
  });
});

test("429 always says when to come back", () => {
  for (const { responses } of operations) {
    const response = responses.get("429");
    if (response === undefined) continue;
    const header = members(response, "headers").get("Retry-After");
    expect(header?.node["required"]).toBe(true);
  }
});

const referenced = /^#\/components\/schemas\/(.+)$/;

/** Every object schema a request body leads to. */
function requestObjects(operation: Operation): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  const visit = (place: Place): void => {
    const reference = referenced.exec(textOf(place.node["$ref"]));
    if (reference !== null) {
      const pointer = `/components/schemas/${reference[1] ?? ""}`;
      if (!found.has(pointer)) visit(placeAt(pointer));
      return;
    }
    if (place.node["type"] === "object") found.set(place.pointer, place);
    for (const name of ["properties", "oneOf", "allOf", "anyOf"]) {
      for (const member of Object.keys(place.node[name] ?? {})) visit(below(place, name, member));
    }
    for (const name of ["items", "additionalProperties"]) {
      if (isObject(place.node[name] ?? null)) visit(below(place, name));
    }
  };
  if (operation.body !== undefined) visit(below(operation.body, "schema"));
  return found;
}

test("request objects are closed, but for the evidence, which is the merchant's own", () => {
  const objects = new Map(operations.flatMap((one) => [...requestObjects(one)]));
  expect(objects.size).toBeGreaterThan(15);
  const open = Array.from(objects)
    .filter(([, { node }]) => node["additionalProperties"] === true)
    .map(([pointer]) => pointer);
  expect(open).toEqual(["/components/schemas/ReportX402UsageRequest/properties/evidence"]);
  const undecided = Array.from(objects).filter(
    ([, { node }]) => node["additionalProperties"] === undefined,
  );
  expect(undecided.map(([pointer]) => pointer)).toEqual([]);
});

test("answers refer to components, so that the suite can close them", () => {
  for (const { responses } of operations) {
    for (const response of responses.values()) {
      for (const media of members(response, "content").values()) {
        expect(objectAt(media.node, "schema")["$ref"]).toMatch(referenced);
      }
    }
  }
});
