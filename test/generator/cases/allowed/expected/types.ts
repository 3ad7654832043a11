// Written by "npm run generate" from openapi.yaml; do not edit.

/** @description Anything */
export type Nothing = unknown;
export type NoAnchor = unknown;
export type Anchored = string | number;
export type ByAnchor = Anchored_anyOf_0;
export type Kind = unknown;
export type Ids = string | boolean | number;
export type ById = Ids_anyOf_2;
export type Circle = {
  name: unknown;
};
export type One = Other | string;
export type Other = unknown;
export type Cat = {
  kind: string;
};
export type Choice = Cat;
export type Misspelt = string;
export type Draft3 = {
  name?: string;
};
export type Quoted = string;
export type NoType = unknown;
export type NoTypes = unknown;
export type SameTypes = string;
export type NoMembers = string;
export type Pattern = string;
export type Patterns = {
  [key: string]: unknown;
};
export type Above = number;
export type Step = number;
export type Draft4 = string;
export type Depends = Record<string, unknown>;
export type All = {
  nothing?: Nothing;
  noAnchor?: NoAnchor;
  byAnchor?: ByAnchor;
  kind?: Kind;
  byId?: ById;
  circle?: Circle;
  one?: One;
  choice?: Choice;
  misspelt?: Misspelt;
  draft3?: Draft3;
  quoted?: Quoted;
  noType?: NoType;
  noTypes?: NoTypes;
  sameTypes?: SameTypes;
  noMembers?: NoMembers;
  pattern?: Pattern;
  patterns?: Patterns;
  above?: Above;
  step?: Step;
  draft4?: Draft4;
  depends?: Depends;
};
export type Anchored_anyOf_0 = string;
export type Ids_anyOf_2 = boolean;
export interface paths {
  "/references/{lost}/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["references"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/schemas/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["schemas"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/styles/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    get: operations["styles"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/bodies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["putBodies"];
    post: operations["same"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/twice/{id}/and/{id}.txt": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["twice"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/clash/{a}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        a: string;
      };
      cookie?: never;
    };
    get: operations["first"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/clash/{b}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        b: string;
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations["third"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/closed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["closed"];
    put: operations["optional"];
    post: operations["halfOpen"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Nothing: Nothing;
    NoAnchor: NoAnchor;
    Anchored: Anchored;
    ByAnchor: ByAnchor;
    Kind: Kind;
    Ids: Ids;
    ById: ById;
    Circle: Circle;
    One: One;
    Other: Other;
    Cat: Cat;
    Choice: Choice;
    Misspelt: Misspelt;
    Draft3: Draft3;
    Quoted: Quoted;
    NoType: NoType;
    NoTypes: NoTypes;
    SameTypes: SameTypes;
    NoMembers: NoMembers;
    Pattern: Pattern;
    Patterns: Patterns;
    Above: Above;
    Step: Step;
    Draft4: Draft4;
    Depends: Depends;
    All: All;
    Anchored_anyOf_0: Anchored_anyOf_0;
    Ids_anyOf_2: Ids_anyOf_2;
  };
  responses: {
    /** @description Some */
    Some: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  references: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        lost: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  schemas: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": All;
      };
    };
    responses: {
      /** @description No status */
      20: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description No status */
      ok: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  styles: {
    parameters: {
      query?: {
        free?: string;
        ids?: string;
        limit?: number;
        filter?: unknown[];
      };
      header?: {
        "X-A"?: number;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Some */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": number;
          "Application/JSON": string;
          "text/csv, text/plain": string;
        };
      };
    };
  };
  putBodies: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "json, yaml": unknown;
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  same: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "*/*"?: never;
      };
    };
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  twice: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  first: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        a: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  third: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        b: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  closed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  optional: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  halfOpen: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
