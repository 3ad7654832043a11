// Written by "npm run generate" from openapi.yaml; do not edit.

export type Order = {
  /** Format: uuid */
  id?: string;
  lines?: Order_Line[];
  first?: Order_lines_items;
  "a/b~c"?: number;
};
export type Order_id = number;
export type Escaped = Order_a_b_c;
export type With_space = string;
export type _50_ = number;
export type Percent = _50_;
export type Chain = Link;
export type Link = With_space;
export type AllOfMember = Either_oneOf_1;
export type Either = string | number;
/** Format: uuid */
export type Order_id_2 = string;
export type content_application_json_schema = {
  id: Order_id_2;
};
export type Order_Line = {
  sku: string;
  parts?: Order_Line[];
};
export type Order_lines_items = Order_Line;
export type Order_a_b_c = number;
export type Either_oneOf_1 = number;
export interface paths {
  "/orders/{order id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getOrder"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/copies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getCopy"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/parts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    get?: never;
    put: operations["putPart"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/parts-elsewhere/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    get: operations["getPartElsewhere"];
    put: operations["putPartElsewhere"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/same-item": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postSameItem"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/copies-of-item": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["postCopiesOfItem"];
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
    Order: Order;
    Order_id: Order_id;
    Escaped: Escaped;
    "With space": With_space;
    "50%": _50_;
    Percent: Percent;
    Chain: Chain;
    Link: Link;
    AllOfMember: AllOfMember;
    Either: Either;
    Order_id_2: Order_id_2;
    content_application_json_schema: content_application_json_schema;
    Order_Line: Order_Line;
    Order_lines_items: Order_lines_items;
    Order_a_b_c: Order_a_b_c;
    Either_oneOf_1: Either_oneOf_1;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        "order id": Order_id_2;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            id: Order_id_2;
          };
        };
      };
    };
  };
  getCopy: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The same as elsewhere. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": content_application_json_schema;
        };
      };
      /** @description The same as elsewhere. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": content_application_json_schema;
        };
      };
    };
  };
  putPart: {
    parameters: {
      query?: never;
      header: {
        "x-trace": boolean;
      };
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": string;
      };
    };
    responses: {
      /** @description Fine. */
      200: {
        headers: {
          "X-Left"?: number;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
        };
      };
    };
  };
  getPartElsewhere: {
    parameters: {
      query?: {
        q?: number;
      };
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      200: {
        headers: {
          "X-Left"?: number;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
        };
      };
    };
  };
  putPartElsewhere: {
    parameters: {
      query?: {
        q?: number;
      };
      header?: {
        "X-Trace"?: number;
      };
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": string;
      };
    };
    responses: {
      /** @description Fine. */
      200: {
        headers: {
          "X-Left"?: number;
          [name: string]: unknown;
        };
        content: {
          "application/json": string;
        };
      };
      /** @description Not there. */
      404: {
        headers: {
          "X-Left"?: number;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  postSameItem: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": With_space;
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
  postCopiesOfItem: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": With_space;
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
