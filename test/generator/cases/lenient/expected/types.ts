// Written by "npm run generate" from openapi.yaml; do not edit.

/** @enum {unknown} */
export type Nothing = never;
/** @default 7 */
export type Word = string;
export type Either = A | B;
export type A = {
  a: number;
};
export type B = {
  b: Word;
};
export type Merged = {
  /** Format: iban */
  a: string;
};
export type MergedAgain = {
  b?: number;
  a: unknown;
};
export type MergedTwice = {
  /** Format: iban */
  a: string;
};
export type Quoted = {
  "<<"?: string;
};
export type Folded = [
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  string?,
  ...unknown[],
];
export interface paths {
  "/things/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["things#get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/things/{thing}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations["deleteThing"];
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
    Word: Word;
    Either: Either;
    A: A;
    B: B;
    Merged: Merged;
    MergedAgain: MergedAgain;
    MergedTwice: MergedTwice;
    Quoted: Quoted;
    Folded: Folded;
  };
  responses: {
    /** @description As before. */
    Same: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "text/plain": string;
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  "things#get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string | null;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One of them. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Either;
        };
      };
      /** @description Nothing. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Record<string, unknown>;
        };
      };
      304: components["responses"]["Same"];
    };
  };
  deleteThing: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        thing: string;
      };
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
}
