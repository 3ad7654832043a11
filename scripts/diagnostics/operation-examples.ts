// For each code a document that is wrong in this way and in no other: parameters, bodies, paths, security, values.

import type { Code } from "../../generator/diagnostics/codes.ts";
import { answers, below, body, type Example, operation, parameter, paths } from "./documents.ts";

const done = 'responses: { "204": { description: Done } }';

const onePath = `paths:\n  /pets:\n    get: { operationId: listPets, ${done} }`;

export const operationExamples = {
  OAG501: parameter("- name: Authorization\n  in: header\n  schema: { type: string }"),
  OAG502: parameter("- name: limit\n  in: query"),
  OAG503: parameter("- name: X-Ids\n  in: header\n  style: form\n  schema: { type: string }"),
  OAG504: parameter("- name: id\n  in: path\n  schema: { type: string }", "/pets/{id}"),
  OAG505: parameter(`- name: filter
  in: query
  schema:
    type: object
    properties:
      tags: { type: array, items: { type: string } }`),
  OAG506: parameter(`- name: filter
  in: query
  style: form
  content: { application/json: { schema: { type: object } } }`),
  OAG507: parameter("- name: ids\n  in: query\n  style: pipeDelimited\n  schema: { type: string }"),
  OAG508: parameter(`- { name: limit, in: query, schema: { type: integer } }
- { name: limit, in: query, schema: { type: string } }`),
  OAG520: body("content: {}"),
  OAG521: body(`content:
  application/json: { schema: { type: object } }
  Application/JSON: { schema: { type: string } }`),
  OAG522: body(`content:
  application/json;v=1: { schema: { type: object } }
  application/json;v=2: { schema: { type: string } }`),
  OAG523: answers(`"200":
  description: All pets
  content:
    application/json: { schema: { type: object } }
    text/csv, text/plain: {}`),
  OAG524: body("content:\n  application/xml: { schema: { type: object } }"),
  OAG525: body(`content:
  application/json:
    schema: { type: object }
    encoding: { name: { style: form } }`),
  OAG526: body("content:\n  application/json: { schema: { type: object }, x-stream: true }"),
  OAG540: below("paths:\n  /pets:\n    get:\n      operationId: listPets"),
  OAG541: answers('"204": { description: Done }\n"20": { description: Done }'),
  OAG542: answers(`"204":
  description: Done
  content: { application/json: { schema: { type: object } } }`),
  OAG543: paths(`/pets:
  get:
    operationId: listPets
    x-default-statuses: [often]
    responses:
      "200": { description: All pets }
      default: { description: Anything else }`),
  OAG544: paths(`/pets:
  get:
    operationId: listPets
    x-default-statuses: [200, 404]
    responses:
      "200": { description: All pets }
      default: { description: Anything else }`),

  OAG601: paths(`/pets?kind=cat:\n  get: { operationId: listCats, ${done} }`),
  OAG602: paths(`pets:\n  get: { operationId: listPets, ${done} }`),
  OAG603: paths(`/pets/id}:\n  get: { operationId: showPet, ${done} }`),
  OAG604: paths(`/pets/{id}{kind}:
  parameters:
    - { name: id, in: path, required: true, schema: { type: string } }
    - { name: kind, in: path, required: true, schema: { type: string } }
  get: { operationId: showPet, ${done} }`),
  OAG605: paths(`/pets/{id}:
  parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  get: { operationId: showPet, ${done} }
/pets/{name}:
  parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
  get: { operationId: findPet, ${done} }`),
  OAG606: paths(`/pets/{id}:
  parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  get: { operationId: showPet, ${done} }
/pets/{name}:
  parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
  delete: { operationId: dropPet, ${done} }`),
  OAG607: paths(`/pets/{id}:\n  get: { operationId: showPet, ${done} }`),
  OAG608: paths(`/pets:
  parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  get: { operationId: listPets, ${done} }`),
  OAG609: paths(`/pets/{id}/friends/{id}:
  parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  get: { operationId: showFriend, ${done} }`),
  OAG610: paths(`/pets:\n  get: { ${done} }`),
  OAG611: paths(`/pets:
  get: { operationId: pets, ${done} }
  post: { operationId: pets, ${done} }`),

  OAG618: { ...below("servers: [{ url: api }]\n" + onePath), basePath: "first" },
  OAG619: { ...below("servers: [{ url: /api }]\n" + onePath), basePath: "staging" },
  OAG620: {
    ...below(`servers: [{ url: /api }]
paths:
  /pets:
    get: { operationId: listPets, ${done} }
  /api/pets:
    servers: [{ url: / }]
    get: { operationId: listOldPets, ${done} }`),
    basePath: "first",
  },

  OAG701: operation("security: [{ key: [] }]"),
  OAG702: below(`paths: {}
components:
  securitySchemes:
    key: { type: apiKey, in: header }`),
  OAG703: below(`paths:
  /pets:
    security: [{ key: [] }]
    get: { operationId: listPets, ${done} }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }`),
  OAG704: below(`paths:
  /pets:
    get: { operationId: listPets, security: [key], ${done} }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }`),

  OAG706: below(`paths: {}
components:
  securitySchemes:
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://example.com/token } }`),
  OAG707: below(`paths:
  /pets:
    get:
      operationId: listPets
      security:
        - key:
      ${done}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }`),

  OAG801: parameter("- name: limit\n  in: query\n  schema: { type: integer, default: many }"),
  OAG802: body("content:\n  application/json: { schema: { type: integer, default: many } }"),
  OAG803: body("content:\n  application/json: { schema: { type: integer }, example: many }"),
} as const satisfies Partial<Record<Code, Example>>;
