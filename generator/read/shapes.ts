// The objects of an OpenAPI document as a table (OpenAPI 3.1.1 section 4.8, 3.0.4 where it
// differs). Reading, checking and rewriting all walk a document along this one table.

export type Kind =
  | "Document"
  | "Info"
  | "Contact"
  | "License"
  | "Server"
  | "ServerVariable"
  | "Components"
  | "PathItem"
  | "Operation"
  | "ExternalDocs"
  | "Parameter"
  | "RequestBody"
  | "MediaType"
  | "Encoding"
  | "Response"
  | "Callback"
  | "Example"
  | "Link"
  | "Header"
  | "Tag"
  | "Schema"
  | "Discriminator"
  | "Xml"
  | "SecurityScheme"
  | "OAuthFlows"
  | "OAuthFlow";

export type PlainType = "string" | "boolean" | "number" | "integer" | "object" | "array" | "any";

export interface Field {
  readonly type?: PlainType;
  /** one object of this kind, or with `many` a list or map of them */
  readonly kind?: Kind;
  readonly many?: "list" | "map";
  /** of a map: names that start with "x-" are extensions and no entries */
  readonly isExtended?: true;
  /** for lists and maps of plain values */
  readonly items?: PlainType;
  readonly required?: true;
  /** a text without which everything else means the same */
  readonly isForPeople?: true;
  /** says who may call */
  readonly isProtecting?: true;
  readonly values?: readonly string[];
  readonly only?: "3.0" | "3.1";
}

export interface Shape {
  readonly article: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** names that are not listed and do not start with "x-" */
  readonly others?: Field;
  /** a `$ref` may stand in its place */
  readonly reference?: true;
}

const text: Field = { type: "string" };
const flag: Field = { type: "boolean" };
const anything: Field = { type: "any" };
const needed = <T extends Field>(field: T): T & { required: true } => ({
  ...field,
  required: true,
});
const told = { ...needed(text), isForPeople: true } as const;
const requirements: Field = { type: "array", items: "object", isProtecting: true };
const one = (kind: Kind): Field => ({ kind });
const list = (kind: Kind): Field => ({ kind, many: "list" });
const map = (kind: Kind): Field => ({ kind, many: "map" });
const texts: Field = { type: "array", items: "string" };
const schema = one("Schema");
const schemas = list("Schema");
const schemaMap = map("Schema");
const count: Field = { type: "integer" };
const number: Field = { type: "number" };

const parameterFields = {
  description: text,
  required: flag,
  deprecated: flag,
  allowEmptyValue: flag,
  style: {
    type: "string",
    values: ["matrix", "label", "simple", "form", "spaceDelimited", "pipeDelimited", "deepObject"],
  },
  explode: flag,
  allowReserved: flag,
  schema,
  example: anything,
  examples: map("Example"),
  content: map("MediaType"),
} as const satisfies Record<string, Field>;

const schemaFields = {
  $schema: { ...text, only: "3.1" },
  $id: { ...text, only: "3.1" },
  $anchor: { ...text, only: "3.1" },
  $dynamicRef: { ...text, only: "3.1" },
  $dynamicAnchor: { ...text, only: "3.1" },
  $vocabulary: { type: "object", only: "3.1" },
  $comment: { ...text, only: "3.1" },
  $defs: { ...schemaMap, only: "3.1" },
  /** the name of "$defs" up to draft 7, which many documents keep */
  definitions: { ...schemaMap, only: "3.1" },
  type: anything,
  enum: { type: "array", items: "any" },
  const: { ...anything, only: "3.1" },
  title: text,
  description: text,
  default: anything,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  examples: { type: "array", items: "any", only: "3.1" },
  example: anything,
  format: text,
  nullable: { ...flag, only: "3.0" },
  discriminator: one("Discriminator"),
  xml: one("Xml"),
  externalDocs: one("ExternalDocs"),
  multipleOf: number,
  maximum: number,
  exclusiveMaximum: anything,
  minimum: number,
  exclusiveMinimum: anything,
  maxLength: count,
  minLength: count,
  pattern: text,
  contentEncoding: { ...text, only: "3.1" },
  contentMediaType: { ...text, only: "3.1" },
  contentSchema: { ...schema, only: "3.1" },
  items: schema,
  prefixItems: { ...schemas, only: "3.1" },
  maxItems: count,
  minItems: count,
  uniqueItems: flag,
  contains: { ...schema, only: "3.1" },
  maxContains: { ...count, only: "3.1" },
  minContains: { ...count, only: "3.1" },
  unevaluatedItems: { ...schema, only: "3.1" },
  properties: schemaMap,
  patternProperties: { ...schemaMap, only: "3.1" },
  additionalProperties: schema,
  propertyNames: { ...schema, only: "3.1" },
  unevaluatedProperties: { ...schema, only: "3.1" },
  required: texts,
  maxProperties: count,
  minProperties: count,
  dependentRequired: { type: "object", only: "3.1" },
  dependentSchemas: { ...schemaMap, only: "3.1" },
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  if: { ...schema, only: "3.1" },
  then: { ...schema, only: "3.1" },
  else: { ...schema, only: "3.1" },
} as const satisfies Record<string, Field>;

export const shapes: Readonly<Record<Kind, Shape>> = {
  Document: {
    article: "the document",
    fields: {
      openapi: needed(text),
      info: needed(one("Info")),
      jsonSchemaDialect: { ...text, only: "3.1" },
      servers: list("Server"),
      paths: { ...map("PathItem"), isExtended: true },
      webhooks: { ...map("PathItem"), only: "3.1" },
      components: one("Components"),
      security: requirements,
      tags: list("Tag"),
      externalDocs: one("ExternalDocs"),
    },
  },
  Info: {
    article: "the info object",
    fields: {
      title: told,
      summary: { ...text, only: "3.1" },
      description: text,
      termsOfService: text,
      contact: one("Contact"),
      license: one("License"),
      version: told,
    },
  },
  Contact: { article: "a contact", fields: { name: text, url: text, email: text } },
  License: {
    article: "a license",
    fields: { name: told, identifier: { ...text, only: "3.1" }, url: text },
  },
  Server: {
    article: "a server",
    fields: { url: told, description: text, variables: map("ServerVariable") },
  },
  ServerVariable: {
    article: "a server variable",
    fields: { enum: texts, default: told, description: text },
  },
  Components: {
    article: "the components object",
    fields: {
      schemas: schemaMap,
      responses: map("Response"),
      parameters: map("Parameter"),
      examples: map("Example"),
      requestBodies: map("RequestBody"),
      headers: map("Header"),
      securitySchemes: map("SecurityScheme"),
      links: map("Link"),
      callbacks: map("Callback"),
      pathItems: { ...map("PathItem"), only: "3.1" },
    },
  },
  PathItem: {
    article: "a path item",
    reference: true,
    fields: {
      summary: text,
      description: text,
      get: one("Operation"),
      put: one("Operation"),
      post: one("Operation"),
      delete: one("Operation"),
      options: one("Operation"),
      head: one("Operation"),
      patch: one("Operation"),
      trace: one("Operation"),
      servers: list("Server"),
      parameters: list("Parameter"),
    },
  },
  Operation: {
    article: "an operation",
    fields: {
      tags: texts,
      summary: text,
      description: text,
      externalDocs: one("ExternalDocs"),
      operationId: text,
      parameters: list("Parameter"),
      requestBody: one("RequestBody"),
      responses: { ...map("Response"), isExtended: true },
      callbacks: map("Callback"),
      deprecated: flag,
      security: requirements,
      servers: list("Server"),
    },
  },
  ExternalDocs: {
    article: "external documentation",
    fields: { description: text, url: told },
  },
  Parameter: {
    article: "a parameter",
    reference: true,
    fields: {
      name: needed(text),
      in: needed({ type: "string", values: ["path", "query", "header", "cookie"] } as const),
      ...parameterFields,
    },
  },
  Header: { article: "a header", reference: true, fields: parameterFields },
  RequestBody: {
    article: "a request body",
    reference: true,
    fields: { description: text, content: needed(map("MediaType")), required: flag },
  },
  MediaType: {
    article: "a media type",
    fields: { schema, example: anything, examples: map("Example"), encoding: map("Encoding") },
  },
  Encoding: {
    article: "an encoding",
    fields: {
      contentType: text,
      headers: map("Header"),
      style: parameterFields.style,
      explode: flag,
      allowReserved: flag,
    },
  },
  Response: {
    article: "a response",
    reference: true,
    fields: {
      description: told,
      headers: map("Header"),
      content: map("MediaType"),
      links: map("Link"),
    },
  },
  Callback: { article: "a callback", reference: true, fields: {}, others: one("PathItem") },
  Example: {
    article: "an example",
    reference: true,
    fields: { summary: text, description: text, value: anything, externalValue: text },
  },
  Link: {
    article: "a link",
    reference: true,
    fields: {
      operationRef: text,
      operationId: text,
      parameters: { type: "object" },
      requestBody: anything,
      description: text,
      server: one("Server"),
    },
  },
  Tag: {
    article: "a tag",
    fields: { name: told, description: text, externalDocs: one("ExternalDocs") },
  },
  Schema: { article: "a schema", reference: true, fields: schemaFields },
  Discriminator: {
    article: "a discriminator",
    fields: { propertyName: needed(text), mapping: { type: "object", items: "string" } },
  },
  Xml: {
    article: "an XML object",
    fields: { name: text, namespace: text, prefix: text, attribute: flag, wrapped: flag },
  },
  SecurityScheme: {
    article: "a security scheme",
    reference: true,
    fields: {
      type: needed({
        type: "string",
        values: ["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"],
      } as const),
      description: text,
      name: text,
      in: { type: "string", values: ["query", "header", "cookie"] },
      scheme: text,
      bearerFormat: text,
      flows: one("OAuthFlows"),
      openIdConnectUrl: text,
    },
  },
  OAuthFlows: {
    article: "the OAuth flows",
    fields: {
      implicit: one("OAuthFlow"),
      password: one("OAuthFlow"),
      clientCredentials: one("OAuthFlow"),
      authorizationCode: one("OAuthFlow"),
    },
  },
  OAuthFlow: {
    article: "an OAuth flow",
    fields: {
      authorizationUrl: text,
      tokenUrl: text,
      refreshUrl: text,
      scopes: needed({ type: "object", items: "string" } as const),
    },
  },
};

/** Where a kind of object stands below `components`. */
export const componentFolders: Readonly<Partial<Record<Kind, string>>> = {
  Schema: "schemas",
  Response: "responses",
  Parameter: "parameters",
  Example: "examples",
  RequestBody: "requestBodies",
  Header: "headers",
  SecurityScheme: "securitySchemes",
  Link: "links",
  Callback: "callbacks",
};

export const methods = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
] as const;
export type Method = (typeof methods)[number];
