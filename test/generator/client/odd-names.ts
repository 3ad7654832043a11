// A contract whose names are anything but those of functions and types, and what a client makes of them.

import type { JsonObject } from "../../../generator/json.ts";
import { documentOf } from "./both-sides.ts";

/** [tag, operationId], and where the client has it. */
export const oddNames: readonly (readonly [tag: string, id: string, at: string])[] = [
  ["client", "client", "client.client"],
  ["class", "delete", "class_.delete_"],
  ["pets", "list", "pets.list"],
  ["Pets", "List", "pets_2.List"],
  ["answers", "answers", "answers_.answers_"],
  ["calls", "call", "calls_.call"],
  ["calls", "Call", "calls_.Call"],
  ["types", "createClient", "types_.createClient"],
  ["request", "senderOf", "request_.senderOf"],
  ["constructor", "constructor", "constructor_.constructor_"],
  ["Öffentliche Dinge", "Lösche ö", "öffentlicheDinge.Lösche_ö"],
  ["宠物", "列表", "宠物.列表"],
  ["1st", "2nd", "_1st._2nd"],
  ["__proto__", "toString", "proto.toString"],
  ["statuses", "answers/list", "statuses_.answers_list"],
  ["---", "---", "_._"],
  ["group", "groupOperations", "group.groupOperations"],
  ["groupOperations", "group", "groupOperations.group"],
];

/** Of runtime files and of the language. */
const components = [
  ..."Call Answer Error Client Record Extract Exclude Partial Promise Headers Blob File".split(" "),
  ..."ReadableStream Uint8Array calls types answers Sender createClient ResponseError".split(" "),
  ..."SuccessOf CallOptions CallArguments __proto__ constructor Ö".split(" "),
];

const schema = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const operations = oddNames.map(([tag, operationId], at) => {
  const name = components[at % components.length] ?? "";
  const post = {
    operationId,
    tags: [tag],
    parameters: [{ name: "constructor", in: "query", schema: schema(name) }],
    requestBody: { content: { "application/json": { schema: { ...schema(name) } } } },
    responses: {
      200: {
        description: "*/ import.meta; /*",
        content: { "application/json": { schema: schema(components[(at * 7) % 20] ?? "") } },
      },
      201: { description: "Bytes.", content: { "image/png": {} } },
      202: { description: "Rows.", content: { "text/event-stream": {} } },
      default: {
        description: "Wrong.",
        content: { "application/json": { schema: schema("Error") } },
        "x-error-codes": ["__proto__", 'it\'s "c"', "*/"],
      },
    },
  };
  return [`/o${at}`, { post }] as const;
});

const ways = Object.fromEntries(
  components.map((name) => [
    name,
    { type: "object", properties: { code: { type: "string" }, __proto: { type: "string" } } },
  ]),
);

export const oddContract: JsonObject = documentOf(Object.fromEntries(operations), {
  components: { schemas: ways },
  info: { title: "*/ } ${title} `\\u2028", version: "1" },
  servers: [{ url: "https://example.com/*/" }],
});
