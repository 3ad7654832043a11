// Written by "npm run generate" from openapi.yaml; do not edit.

/** @description What a ping gets. It says nothing else. */
export type Pong = {
  /** Format: date-time */
  time: string;
  note?: string;
};
export interface paths {
  "/ping": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["ping"];
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
    Pong: Pong;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  ping: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The service is up. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Pong;
        };
      };
    };
  };
}
