// What each field of a document does, beside standing in the document that is served: that all of them do.

import type { Kind } from "../../generator/read/fields.ts";

export interface Effect {
  readonly does: string;
  /** test that holds it, below test/ */
  readonly heldBy: string;
}

type Effects = Readonly<Record<string, Effect>>;

const cases = "generator/cases.test.ts";
const parameters = "generator/runtime/parameters.test.ts";
const multipart = "generator/runtime/multipart.test.ts";
const forms = "generator/runtime/forms.test.ts";
const resources = "generator/validation/resources.test.ts";
const suite = "suite/contract.test.ts";

function effect(does: string, heldBy = cases): Effect {
  return { does, heldBy };
}

const text = effect("a comment on the type or the function");
const value = effect("held against its schema when generating", "generator/codes.test.ts");
const style = effect("how a value is written, and so how it is read", parameters);
const schema = effect("types the value, and refuses what does not fit", parameters);
const method = effect("an operation: route, types, validation, a function to write");
const position = effect("not looked at, with a warning", "generator/codes.test.ts");

const parameter: Effects = {
  description: text,
  required: effect("what is missing is refused", parameters),
  allowEmptyValue: effect("an empty text that the schema refuses counts as nothing", parameters),
  style,
  explode: style,
  allowReserved: effect("how clients write a value; both ways are read", parameters),
  schema,
  example: value,
  examples: value,
  content: effect(
    "the value is read as its media type says, and held against the schema",
    parameters,
  ),
};

export const effects: Readonly<Partial<Record<Kind, Effects>>> = {
  Document: {
    openapi: effect('3.0, 3.1 and 3.2; `swagger: "2.0"` is converted'),
    $self: effect("what references are relative to", "generator/self.test.ts"),
    jsonSchemaDialect: effect("the language of schemas that name none", resources),
    servers: effect(
      "with `basePath`: where operations are mounted",
      "generator/base-paths.test.ts",
    ),
    paths: effect("the routes", "generator/runtime/routes.test.ts"),
    components: effect("shared parts: one name each in the code"),
    security: effect("data for the `authenticate` hook of operations that say none"),
    tags: effect("checked against each other (3.2)"),
  },
  Components: {
    schemas: effect("a type and a zod schema each"),
    responses: effect("written once, used by name"),
    parameters: effect("written once, used by name"),
    requestBodies: effect("written where they are used"),
    headers: effect("written once, used by name"),
    securitySchemes: effect("data for the `authenticate` hook"),
    pathItems: effect("operations of the paths that refer to them"),
    mediaTypes: effect("written where they are used"),
    examples: value,
  },
  Server: {
    url: effect("with `basePath`: its path", "generator/base-paths.test.ts"),
    name: effect("a word for `basePath`", "generator/base-paths.test.ts"),
    description: effect("a word for `basePath`", "generator/base-paths.test.ts"),
    variables: effect("stand for their defaults", "generator/base-paths.test.ts"),
  },
  PathItem: {
    ...Object.fromEntries(
      "get put post delete options head patch trace query".split(" ").map((name) => [name, method]),
    ),
    additionalOperations: method,
    servers: effect("with `basePath`: in place of the document's", "generator/base-paths.test.ts"),
    parameters: effect("those of each operation that has none of the name"),
  },
  Operation: {
    tags: effect("the first one: the file that the operation stands in"),
    summary: text,
    description: text,
    operationId: effect("its name in the code; where it is missing, method and path make one"),
    parameters: effect("typed, read and checked before the handler is called", parameters),
    requestBody: effect("typed, read and checked before the handler is called"),
    responses: effect(
      "what a handler may answer: a type for each status; checked when answers are",
    ),
    deprecated: text,
    security: effect("data for the `authenticate` hook"),
    servers: effect("with `basePath`: in place of the document's", "generator/base-paths.test.ts"),
  },
  Parameter: {
    name: effect("the name of the member that the handler gets", parameters),
    in: effect("path, query, header, cookie, and the whole query (3.2)", parameters),
    ...parameter,
  },
  Header: {
    // the two words are of parameters alone (OpenAPI 3.2.0, section 4.21)
    ...Object.fromEntries(Object.entries(parameter).filter(([name]) => !name.startsWith("allow"))),
    required: effect("an answer without it is refused when answers are checked", suite),
    schema: effect("types the value, and refuses an answer that does not fit", suite),
  },
  RequestBody: {
    description: text,
    content: effect("one type for each media type; another one is answered with 415", suite),
    required: effect("a request without it is refused", suite),
  },
  MediaType: {
    schema: effect("types the body, and refuses what does not fit", suite),
    itemSchema: effect("the same for each item of a stream", "generator/runtime/items.test.ts"),
    example: value,
    examples: value,
    encoding: effect("of forms: how fields are read, and what files may be", multipart),
    prefixEncoding: position,
    itemEncoding: position,
  },
  Encoding: {
    contentType: effect("a part of another type is refused", multipart),
    headers: effect("a part without a required one is refused", multipart),
    style: effect("how a field of an urlencoded form is read", forms),
    explode: effect("how a field of an urlencoded form is read", forms),
    encoding: position,
    prefixEncoding: position,
    itemEncoding: position,
  },
  Response: {
    description: text,
    headers: effect("typed, and checked when answers are", suite),
    content: effect("one type for each media type", suite),
  },
  Example: {
    value,
    dataValue: value,
    serializedValue: effect(
      "where the type is JSON: read, and held against the schema",
      "generator/codes.test.ts",
    ),
  },
  Tag: { parent: effect("has to be there, and no tag stands below itself") },
  Discriminator: {
    propertyName: effect("its value chooses the schema"),
    mapping: effect("which value chooses which"),
    defaultMapping: effect("the schema for every other value"),
  },
  SecurityScheme: {
    type: effect("data for the `authenticate` hook"),
    name: effect("data for the `authenticate` hook"),
    in: effect("data for the `authenticate` hook"),
    scheme: effect("data for the `authenticate` hook"),
  },
};

/** Keywords that no row of the tables of tests is about. */
export const keywords: Effects = {
  $schema: effect(
    "the language of the schema: 2020-12, OpenAPI 3.1's, or one with a copy",
    resources,
  ),
  $id: effect("an address of its own", resources),
  $anchor: effect("a name for a place", resources),
  $dynamicRef: effect("leads to the outermost schema of its name", resources),
  $dynamicAnchor: effect("a name for `$dynamicRef`", resources),
  $vocabulary: effect("of a language with a copy: which keywords count", resources),
  $defs: effect("schemas to refer to"),
  definitions: effect("schemas to refer to"),
  description: text,
  deprecated: text,
  default: effect("of what is left out: the handler gets it; held against the schema", parameters),
  readOnly: effect("not required of requests, and refused nowhere"),
  writeOnly: effect("not required of answers"),
  examples: value,
  example: value,
  nullable: effect("3.0: adds null to the `type` beside it"),
  contentEncoding: effect("of forms: `binary` is a file", multipart),
  contentMediaType: effect(
    "of forms: a file; of the data of events: JSON",
    "generator/runtime/items.test.ts",
  ),
  contentSchema: effect(
    "of the data of events: held against it",
    "generator/runtime/items.test.ts",
  ),
  unevaluatedItems: effect("items that nothing else has looked at", resources),
};
