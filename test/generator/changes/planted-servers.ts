// Changes planted into the small contract that break servers written for it as it was, each with the rule and the place
// that it must be found by.

import { add, both, type Breaking, change, move, remove, without } from "./edits.ts";

const schemas = "/components/schemas";
const pet = "/paths/~1pets~1{id}";
const answer = `${pet}/get/responses/200`;
const orders = "/paths/~1orders/post";
const fields = `${pet}/get/parameters/0`;
const born = "/webhooks/born/post";

export const smallServers: readonly Breaking[] = [
  ["an operation more", add("/paths/~1news", { get: {} }), "operation-added", "/paths/~1news/get"],
  [
    "a property that may be sent",
    add(`${schemas}/Order/properties/note`, { type: "string" }),
    "request-property-added",
    `${schemas}/Order/properties/note`,
  ],
  [
    "a property that is not sent any more, and had to be",
    both(remove(`${schemas}/Order/properties/pet`), remove(`${schemas}/Order/required`)),
    "request-required-property-removed",
    `${schemas}/Order/properties/pet`,
  ],
  [
    "a property that need not be sent",
    remove(`${schemas}/Order/required`),
    "request-property-became-optional",
    `${schemas}/Order/properties/pet`,
  ],
  [
    "more may be ordered",
    change(`${schemas}/Order/properties/count/maximum`, 20),
    "request-bound-widened",
    `${schemas}/Order/properties/count/maximum`,
  ],
  [
    "a value that may be null",
    change(`${schemas}/Order/properties/gift/type`, ["boolean", "null"]),
    "request-became-nullable",
    `${schemas}/Order/properties/gift/type`,
  ],
  [
    "a way more to say it",
    add(`${schemas}/Order/properties/colour/anyOf`, { type: "boolean" }),
    "request-variant-added",
    `${schemas}/Order/properties/colour/anyOf/2`,
  ],
  [
    "a way to say it that takes more",
    remove(`${schemas}/Order/properties/colour/anyOf/0/pattern`),
    "request-pattern-removed",
    `${schemas}/Order/properties/colour/anyOf/0/pattern`,
  ],
  [
    "properties that nobody knows",
    remove(`${schemas}/Order/additionalProperties`),
    "request-additional-properties-opened",
    `${schemas}/Order/additionalProperties`,
  ],
  [
    "another default",
    change(`${schemas}/Order/properties/count/default`, 2),
    "request-default-changed",
    `${schemas}/Order/properties/count/default`,
  ],
  [
    "a parameter more",
    add(`${pet}/get/parameters`, { name: "full", in: "query", schema: {} }),
    "request-parameter-added",
    `${pet}/get/parameters/1`,
  ],
  [
    "a header that must be sent",
    add(`${pet}/get/parameters`, { name: "X-Shop", in: "header", required: true, schema: {} }),
    "request-required-parameter-added",
    `${pet}/get/parameters/1`,
  ],
  [
    "a parameter written otherwise",
    change(`${fields}/explode`, true),
    "request-parameter-style-changed",
    `${fields}/explode`,
  ],
  [
    "a body that need not be sent",
    remove(`${pet}/put/requestBody/required`),
    "request-body-became-optional",
    `${pet}/put/requestBody`,
  ],
  [
    "a body that is not sent any more, and had to be",
    remove(`${pet}/put/requestBody`),
    "request-required-body-removed",
    `${pet}/put/requestBody`,
  ],
  [
    "a body more",
    add(`${pet}/get/requestBody`, { content: {} }),
    "request-body-added",
    `${pet}/get/requestBody`,
  ],
  [
    "a media type more",
    add(`${orders}/requestBody/content/text~1plain`, {}),
    "request-media-type-added",
    `${orders}/requestBody/content/text~1plain`,
  ],
  [
    "a range of media types",
    move(`${orders}/requestBody/content/text~1csv`, `${orders}/requestBody/content/text~1*`),
    "request-media-type-widened",
    `${orders}/requestBody/content/text~1*`,
  ],
  [
    "a property that answers must have",
    add(`${schemas}/House/required`, "street"),
    "response-property-became-required",
    `${schemas}/House/properties/street`,
  ],
  [
    "a new property that answers must have",
    both(
      add(`${schemas}/Born/properties/name`, { type: "string" }),
      add(`${schemas}/Born/required`, "name"),
    ),
    "response-required-property-added",
    `${schemas}/Born/properties/name`,
  ],
  [
    "a value that is not sent any more",
    change(`${schemas}/Born/properties/id/maxLength`, 20),
    "response-bound-tightened",
    `${schemas}/Born/properties/id/maxLength`,
  ],
  [
    "a variant that is not sent any more",
    both(remove(`${schemas}/Home/oneOf/1`), remove(`${schemas}/Home/discriminator`)),
    "response-variant-removed",
    `${schemas}/Home/oneOf/1`,
  ],
  [
    "another status in place of the old one",
    move(`${orders}/responses/201`, `${orders}/responses/202`),
    "response-status-removed",
    `${orders}/responses/201`,
  ],
  [
    "a header that answers must have",
    add(`${answer}/headers`, { "X-Age": { required: true, schema: {} } }),
    "response-required-header-added",
    `${answer}/headers/X-Age`,
  ],
  [
    "a media type of an answer is gone",
    remove(`${answer}/content/application~1xml`),
    "response-media-type-removed",
    `${answer}/content/application~1xml`,
  ],
  ["one more way to call", add("/security", {}), "security-widened", "/security"],
  ["a way to call is gone", remove("/security/1"), "security-narrowed", "/security"],
  [
    "the key is sent elsewhere",
    change("/components/securitySchemes/Key/name", "X-Other"),
    "security-scheme-changed",
    "/components/securitySchemes/Key",
  ],
  ["an event more", add("/webhooks/lost", { post: {} }), "webhook-added", "/webhooks/lost/post"],
  ["an event less", remove("/webhooks/born"), "webhook-removed", born],
  [
    "an event says more",
    add(`${schemas}/Born/required`, "name"),
    "response-property-became-required",
    `${schemas}/Born/required`,
  ],
  [
    "an event is answered otherwise",
    add(`${born}/responses/202`, { description: "Later." }),
    "webhook-status-added",
    `${born}/responses/202`,
  ],
  [
    "a header of an event must come",
    add(`${born}/parameters`, { name: "X-Try", in: "header", required: true, schema: {} }),
    "response-required-header-added",
    `${born}/parameters/1`,
  ],
  [
    "a callback always says more",
    add(`${schemas}/Shipped/required`, "note"),
    "response-property-became-required",
    `${schemas}/Shipped/properties/note`,
  ],
];

/** Servers that are written for it as it was fulfil it as it is. */
export const smallServed: readonly (readonly [what: string, edit: Breaking[1]])[] = [
  ["an operation less", remove("/paths/~1orders")],
  ["a property that must be sent", add(`${schemas}/Order/required`, "gift")],
  ["less may be ordered", change(`${schemas}/Order/properties/count/maximum`, 5)],
  ["a value that may be longer in an event", change(`${schemas}/Born/properties/id/maxLength`, 80)],
  ["a property that answers may have", add(`${schemas}/Born/properties/name`, { type: "string" })],
  ["a property that an event may lack", remove(`${schemas}/Born/required`)],
  ["a parameter less", remove(fields)],
  ["a parameter that must be sent", add(`${fields}/required`, true)],
  ["a body that must be sent", add(`${orders}/requestBody/required`, true)],
  ["another error", add(`${orders}/responses/409`, { description: "Sold." })],
  ["another success", add(`${orders}/responses/202`, { description: "Later." })],
  ["a media type less", remove(`${orders}/requestBody/content/text~1csv`)],
  ["an address less", remove("/servers/1")],
  ["an event that takes one status less", remove(`${born}/responses/410`)],
  ["a region less", without("/servers/0/variables/region/enum", "us")],
];
