// Written by "npm run generate" from openapi.yaml; do not edit.

export type A = string;
export type B = Record<string, unknown>;
export type C = (string | number) & (string | number);
export type D = string;
export type E = string;
export type F = ("a" | "b" | "c") & ("a" | "b");
export type G = unknown[];
export type H = {
  [key: string]: string;
};
export type I = number;
export type J =
  | {
      a?: string;
    }
  | H;
export type K = {
  a?: string;
};
export type L = boolean & string;
export type M = (Record<string, unknown> | null) &
  (
    | ({
        a?: string;
      } | null)
    | ({
        b?: string;
      } | null)
  );
export type N = ("a" | null) & "a";
export type O = (Record<string, unknown> | null) & {
  a?: string;
} & {
  b: string;
};
export type P = string & (string | number);
export type Q = Record<string, unknown>;
export type R = {
  b: unknown;
};
export type S = {
  [key: string]: string;
};
export type U = {
  b: unknown;
};
/**
 * @constant
 * @enum {boolean|number}
 */
export type V = false;
/** @enum {unknown} */
export type W = never;
export type X = (Record<string, unknown> | null) &
  ({
    a?: string;
  } | null);
export type Y = number & boolean;
export type Z = S;
export type AA = {
  constructor: unknown;
};
export type T = (string | number) & (string | boolean);
export interface paths {
  "/teams": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listTeams"];
    put?: never;
    post: operations["addTeam"];
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
    A: A;
    B: B;
    C: C;
    D: D;
    E: E;
    F: F;
    G: G;
    H: H;
    I: I;
    J: J;
    K: K;
    L: L;
    M: M;
    N: N;
    O: O;
    P: P;
    Q: Q;
    R: R;
    S: S;
    U: U;
    V: V;
    W: W;
    X: X;
    Y: Y;
    Z: Z;
    AA: AA;
    T: T;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listTeams: {
    parameters: {
      query?: {
        filter?: {
          constructor?: number;
          toString?: number[];
        };
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All teams */
      200: {
        headers: {
          "X-Team"?: {
            constructor?: number;
          };
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  addTeam: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/x-www-form-urlencoded": {
          constructor?: number[];
          valueOf?: boolean;
        };
        "multipart/form-data": {
          constructor?: number;
          file?: File;
        };
      };
    };
    responses: {
      /** @description Added */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
