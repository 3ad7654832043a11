// A small contract with the things that ours does not have: alternatives, callbacks, servers with
// variables, OAuth scopes, several media types.

const pet = {
  type: "object",
  required: ["id", "kind"],
  properties: {
    id: { type: "string", format: "uuid", readOnly: true },
    kind: { type: "string", enum: ["cat", "dog"] },
    name: { type: ["string", "null"], minLength: 1, maxLength: 40 },
    weight: { type: "number", minimum: 0, multipleOf: 0.5 },
    born: { type: "string", format: "date" },
    tags: { type: "array", items: { type: "string" }, maxItems: 5 },
    home: { $ref: "#/components/schemas/Home", readOnly: true },
    parent: { $ref: "#/components/schemas/Pet" },
    notes: { type: "object", additionalProperties: { type: "string" } },
    place: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
    pin: { type: "string", writeOnly: true },
    age: { type: "integer", deprecated: true, "x-sunset": "2026-06-30" },
  },
};

const home = {
  oneOf: [{ $ref: "#/components/schemas/House" }, { $ref: "#/components/schemas/Shelter" }],
  discriminator: { propertyName: "is", mapping: { house: "House", shelter: "Shelter" } },
};

const order = {
  type: "object",
  additionalProperties: false,
  required: ["pet"],
  properties: {
    pet: { type: "string" },
    count: { type: "integer", format: "int64", default: 1, minimum: 1, maximum: 10 },
    gift: { type: "boolean", default: false },
    colour: { anyOf: [{ type: "string", pattern: "^#" }, { type: "integer" }] },
    house: { $ref: "#/components/schemas/House" },
    rest: { not: { type: "array" } },
    unique: { type: "array", items: { type: "string" } },
  },
};

const json = (schema: object) => ({ "application/json": { schema } });
const petContent = json({ $ref: "#/components/schemas/Pet" });

export const smallContract = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1.0.0" },
  servers: [
    {
      url: "https://{region}.pets.example",
      variables: { region: { default: "eu", enum: ["eu", "us"] } },
    },
    { url: "https://old.pets.example" },
  ],
  security: [{ OAuth: ["read"] }, { Key: [] }],
  paths: {
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: {
        operationId: "getPet",
        tags: ["pets"],
        parameters: [
          {
            name: "fields",
            in: "query",
            style: "form",
            explode: false,
            schema: { type: "array", items: { type: "string" } },
          },
        ],
        responses: {
          "200": {
            description: "A pet.",
            content: { ...petContent, "application/xml": { schema: {} } },
          },
          "4XX": { description: "No pet." },
        },
      },
      put: {
        operationId: "putPet",
        requestBody: { required: true, content: petContent },
        responses: { "204": { description: "Kept." }, default: { description: "Not kept." } },
      },
    },
    "/orders": {
      post: {
        operationId: "order",
        requestBody: {
          content: { ...json({ $ref: "#/components/schemas/Order" }), "text/csv": {} },
        },
        callbacks: {
          shipped: {
            "{$request.body#/url}": {
              post: {
                requestBody: { content: json({ $ref: "#/components/schemas/Shipped" }) },
                responses: { "2XX": { description: "Heard." } },
              },
            },
          },
        },
        responses: { "201": { description: "Ordered." } },
      },
    },
    "/old": {
      get: {
        operationId: "old",
        deprecated: true,
        "x-sunset": "2026-06-30",
        parameters: [
          {
            name: "page",
            in: "query",
            deprecated: true,
            "x-sunset": "2026-06-30",
            schema: { type: "integer" },
          },
        ],
        responses: { "200": { description: "Old." } },
      },
    },
  },
  webhooks: {
    born: {
      post: {
        security: [{ Signed: [] }, { Sent: ["events"] }],
        parameters: [
          { name: "webhook-id", in: "header", required: true, schema: { type: "string" } },
        ],
        requestBody: { content: json({ $ref: "#/components/schemas/Born" }) },
        responses: { "200": { description: "Heard." }, "410": { description: "Never again." } },
      },
    },
    left: {
      post: {
        deprecated: true,
        "x-sunset": "2026-06-30",
        parameters: [{ name: "page", in: "query", required: true, schema: { type: "integer" } }],
        responses: { "2XX": { description: "Heard." } },
      },
    },
  },
  components: {
    schemas: {
      Pet: pet,
      Home: home,
      House: {
        type: "object",
        required: ["is"],
        properties: { is: { const: "house" }, street: { type: "string" } },
      },
      Shelter: { type: "object", required: ["is"], properties: { is: { const: "shelter" } } },
      Order: order,
      Shipped: {
        type: "object",
        required: ["at"],
        properties: { at: { type: "string", format: "date-time" }, note: { type: "string" } },
      },
      Born: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string", maxLength: 40 } },
      },
    },
    securitySchemes: {
      Key: { type: "apiKey", in: "header", name: "X-Key" },
      Signed: { type: "apiKey", in: "header", name: "X-Signature" },
      Sent: {
        type: "oauth2",
        flows: {
          clientCredentials: { tokenUrl: "https://shops.example/token", scopes: { events: "" } },
        },
      },
      OAuth: {
        type: "oauth2",
        flows: {
          clientCredentials: {
            tokenUrl: "https://pets.example/token",
            scopes: { read: "", write: "" },
          },
        },
      },
    },
  },
};
