// Written by "npm run generate" from openapi.yaml; do not edit.

export type Upload = Thing & {
  scan: File_2;
};
/**
 * Format: binary
 * @description As it is.
 */
export type File_2 = string;
export type Thing = {
  a?: string;
  b?: number;
};
export interface paths {
  "/several": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postSeveral"];
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
  "/other-form": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postOtherForm"];
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
  "/shared-upload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["sharedUpload"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/one-part": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postOnePart"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/form-as-it-is": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postFormAsItIs"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/text": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["putText"];
    post?: never;
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
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/unheard": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postUnheard"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/parameter": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postParameter"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/anything": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postAnything"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/shared": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postShared"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/ranges": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postRanges"];
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
    Upload: Upload;
    File: File_2;
    Thing: Thing;
  };
  responses: never;
  parameters: never;
  requestBodies: {
    Thing: {
      content: {
        "application/json": Thing;
      };
    };
  };
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  postSeveral: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Thing;
        "application/merge-patch+json": Record<string, unknown>;
        "application/vnd.thing.v2+json": Thing;
        "application/x-www-form-urlencoded": Thing;
        "text/plain": string;
        "application/octet-stream": unknown;
      };
    };
    responses: {
      /** @description What was sent, in its own form. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Thing;
          "application/problem+json": {
            title?: string;
          };
          "text/csv": string;
          "image/png": unknown;
        };
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
          name: string;
          count?: number;
          tags?: string[];
          rows?: {
            a?: number;
          }[];
          ids?: number[];
          range?: {
            from?: number;
          };
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
  postOtherForm: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/x-www-form-urlencoded": {
          tags?: string[];
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
          /** @description The file. */
          file: File;
          more?: File[];
          raw?: File;
          typed?: File;
          encoded?: string;
          note?: string;
          count?: number;
          tags?: ("a" | "b")[];
          thing?: Thing;
          things?: Thing[];
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
  sharedUpload: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "Multipart/Form-Data": Thing & {
          /** @description As it is. */
          scan: File;
        };
        "application/json": Upload;
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
  postOnePart: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "multipart/form-data": {
          either?: number[] | number;
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
  postFormAsItIs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
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
  putText: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "text/markdown": string;
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
  putBytes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/pdf": string | Blob;
      };
    };
    responses: {
      /** @description The bytes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "*/*": unknown;
        };
      };
    };
  };
  postUnheard: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/xml": Thing;
        "text/xml": Thing;
        "application/soap+xml": string;
        "application/x-ndjson": Thing;
        "application/octet-stream": string | Blob;
        "image/png": File_2;
      };
    };
    responses: {
      /** @description As it is. */
      200: {
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
          "application/zip": File_2;
          "application/gzip": string;
        };
      };
    };
  };
  postParameter: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json; version=1.0.0": Thing;
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
  postAnything: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
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
  postShared: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components["requestBodies"]["Thing"];
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
  postRanges: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "text/*": string;
        "*/*": Record<string, unknown>;
        "application/json; version=1": string;
        "application/json; version=2": number;
      };
    };
    responses: {
      /** @description Of any type that fits. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "image/*": unknown;
          "*/*": Thing;
        };
      };
    };
  };
}
