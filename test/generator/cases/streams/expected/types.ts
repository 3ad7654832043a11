// Written by "npm run generate" from openapi.yaml; do not edit.

export type Thing = {
  readonly id: number;
  name: string;
};
export type TextEvent = {
  data: string;
  event?: string;
  id?: string | null;
};
export type ThingRequest = {
  readonly id?: number;
  name: string;
};
export interface paths {
  "/events/of-data": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["watchData"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/whole": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["watchEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/of-3.2": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["watchItems"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/of-json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["watchJson"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/events/plain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["watchTexts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/lines": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listLines"];
    put: operations["streamLines"];
    post: operations["sendLines"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/bytes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["putBytes"];
    post: operations["postBytes"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/range": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postRange"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/upload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["upload"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/upload/anything": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["uploadAnything"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/upload/fields": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["uploadFields"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/form": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postForm"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/json-encoding": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postJson"];
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
    Thing: Thing;
    TextEvent: TextEvent;
    ThingRequest: ThingRequest;
  };
  responses: {
    /** @description Shared. */
    Lines: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/x-ndjson": Thing;
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
  watchData: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As JSON at once, or as events whose data is a thing. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Thing;
          "text/event-stream": {
            data: Thing;
            event?: string;
            id?: string;
            retry?: number;
          };
        };
      };
    };
  };
  watchEvents: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each with a name of its own. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream":
            | {
                /** @constant */
                event: "thing";
                data: Thing;
              }
            | {
                /** @constant */
                data: "[DONE]";
              };
        };
      };
    };
  };
  watchItems: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Texts that hold JSON. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: Thing;
            event?: string;
            id?: string | null;
          };
        };
      };
    };
  };
  watchJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What stands in data is described in its place. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: unknown;
            event?: string;
            id?: string;
            retry?: number;
          };
        };
      };
    };
  };
  watchTexts: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Any. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: unknown;
            event?: string;
            id?: string;
            retry?: number;
          };
        };
      };
      /** @description Any. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: unknown;
            event?: string;
            id?: string;
            retry?: number;
          };
        };
      };
      /** @description Any event. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: unknown;
            event?: string;
            id?: string;
            retry?: number;
          };
        };
      };
      /** @description A list of events. */
      203: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: number;
          };
        };
      };
      /** @description Data in the place of an event, and a schema too many. */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": {
            data: Thing;
            event?: string;
            id?: string;
            retry?: number;
          };
        };
      };
    };
  };
  listLines: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components["responses"]["Lines"];
    };
  };
  streamLines: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/jsonl": ThingRequest;
        "application/json-seq": unknown;
      };
    };
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
  sendLines: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/x-ndjson": ThingRequest;
      };
    };
    responses: {
      /** @description Whatever stands there. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/jsonl": unknown;
          "application/json-seq": number;
          "application/geo+json-seq": unknown;
        };
      };
    };
  };
  putBytes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/octet-stream": string | Blob;
      };
    };
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
  postBytes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "text/csv": string;
        "application/zip": string | Blob;
        "image/*": unknown;
        "*/*": ThingRequest;
      };
    };
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
  postRange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "image/*": string | Blob;
      };
    };
    responses: {
      /** @description JSON or not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/*": Thing;
        };
      };
    };
  };
  upload: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          title: string;
          thing?: ThingRequest;
          file: File;
          more?: File[];
        };
      };
    };
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
  uploadAnything: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "multipart/form-data": unknown;
      };
    };
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
  uploadFields: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "multipart/form-data": {
          title?: string;
        };
      };
    };
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
  postForm: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/x-www-form-urlencoded": {
          commas?: number[];
          pipes?: string[];
          spaces?: string[];
          usual?: string[];
          spread?: {
            r?: number;
          };
          flat?: {
            r?: number;
          };
          deep?: {
            r?: number;
          };
          json?: ThingRequest;
          text?: string;
          one?: number;
          image?: string;
          nested?: {
            r?: number;
          }[];
        };
      };
    };
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
  postJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": unknown;
      };
    };
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
