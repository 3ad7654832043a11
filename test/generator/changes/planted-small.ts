// Changes planted into a small contract with what the service's own does not have.

import { add, both, type Breaking, change, type Harmless, move, remove, without } from "./edits.ts";

const schemas = "/components/schemas";
const pet = `${schemas}/Pet`;
const order = `${schemas}/Order`;

export const smallBreaking: readonly Breaking[] = [
  [
    "an alternative is not taken any more",
    remove(`${order}/properties/colour/anyOf/1`),
    "request-variant-removed",
    `${order}/properties/colour/anyOf/1`,
  ],
  [
    "an alternative is sent that nobody knows",
    both(
      add(`${schemas}/Tent`, {
        type: "object",
        required: ["is"],
        properties: { is: { const: "tent" } },
      }),
      add(`${schemas}/Home/oneOf`, { $ref: "#/components/schemas/Tent" }),
    ),
    "response-variant-added",
    `${schemas}/Home/oneOf/2`,
  ],
  [
    "alternatives are told apart by another property",
    change(`${schemas}/Home/discriminator/propertyName`, "sort"),
    "response-discriminator-changed",
    `${schemas}/Home/discriminator`,
  ],
  [
    "what only answers had has to be sent",
    remove(`${pet}/properties/id/readOnly`),
    "request-required-property-added",
    `${pet}/properties/id`,
  ],
  [
    "a parameter is JSON in place of text",
    both(
      remove("/paths/~1pets~1{id}/get/parameters/0/schema"),
      add("/paths/~1pets~1{id}/get/parameters/0/content", {
        "application/json": { schema: { type: "array", items: { type: "string" } } },
      }),
    ),
    "request-encoding-changed",
    "/paths/~1pets~1{id}/get/parameters/0",
  ],
  [
    "a request may not say more",
    add(`${pet}/properties/notes/maxProperties`, 3),
    "request-bound-tightened",
    `${pet}/properties/notes/maxProperties`,
  ],
  [
    "unknown properties are refused",
    add(`${schemas}/House/additionalProperties`, false),
    "request-additional-properties-closed",
    `${schemas}/House/additionalProperties`,
  ],
  [
    "a value has fewer steps",
    change(`${pet}/properties/weight/multipleOf`, 0.25),
    "response-bound-widened",
    `${pet}/properties/weight/multipleOf`,
  ],
  [
    "a value of an answer has no form any more",
    remove(`${pet}/properties/id/format`),
    "response-format-removed",
    `${pet}/properties/id/format`,
  ],
  [
    "a number is smaller",
    change(`${order}/properties/count/format`, "int32"),
    "request-format-narrowed",
    `${order}/properties/count/format`,
  ],
  [
    "a pattern is another one",
    change(`${order}/properties/colour/anyOf/0/pattern`, "^#[0-9a-f]+$"),
    "request-pattern-changed",
    `${order}/properties/colour/anyOf/0/pattern`,
  ],
  [
    "a value may not repeat",
    add(`${order}/properties/unique/uniqueItems`, true),
    "request-bound-tightened",
    `${order}/properties/unique/uniqueItems`,
  ],
  [
    "what is left out counts otherwise",
    change(`${order}/properties/gift/default`, true),
    "request-default-changed",
    `${order}/properties/gift/default`,
  ],
  [
    "more is forbidden",
    change(`${order}/properties/rest/not`, { type: ["array", "object"] }),
    "request-condition-changed",
    `${order}/properties/rest/not`,
  ],
  [
    "one schema of answers became several, and one of them says something else",
    change(`${schemas}/Shipped`, {
      oneOf: [
        {
          type: "object",
          required: ["at"],
          properties: { at: { type: "string", format: "date-time" }, note: { type: "string" } },
        },
        { type: "array" },
      ],
    }),
    "response-variant-added",
    `${schemas}/Shipped/oneOf/1`,
  ],
  [
    "a schema became alternatives of which several take the same",
    change(`${order}/properties/house`, {
      oneOf: [
        { $ref: "#/components/schemas/House" },
        { type: "object", properties: { is: {}, street: {} } },
      ],
    }),
    "request-composition-changed",
    `${order}/properties/house/oneOf`,
  ],
  [
    "a media type is not sent any more",
    remove("/paths/~1pets~1{id}/get/responses/200/content/application~1xml"),
    "response-media-type-removed",
    "/paths/~1pets~1{id}/get/responses/200/content/application~1xml",
  ],
  [
    "a media type is not taken any more",
    remove("/paths/~1orders/post/requestBody/content/text~1csv"),
    "request-media-type-removed",
    "/paths/~1orders/post/requestBody/content/text~1csv",
  ],
  [
    "a body must be sent",
    add("/paths/~1orders/post/requestBody/required", true),
    "request-body-became-required",
    "/paths/~1orders/post/requestBody",
  ],
  [
    "a list is written otherwise",
    change("/paths/~1pets~1{id}/get/parameters/0/explode", true),
    "request-parameter-style-changed",
    "/paths/~1pets~1{id}/get/parameters/0/explode",
  ],
  ["a way to call is gone", remove("/security/1"), "security-narrowed", "/security"],
  [
    "another scope is needed",
    change("/security/0/OAuth", ["write"]),
    "security-narrowed",
    "/security",
  ],
  [
    "a region is gone",
    without("/servers/0/variables/region/enum", "us"),
    "server-changed",
    "/servers/0",
  ],
  ["a webhook is gone", remove("/webhooks/born"), "webhook-removed", "/webhooks/born/post"],
  [
    "a webhook says more than it may",
    change(`${schemas}/Born/properties/id/maxLength`, 80),
    "response-bound-widened",
    `${schemas}/Born/properties/id/maxLength`,
  ],
  [
    "a pattern says less than the length of a value",
    change(`${schemas}/Born/properties/id`, { type: "string", pattern: "^pet_[0-9a-z]{26,40}$" }),
    "response-bound-widened",
    `${schemas}/Born/properties/id/pattern`,
  ],
  [
    "a header of a webhook may be absent",
    change("/webhooks/born/post/parameters/0/required", false),
    "response-header-became-optional",
    "/webhooks/born/post/parameters/0",
  ],
  [
    "an answer to a webhook is not understood any more",
    remove("/webhooks/born/post/responses/410"),
    "webhook-status-removed",
    "/webhooks/born/post/responses/410",
  ],
  [
    "a callback does not always say when",
    remove(`${schemas}/Shipped/required`),
    "response-property-became-optional",
    `${schemas}/Shipped/properties/at`,
  ],
  [
    "an end is sooner than was told",
    change("/paths/~1old/get/x-sunset", "2026-01-31"),
    "sunset-moved-earlier",
    "/paths/~1old/get/x-sunset",
  ],
];

export const smallHarmless: readonly Harmless[] = [
  [
    "a parameter of a path has another name",
    both(
      move("/paths/~1pets~1{id}", "/paths/~1pets~1{pet}"),
      change("/paths/~1pets~1{pet}/parameters/0/name", "pet"),
    ),
  ],
  ["an operation is gone after the day that was told", remove("/paths/~1old")],
  [
    "a schema is written with allOf",
    change(`${schemas}/Born`, {
      allOf: [
        { type: "object", required: ["id"] },
        { properties: { id: { type: "string" } } },
        { properties: { id: { maxLength: 40 } } },
      ],
    }),
  ],
  [
    "null is written as an alternative",
    change(`${pet}/properties/name`, {
      anyOf: [{ type: "string", minLength: 1, maxLength: 40 }, { type: "null" }],
    }),
  ],
  ["another way to call", add("/security", {})],
  ["one more media type is taken", add("/paths/~1orders/post/requestBody/content/text~1plain", {})],
  ["a value may be more", change(`${order}/properties/count/maximum`, 20)],
  ["an alternative more is taken", add(`${order}/properties/colour/anyOf`, { type: "boolean" })],
  [
    "a status under its own number, as its class was",
    add("/paths/~1pets~1{id}/get/responses/404", { description: "No pet." }),
  ],
  [
    "a field of answers alone takes another form in no request",
    change(`${pet}/properties/pin/type`, ["string", "null"]),
  ],
  [
    "a pattern says the length of a value",
    change(`${schemas}/Born/properties/id`, {
      type: "string",
      pattern: "^(?:pet|dog_)[0-9a-z]{26}$",
    }),
  ],
  [
    "one schema of answers became several that say the same more exactly",
    change(`${schemas}/Shipped`, {
      oneOf: [
        {
          type: "object",
          required: ["at", "by"],
          properties: {
            at: { type: "string", format: "date-time" },
            by: { const: "air" },
            note: { type: "string", maxLength: 9 },
          },
        },
        {
          type: "object",
          required: ["at", "by"],
          properties: { at: { type: "string", format: "date-time" }, by: { const: "sea" } },
        },
      ],
    }),
  ],
  ["a webhook more", add("/webhooks/lost", { post: { responses: {} } })],
  ["a tighter value of a webhook", change(`${schemas}/Born/properties/id/maxLength`, 20)],
];
