// Written by "npm run generate" from openapi.yaml; do not edit.

export type A = {
  $ref?: string;
  /** @constant */
  b?: {
    $ref: "https://127.0.0.1:9/z";
  };
  /** @enum {unknown} */
  c?:
    | {
        $ref: "#/nothing";
      }
    | 1;
  /**
   * @default {
   *       "$ref": "#/nothing"
   *     }
   */
  d?: Record<string, unknown>;
};
export type $ref = string;
export interface paths {
  "/a": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getA"];
    put?: never;
    post?: never;
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
    $ref: $ref;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getA: {
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
          "application/json": A;
        };
      };
    };
  };
}
