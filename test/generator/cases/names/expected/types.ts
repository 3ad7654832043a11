// Written by "npm run generate" from openapi.yaml; do not edit.

export type x_schema = number;
export type _41_ = {
  "a%": string;
  "#"?: string;
};
/**
 * @description inherited$toString$ and sign$25$ are told.
 * @enum {unknown}
 */
export type marks = "inherited$a$" | " sign$25$ " | "inherited1$b$";
export type combinations_ = string;
export type objects_ = {
  constructor?: string;
};
export type answers_ = string | number;
/** Format: binary */
export type Blob_2 = string;
export type WithRequired_2 = Members;
export type foo_bar_baz = {
  next?: foo_bar_baz_2;
};
export type foo_bar_baz_2 = string;
export type _1st = number;
export type Error = {
  record: Record_2;
};
export type Record_2 = {
  [key: string]: Promise;
};
export type Promise = Array[];
export type Array = string;
export type Omit_2 = string;
export type Readonly = string;
export type NonNullable_2 = string;
export type z_ = string;
export type types_ = string;
export type keywords_ = string;
export type schemas_ = string;
export type operations_2 = string;
export type components_2 = string;
export type paths_2 = string;
export type webhooks_2 = string;
export type $defs_2 = string;
export type class_ = string;
export type undefined_ = string;
export type NaN = string;
export type constructor_ = string;
export type __proto__ = string;
export type toString = string;
export type Pet = string;
export type pet = number;
export type PET = boolean;
export type Ünïcode = string;
export type 名前 = string;
export type _ = string;
export type a_b = string;
export type Members = {
  1?: string;
  constructor: string;
  __proto__: number;
  toString?: string;
  valueOf?: string;
  "first name"?: string;
  ""?: string;
  class?: string;
  "a.b/c~d"?: string;
  "not-declared": unknown;
};
export interface paths {
  "/pets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["pets/list"];
    put?: never;
    post: operations["pets-list"];
    delete: operations["deletePets"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/1st/{some-id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["1st"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/reserved": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["delete"];
    put: operations["types"];
    post: operations["constructor"];
    delete?: never;
    options: operations["Error"];
    head?: never;
    patch: operations["toString"];
    trace?: never;
  };
  "/case": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listpets"];
    put: operations["listPets"];
    post: operations["ListPets"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/same-type-names": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["Handlers"];
    put: operations["a_b"];
    post: operations["aB"];
    delete?: never;
    options?: never;
    head?: never;
    patch: operations["a b"];
    trace?: never;
  };
  "/signs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["100%#1"];
    put: operations["a%41"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/used": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["headers"];
    put: operations["answers"];
    post: operations["createRoute"];
    delete: operations["objects"];
    options: operations["register"];
    head: operations["combinations"];
    patch: operations["RouteConfig"];
    trace?: never;
  };
  "/used-too": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["operations"];
    put: operations["handlers"];
    post: operations["NotImplementedError"];
    delete?: never;
    options?: never;
    head?: never;
    patch: operations["AllHandlers"];
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    "x-schema": x_schema;
    "%41#%": _41_;
    marks: marks;
    combinations: combinations_;
    objects: objects_;
    answers: answers_;
    Blob: Blob_2;
    WithRequired: WithRequired_2;
    "foo.bar-baz": foo_bar_baz;
    foo_bar_baz: foo_bar_baz_2;
    "1st": _1st;
    Error: Error;
    Record: Record_2;
    Promise: Promise;
    Array: Array;
    Omit: Omit_2;
    Readonly: Readonly;
    NonNullable: NonNullable_2;
    z: z_;
    types: types_;
    keywords: keywords_;
    schemas: schemas_;
    operations: operations_2;
    components: components_2;
    paths: paths_2;
    webhooks: webhooks_2;
    $defs: $defs_2;
    class: class_;
    undefined: undefined_;
    NaN: NaN;
    constructor: constructor_;
    __proto__: __proto__;
    toString: toString;
    Pet: Pet;
    pet: pet;
    PET: PET;
    Ünïcode: Ünïcode;
    名前: 名前;
    "-": _;
    "a b": a_b;
    Members: Members;
  };
  responses: {
    /** @description Gone. */
    "x-response": {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": x_schema;
      };
    };
    /** @description Fine. */
    responses: {
      headers: {
        "X-A": components["headers"]["headers"];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Fine. */
    RouteConfig: {
      headers: {
        "X-A": components["headers"]["headers"];
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Fine. */
    AHeaders: {
      headers: {
        "X-A": string;
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Fine. */
    A: {
      headers: {
        "X-A": string;
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Anything else. */
    default: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description Yours. */
    "4XX": {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/json": Record_2;
      };
    };
  };
  parameters: {
    Parameter: string;
    runtime: string;
    "5%": _41_;
    z: string;
    schemas: z_;
    "x-parameter": x_schema;
  };
  requestBodies: never;
  headers: {
    headers: string;
    class: string;
    "x-header": x_schema;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  "pets/list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": foo_bar_baz[];
        };
      };
      default: components["responses"]["default"];
    };
  };
  "pets-list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Error;
      };
    };
    responses: {
      "4XX": components["responses"]["4XX"];
    };
  };
  deletePets: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Gone. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  "1st": {
    parameters: {
      query?: {
        z?: components["parameters"]["z"];
        schemas?: components["parameters"]["schemas"];
        "x-parameter"?: components["parameters"]["x-parameter"];
      };
      header?: never;
      path: {
        "some-id": _1st;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          "x-a": components["headers"]["class"];
          "x-b": components["headers"]["x-header"];
          [name: string]: unknown;
        };
        content?: never;
      };
      404: components["responses"]["x-response"];
    };
  };
  delete: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  types: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  constructor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Error: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  toString: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listpets: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listPets: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  ListPets: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  Handlers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  a_b: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  aB: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  "a b": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  "100%#1": {
    parameters: {
      query?: {
        "5%"?: components["parameters"]["5%"];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  "a%41": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  headers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  answers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  createRoute: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  objects: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  combinations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  RouteConfig: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  operations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  handlers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  NotImplementedError: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  AllHandlers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
