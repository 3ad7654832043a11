// A contract with every kind of answer, and a client of it whose requests are answered here.

import type { JsonObject } from "../../../generator/json.ts";
import { documentOf, type Generated, loadClient, type Options } from "./both-sides.ts";

const text = { type: "string" };
const json = (schema: object, more: object = {}): object => ({
  description: "An answer.",
  content: { "application/json": { schema } },
  ...more,
});
const schema = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const problem = (...codes: readonly string[]): object =>
  json(schema("Error"), { "x-error-codes": codes });
const none = { description: "Nothing." };
const query = (name: string, required = false): object => ({
  name,
  in: "query",
  required,
  schema: text,
});
const petId = { name: "pet_id", in: "path", required: true, schema: text };
const linked = { headers: { Link: { schema: text } } };
const key = (required: boolean): object => ({
  name: "Idempotency-Key",
  in: "header",
  required,
  schema: text,
});
const of = (mediaType: string, own: object = {}): object => ({
  description: "An answer.",
  content: { [mediaType]: own },
});
const body = (own: object, required = true): object => ({
  required,
  content: { "application/json": { schema: own } },
});
const closed = (properties: object, required: readonly string[] = []): object => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});

const pets = {
  "/pets/{pet_id}": {
    parameters: [petId],
    get: {
      operationId: "getPet",
      tags: ["pets"],
      summary: "One pet",
      description: "Of all that there are.",
      "x-default-statuses": [500, 503],
      responses: {
        200: json(schema("Pet")),
        404: problem("not_found"),
        409: problem("taken", "gone"),
        default: problem("internal_error", "unavailable"),
      },
    },
    head: { operationId: "hasPet", tags: ["pets"], responses: { 200: json(schema("Pet")) } },
    put: {
      operationId: "putPet",
      tags: ["pets"],
      deprecated: true,
      requestBody: body(schema("Pet")),
      responses: { 204: none, 304: none, "4XX": problem("invalid", "not_found") },
    },
    patch: {
      operationId: "patchPet",
      tags: ["pets"],
      requestBody: body(closed({ name: text, age: { type: ["integer", "null"] } }), false),
      responses: { 200: json(schema("Pet")), 205: none, default: json({ type: "object" }) },
    },
  },
  "/pets": {
    get: {
      operationId: "listPets",
      tags: ["pets"],
      parameters: [query("limit"), query("cursor")],
      responses: {
        200: json({ type: "array", items: schema("Pet") }, linked),
        404: problem("not_found"),
      },
    },
  },
};

const next = (parameters: object, operationId = "listOrders"): object => ({
  links: { next: { operationId, parameters } },
});
const page = closed({ orders: { type: "array", items: schema("Order") }, next: text }, ["orders"]);

const orders = {
  "/orders": {
    get: {
      operationId: "listOrders",
      tags: ["orders"],
      parameters: [query("limit"), query("cursor")],
      responses: { 200: json(page, next({ cursor: "$response.body#/next" })) },
    },
    post: {
      operationId: "createOrder",
      tags: ["orders"],
      parameters: [key(true)],
      requestBody: body(schema("NewOrder")),
      responses: { 201: json(schema("Order")) },
    },
  },
  "/orders/{id}": {
    get: {
      operationId: "listParts",
      tags: ["orders"],
      parameters: [{ ...petId, name: "id" }, query("id", true), query("cursor")],
      responses: {
        200: json(
          { type: "array", items: text },
          next({ "query.cursor": "$response.header.X-Next" }, "listParts"),
        ),
      },
    },
    post: {
      operationId: "cancelOrder",
      tags: ["orders"],
      parameters: [{ ...petId, name: "id" }, key(false)],
      responses: { 204: none },
    },
  },
};

const files = {
  "/files/{name}": {
    parameters: [{ ...petId, name: "name" }],
    get: {
      operationId: "getFile",
      tags: ["files"],
      responses: { 200: of("application/octet-stream"), 404: of("text/plain", { schema: text }) },
    },
    put: {
      operationId: "putFile",
      tags: ["files"],
      requestBody: { required: true, content: { "application/octet-stream": {} } },
      responses: { 204: none },
    },
  },
  "/files/{name}.{ending}": {
    get: {
      operationId: "getNamed",
      tags: ["files"],
      parameters: [
        { ...petId, name: "name" },
        { ...petId, name: "ending" },
      ],
      responses: { 200: of("text/csv"), "4XX": of("text/plain", { schema: text }) },
    },
  },
  "/events": {
    get: {
      operationId: "events",
      tags: ["files"],
      responses: { 200: of("text/event-stream") },
    },
  },
  "/any": {
    get: {
      operationId: "any",
      tags: ["files"],
      responses: { 200: of("*/*", { schema: schema("Pet") }) },
    },
  },
};

export const shop: JsonObject = documentOf(
  { ...pets, ...orders, ...files },
  {
    components: {
      schemas: {
        Pet: closed({ id: text, name: text }, ["id"]),
        Order: closed({ id: { ...text, readOnly: true }, pet: text, note: text }, ["id", "pet"]),
        NewOrder: closed({ pet: text, token: { ...text, writeOnly: true } }, ["pet", "token"]),
        Error: closed(
          {
            code: {
              enum: [
                ..."not_found taken gone internal_error unavailable invalid".split(" "),
                "other",
              ],
            },
            message: text,
          },
          ["code", "message"],
        ),
      },
    },
  },
);

/** A client whose requests are answered one after the other; the last answer is given again. */
export async function answered(
  generated: Generated,
  responses: readonly (Response | Error)[],
  options: Partial<Options> = {},
) {
  const requests: Request[] = [];
  const module = await loadClient(generated);
  const client = module.createClient({
    baseUrl: "https://shop.example/v1",
    fetch: async (request) => {
      requests.push(request);
      request.signal.throwIfAborted();
      const response = responses[requests.length - 1] ?? new Response(null, { status: 204 });
      if (response instanceof Error) throw response;
      return Promise.resolve(response);
    },
    ...options,
  });
  return { ...module, client, requests };
}

export const jsonOf = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response => Response.json(value, { status, headers });
