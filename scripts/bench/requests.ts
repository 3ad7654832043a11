// What every server is asked, and what it has to answer. Taken from the examples of the contract.

import { readFileSync } from "node:fs";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export const specification = new URL("../../generated/openapi.json", import.meta.url);

// the file is written by the generator: it is an OpenAPI document
const document = JSON.parse(readFileSync(specification, "utf8")) as Json;

/** The value at a JSON pointer of the contract, references followed. */
export function at(pointer: string): Json {
  let value: Json | undefined = document;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value = memberOf(follow(value), name);
    if (value === undefined) throw new Error(`the contract has nothing at ${pointer}`);
  }
  return follow(value);
}

function memberOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string, Json>>)[name]; // of a list: by its index
}

function follow(value: Json): Json {
  const reference = memberOf(value, "$ref");
  return typeof reference === "string" ? at(reference.slice(1)) : value;
}

/** A schema of the contract as one plain JSON Schema, for servers that know no references. */
export function inlined(value: Json): Json {
  const plain = follow(value);
  if (Array.isArray(plain)) return plain.map((item: Json) => inlined(item));
  if (typeof plain !== "object" || plain === null) return plain;
  return Object.fromEntries(
    Object.entries(plain)
      // `discriminator` is OpenAPI's, not JSON Schema's
      .filter(([name]) => name !== "discriminator" && !name.startsWith("x-"))
      .map(([name, member]: [string, Json]) => [name, inlined(member)]),
  );
}

/** The parameters of an operation in one place as one JSON Schema. */
export function parameterSchema(operation: string, place: string): Json {
  const parameters = at(`${operation}/parameters`);
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const index of Array.isArray(parameters) ? parameters.keys() : []) {
    const base = `${operation}/parameters/${String(index)}`;
    if (at(`${base}/in`) !== place) continue;
    const name = at(`${base}/name`);
    if (typeof name !== "string") continue;
    properties[name] = inlined(at(`${base}/schema`));
    if (memberOf(at(base), "required") === true) required.push(name);
  }
  return { type: "object", properties, required };
}

export interface Sample {
  readonly operationId: string;
  readonly method: "GET" | "POST";
  /** the path of the contract */
  readonly template: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly answer: Json;
  /** changes that make the request one that must be refused */
  readonly wrong: readonly Partial<Pick<Sample, "target" | "headers" | "body">>[];
}

const signed = {
  "X-Api-Key": "mk_test_0123456789abcdef",
  "X-Signature": "cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d",
  "X-Timestamp": "1767225600",
  "X-Nonce": "n-8f14e45fceea167a5a36dedd4bea2543",
};
const posted = {
  ...signed,
  "Idempotency-Key": "order-A-1001",
  "Content-Type": "application/json",
};
const badSignature = { ...signed, "X-Signature": "no signature" };

const payments = "/paths/~1v1~1payments/post";
const payment = at(`${payments}/requestBody/content/application~1json/examples/marketplace/value`);
const schedules = "/paths/~1v1~1payout-schedules/get";
const endpoint = "/paths/~1v1~1webhook-endpoints~1{id}/get";

export const samples: readonly Sample[] = [
  {
    operationId: "createPayment",
    method: "POST",
    template: "/v1/payments",
    target: "/v1/payments",
    headers: posted,
    body: JSON.stringify(payment),
    status: 201,
    answer: at(`${payments}/responses/201/content/application~1json/examples/one_currency/value`),
    wrong: [
      { body: JSON.stringify({ merchant_order_no: "A-1001" }) },
      { body: '{"merchant_order_no":' },
      { headers: { ...posted, ...badSignature } },
    ],
  },
  {
    operationId: "listPayoutSchedules",
    method: "GET",
    template: "/v1/payout-schedules",
    target: "/v1/payout-schedules?status=active&currency_id=cur_usdc",
    headers: signed,
    status: 200,
    answer: at(`${schedules}/responses/200/content/application~1json/examples/one/value`),
    wrong: [{ target: "/v1/payout-schedules?status=nonsense" }, { headers: badSignature }],
  },
  {
    operationId: "getWebhookEndpoint",
    method: "GET",
    template: "/v1/webhook-endpoints/{id}",
    target: "/v1/webhook-endpoints/whe_01KDVDNA0083XSSSS6YS3C4DWA",
    headers: signed,
    status: 200,
    answer: at(`${endpoint}/responses/200/content/application~1json/examples/active/value`),
    wrong: [{ target: `/v1/webhook-endpoints/${"x".repeat(300)}` }, { headers: badSignature }],
  },
];

/** The contract's pointer to the operation of a sample. */
export function pointerOf({ template, method }: Sample): string {
  return `/paths/${template.replaceAll("/", "~1")}/${method.toLowerCase()}`;
}
