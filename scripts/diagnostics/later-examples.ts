// For each code of what OpenAPI 3.2 adds, of Swagger 2.0, and of what is too deep, a document that is wrong in this way and in no other.

import type { Code } from "../../generator/diagnostics/codes.ts";
import { below, type Example, whole as file } from "./documents.ts";

const done = 'responses: { "204": { description: Done } }';

const later = (text: string): Example => below(text, "3.2.0");

/** A search with these parameters. */
function query(parameters: string): Example {
  return later(`paths:
  /pets:
    get: { operationId: findPets, parameters: [${parameters}], ${done} }`);
}

const whole = (more: string): string => `{ name: all, in: querystring, ${more} }`;
const form = "content: { application/x-www-form-urlencoded: { schema: { type: object } } }";

/** One operation beside those with a field of their own. */
function other(method: string): Example {
  return later(`paths:
  /pets:
    additionalOperations:
      ${method}: { operationId: otherPets, ${done} }`);
}

/** An answer of this media type. */
function content(media: string): Example {
  return later(`paths:
  /pets:
    get:
      operationId: listPets
      responses:
        "200":
          description: All pets
          content:
            ${media}`);
}

const swagger = (text: string): Example =>
  file(`swagger: "2.0"\ninfo: { title: Shop, version: "1" }\n${text}\n`);

export const laterExamples = {
  OAG117: swagger("paths: {}"),
  OAG118: swagger("paths: {}\nsecurityDefinitions: { key: null }"),
  OAG119: later(`paths: {}\nx-deep: ${"[".repeat(251)}${"]".repeat(251)}`),
  OAG217: later('$self: "http://["\npaths: {}'),
  OAG218: later('$self: "https://example.com/shop#here"\npaths: {}'),
  OAG219: later(`paths: {}
components:
  mediaTypes:
    Mixed:
      itemEncoding:
        headers:
          X-Part:
            content:
              text/plain: { $ref: "#/components/mediaTypes/Mixed" }`),
  OAG221: later(`paths: {}
components:
  schemas:
${Array.from({ length: 501 }, (_, at) => `    S${at}: { $ref: "#/components/schemas/S${at + 1}" }`).join("\n")}
    S501: { type: string }`),
  OAG309: later(`paths: {}
components:
  examples:
    Pet: { value: 1, dataValue: 2 }`),
  OAG310: swagger("paths:\n  /pets: { get: 5 }"),
  OAG425: later(`paths: {}
components:
  schemas:
    Cat: { type: object, required: [kind], properties: { kind: { const: Cat } } }
    Dog: { type: object }
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind, defaultMapping: Dog }`),
  OAG509: query(whole(`explode: true, ${form}`)),
  OAG510: query(whole("content: {}")),
  OAG511: query(whole("content: { multipart/form-data: { schema: { type: object } } }")),
  OAG512: query(`${whole(form)}, { name: rest, in: querystring, ${form} }`),
  OAG513: query(`${whole(form)}, { name: limit, in: query, schema: { type: integer } }`),
  OAG514: swagger(`paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: tags, in: query, type: array, items: { type: string }, collectionFormat: semi }]
      ${done}`),
  OAG527: content("application/jsonl: { schema: { type: array }, itemSchema: { type: object } }"),
  OAG528: content(
    "text/event-stream: { itemSchema: { type: object, properties: { name: { type: string } } } }",
  ),
  OAG529: content("multipart/mixed: { itemEncoding: { contentType: image/png } }"),
  OAG530: content("application/json: { itemSchema: { type: object } }"),
  OAG612: other("POST"),
  OAG613: other('"TO BUY"'),
  OAG614: other("BUY"),
  OAG615: later("paths: {}\ntags: [{ name: pets }, { name: pets }]"),
  OAG616: later("paths: {}\ntags: [{ name: pets, parent: animals }]"),
  OAG617: later("paths: {}\ntags: [{ name: pets, parent: pets }]"),
  OAG705: later(`paths:
  /pets:
    get: { operationId: listPets, security: [{ "#/components/schemas/Pet": [] }], ${done} }
components:
  schemas:
    Pet: { type: object }`),
  OAG804: later(`paths: {}
components:
  parameters:
    Filter:
      name: filter
      in: query
      content:
        application/json:
          schema: { type: integer }
          examples:
            one: { dataValue: 1, serializedValue: "2" }`),
} as const satisfies Partial<Record<Code, Example>>;
