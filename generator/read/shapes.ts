// The objects of an OpenAPI document as a table (OpenAPI 3.2.0, chapter 4; 3.1.1 and 3.0.4 where they
// differ). Reading, checking and rewriting all walk a document along this one table.

import {
  anything,
  type Field,
  flag,
  type Kind,
  list,
  map,
  needed,
  one,
  schema,
  schemaMap,
  type Shape,
  text,
  texts,
} from "./fields.ts";
import { schemaFields } from "./schema-fields.ts";

export type { Field, Kind, PlainType, Shape } from "./fields.ts";

const told = { ...needed(text), isForPeople: true } as const;
const requirements: Field = { type: "array", items: "object", isProtecting: true };

const parameterFields = {
  description: text,
  required: flag,
  deprecated: flag,
  allowEmptyValue: flag,
  style: {
    type: "string",
    values: [
      "matrix",
      "label",
      "simple",
      "form",
      "spaceDelimited",
      "pipeDelimited",
      "deepObject",
      "cookie",
    ],
    valuesSince: { cookie: "3.2" },
  },
  explode: flag,
  allowReserved: flag,
  schema,
  example: anything,
  examples: map("Example"),
  content: map("MediaType"),
} as const satisfies Record<string, Field>;

export const shapes: Readonly<Record<Kind, Shape>> = {
  Document: {
    article: "the document",
    fields: {
      openapi: needed(text),
      $self: { ...text, since: "3.2" },
      info: needed(one("Info")),
      jsonSchemaDialect: { ...text, since: "3.1" },
      servers: list("Server"),
      paths: { ...map("PathItem"), isExtended: true },
      webhooks: { ...map("PathItem"), since: "3.1" },
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
      summary: { ...text, since: "3.1" },
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
    fields: { name: told, identifier: { ...text, since: "3.1" }, url: text },
  },
  Server: {
    article: "a server",
    fields: {
      url: told,
      description: text,
      name: { ...text, since: "3.2" },
      variables: map("ServerVariable"),
    },
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
      pathItems: { ...map("PathItem"), since: "3.1" },
      mediaTypes: { ...map("MediaType"), since: "3.2" },
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
      query: { ...one("Operation"), since: "3.2" },
      additionalOperations: { ...map("Operation"), since: "3.2" },
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
      in: needed({
        type: "string",
        values: ["path", "query", "header", "cookie", "querystring"],
        valuesSince: { querystring: "3.2" },
      } as const),
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
    reference: true,
    referenceSince: "3.2",
    fields: {
      schema,
      itemSchema: { ...schema, since: "3.2" },
      example: anything,
      examples: map("Example"),
      encoding: map("Encoding"),
      prefixEncoding: { ...list("Encoding"), since: "3.2" },
      itemEncoding: { ...one("Encoding"), since: "3.2" },
    },
  },
  Encoding: {
    article: "an encoding",
    fields: {
      contentType: text,
      headers: map("Header"),
      style: parameterFields.style,
      explode: flag,
      allowReserved: flag,
      encoding: { ...map("Encoding"), since: "3.2" },
      prefixEncoding: { ...list("Encoding"), since: "3.2" },
      itemEncoding: { ...one("Encoding"), since: "3.2" },
    },
  },
  Response: {
    article: "a response",
    reference: true,
    fields: {
      summary: { ...text, since: "3.2" },
      description: { ...told, optionalSince: "3.2" },
      headers: map("Header"),
      content: map("MediaType"),
      links: map("Link"),
    },
  },
  Callback: { article: "a callback", reference: true, fields: {}, others: one("PathItem") },
  Example: {
    article: "an example",
    reference: true,
    fields: {
      summary: text,
      description: text,
      value: anything,
      dataValue: { ...anything, since: "3.2" },
      serializedValue: { ...text, since: "3.2" },
      externalValue: text,
    },
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
    fields: {
      name: told,
      summary: { ...text, since: "3.2" },
      description: text,
      externalDocs: one("ExternalDocs"),
      parent: { ...text, since: "3.2" },
      kind: { ...text, since: "3.2" },
    },
  },
  Schema: { article: "a schema", reference: true, fields: schemaFields },
  Discriminator: {
    article: "a discriminator",
    fields: {
      propertyName: needed(text),
      mapping: { type: "object", items: "string" },
      defaultMapping: { ...text, since: "3.2" },
    },
  },
  Xml: {
    article: "an XML object",
    fields: {
      nodeType: {
        type: "string",
        values: ["element", "attribute", "text", "cdata", "none"],
        since: "3.2",
      },
      name: text,
      namespace: text,
      prefix: text,
      attribute: flag,
      wrapped: flag,
    },
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
      oauth2MetadataUrl: { ...text, since: "3.2" },
      deprecated: { ...flag, since: "3.2" },
    },
  },
  OAuthFlows: {
    article: "the OAuth flows",
    fields: {
      implicit: one("OAuthFlow"),
      password: one("OAuthFlow"),
      clientCredentials: one("OAuthFlow"),
      authorizationCode: one("OAuthFlow"),
      deviceAuthorization: { ...one("OAuthFlow"), since: "3.2" },
    },
  },
  OAuthFlow: {
    article: "an OAuth flow",
    fields: {
      authorizationUrl: text,
      deviceAuthorizationUrl: { ...text, since: "3.2" },
      tokenUrl: text,
      refreshUrl: text,
      scopes: { ...needed({ type: "object", items: "string" } as const), isOffer: true },
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
  MediaType: "mediaTypes",
};
