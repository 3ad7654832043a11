// For each code a document that is wrong in this way and in no other: reading, references, objects, schemas.

import type { Code } from "../../generator/diagnostics/codes.ts";
import {
  below,
  type Example,
  json,
  manyMeanings,
  parameter,
  paths,
  schema,
  whole,
} from "./documents.ts";
import { laterExamples } from "./later-examples.ts";
import { operationExamples } from "./operation-examples.ts";

const reading = {
  OAG101: { files: {} },
  OAG102: whole("- openapi: 3.1.0\n"),
  OAG103: whole('openapi: 3.1.0\ninfo:\n  title: Shop\n    version: "1"\npaths: {}\n'),
  OAG104: json(
    '{\n  "openapi": "3.1.0",\n  "info": { "title": "Shop", "version": "1", },\n  "paths": {}\n}\n',
  ),
  OAG105: schema("type: string\nmaxLength: 10\ntype: integer"),
  OAG106: schema("description: !text The pet\ntype: string"),
  OAG107: whole(
    'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\npaths: {}\n---\nopenapi: 3.1.0\n',
  ),
  OAG108: below(`paths: {}
x-many:
  - &a [x, x, x, x, x, x, x, x, x, x]
  - &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
  - &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
  - &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]`),
  OAG109: schema("type: object\nproperties:\n  ? [name, age]\n  : { type: string }"),
  OAG110: schema("type: number\nmaximum: .inf"),
  OAG111: below(`x-common: &common
  type: string
paths: {}
components:
  schemas:
    Pet:
      <<: *common
      maxLength: 10`),
  OAG112: whole('swagger: "1.2"\ninfo: { title: Shop, version: "1" }\npaths: {}\n'),
  OAG113: whole('info: { title: Shop, version: "1" }\npaths: {}\n'),
  OAG114: whole('openapi: 4.0.0\ninfo: { title: Shop, version: "1" }\npaths: {}\n'),
  OAG115: {
    files: {
      "openapi.yaml": Buffer.from(
        'openapi: 3.1.0\ninfo: { title: Café, version: "1" }\npaths: {}\n',
        "latin1",
      ),
    },
  },
  OAG116: schema("description: *pet"),
} as const satisfies Partial<Record<Code, Example>>;

const references = {
  OAG201: schema('$ref: "#/components/schemas/Dog"'),
  OAG202: schema('$ref: "#dog"'),
  OAG203: schema("$ref: https://example.com/pet.json"),
  OAG204: schema("$ref: pets.yaml#/Pet"),
  OAG205: below(`paths: {}
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer } }
  schemas:
    Pet:
      $ref: "#/components/parameters/Limit"`),
  OAG206: schema("$ref: 5"),
  OAG207: below(`paths: {}
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer } }
    Most:
      $ref: "#/components/parameters/Limit"
      required: true`),
  OAG208: schema('allOf:\n  - $ref: "#/components/schemas/Pet"\n  - type: object'),
  OAG209: schema('$id: "http://["\ntype: string'),
  OAG210: schema('$id: "https://example.com/pet#here"\ntype: string'),
  OAG211: schema(`anyOf:
  - { $id: "https://example.com/pet", type: string }
  - { $id: "https://example.com/pet", type: integer }`),
  OAG212: schema("$anchor: 1st\ntype: string"),
  OAG213: schema("anyOf:\n  - { $anchor: pet, type: string }\n  - { $anchor: pet, type: integer }"),
  OAG214: manyMeanings(11),
  OAG215: below(`paths: {}
components:
  schemas:
    Cat:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
    Pet:
      oneOf:
        - $ref: "#/components/schemas/Cat"
      discriminator:
        propertyName: kind
        mapping:
          cat: Cat
          dog: Dog`),
  OAG216: below(`paths: {}
components:
  parameters:
    Limit:
      $ref: "#/components/parameters/Limit"`),
  OAG220: below(`paths:
  /pets:
    get: { operationId: listPets, responses: { "204": { description: Done } } }
  /animals:
    get: { $ref: "#/x-operations/listAnimals" }
x-operations:
  listAnimals: { operationId: listAnimals, responses: { "204": { description: Done } } }`),
} as const satisfies Partial<Record<Code, Example>>;

const objects = {
  OAG301: paths(`/pets:
  get:
    operationID: listPets
    operationId: listPets
    responses: { "204": { description: Done } }`),
  OAG302: parameter("- name: limit\n  schema: { type: integer }"),
  OAG303: schema("type: object\npatternProperties:\n  ^x-: { type: string }", "3.0.3"),
  OAG304: schema("type: string\nmaxLength: ten"),
  OAG305: parameter("- name: limit\n  in: body\n  schema: { type: integer }"),
  OAG306: paths(`/pets:
  get:
    operationId: listPets
    responses:
      "204": {}`),
  OAG307: schema("type: array\nitems: string"),
  OAG308: schema("type: object\nproperties:\nname:\n  type: string\nage:\n  type: integer"),
} as const satisfies Partial<Record<Code, Example>>;

const schemas = {
  OAG401: schema("type: strng\nmaxLength: 10"),
  OAG426: schema('type: "null"', "3.0.3"),
  OAG427: schema(
    "type: object\nproperties: { nmae: { type: string } }\nrequired: [name]\nadditionalProperties: false",
  ),
  OAG428: schema("type: string\npattern: '^([a-z0-9]+-?)+$'"),
  OAG402: schema("type: [string, integer]", "3.0.3"),
  OAG403: schema("type: []"),
  OAG404: schema("type: [string, string]"),
  OAG405: schema("type: string\ncolour: red"),
  OAG406: schema("type: integer\nmaxLength: 10"),
  OAG407: schema("then:\n  required: [name]"),
  OAG408: schema("type: object\nallOf: []"),
  OAG409: schema("type: string\ncontentMediaType: application/json"),
  OAG410: schema("type: string\npattern: '^a\\-b$'"),
  OAG411: schema("type: string\npattern: '(?i)^[a-z'"),
  OAG412: schema("type: integer\nminimum: 9\nmaximum: 1"),
  OAG413: schema("type: integer\nminimum: 0\nexclusiveMinimum: true"),
  OAG414: schema("type: number\nmultipleOf: 0"),
  OAG415: schema("type: string\nenum: []"),
  OAG416: schema("type: string\nenum: [cat, dog, cat]"),
  OAG417: schema("type: string\nformat: iban"),
  OAG418: schema("type: string\nnullable: true"),
  OAG419: schema("type: string\nnullable: true\nenum: [cat, dog]", "3.0.3"),
  OAG420: schema("type: string\ndiscriminator: { propertyName: kind }"),
  OAG421: schema(`type: object
required: [kind]
properties: { kind: { type: string } }
discriminator: { propertyName: kind }`),
  OAG422: schema("$schema: http://json-schema.org/draft-04/schema#\ntype: string"),
  OAG423: schema("$vocabulary:\n  https://example.com/vocabulary: true\ntype: string"),
  OAG424: schema("type: object\ndependencies:\n  card: [holder]"),
} as const satisfies Partial<Record<Code, Example>>;

export const examples: Readonly<Record<Code, Example>> = {
  ...reading,
  ...references,
  ...objects,
  ...schemas,
  ...operationExamples,
  ...laterExamples,
};
