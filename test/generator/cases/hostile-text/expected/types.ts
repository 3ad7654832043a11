// Written by "npm run generate" from openapi.yaml; do not edit.

export type Name_globalThis_pwned_1_ = string;
/**
 * *\/ globalThis.pwned = 1; /*
 * @description First *\/ globalThis.pwned = 1; /* sentence. Second.
 *
 *     *\/ globalThis.pwned = 1; /*
 *     *\/ globalThis.pwned = 1;
 */
export type Text = {
  /** @description *\/ globalThis.pwned = 1; */
  '"; globalThis.pwned = 1; //': string;
  "new\nline": string;
  /**
   * @description a
   *     *\/ globalThis.pwned = 1;
   */
  "line\u2028separator"?: string;
  /** @default `${globalThis.pwned = 1}` */
  "`${globalThis.pwned = 1}`"?: string;
  /** @constant */
  "'"?: "'; globalThis.pwned = 1; //";
};
/** @enum {unknown} */
export type Values =
  | '"; globalThis.pwned = 1; //'
  | "'; globalThis.pwned = 1; //"
  | "`${globalThis.pwned = 1}`"
  | "\\"
  | "\n"
  | "\u2028"
  | "*/ globalThis.pwned = 1; /*"
  | "</script>"
  | "__proto__";
export type Patterns = {
  slash?: string;
  template?: string;
  newline?: string;
  separator?: string;
  class?: string;
  empty?: string;
  unicode?: string;
} & {
  [key: string]: unknown;
};
/** @enum {unknown} */
export type Objects =
  | {
      __proto__: 1;
      constructor: [null];
    }
  | {
      '"; globalThis.pwned = 1; //': "`${globalThis.pwned = 1}`";
    };
export type Tagged = TagA | TagB;
export type TagA = {
  /** @constant */
  '"; globalThis.pwned = 1; //': '"}; globalThis.pwned = 1; //';
};
export type TagB = {
  /** @constant */
  '"; globalThis.pwned = 1; //': "`${globalThis.pwned = 1}`";
};
export type Name_with_new_line = string;
export interface paths {
  "/a*/globalThis.pwned=1": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * "; globalThis.pwned = 1; //
     * @description *\/ globalThis.pwned = 1; /* `${globalThis.pwned = 1}`
     */
    get: operations['x"]; globalThis.pwned = 1; //'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/separators": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * line
     *     globalThis.pwned = 1
     */
    get: operations["line\u2028globalThis.pwned = 1"];
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
    "Name*/ globalThis.pwned = 1; /*": Name_globalThis_pwned_1_;
    Text: Text;
    Values: Values;
    Patterns: Patterns;
    Objects: Objects;
    Tagged: Tagged;
    TagA: TagA;
    TagB: TagB;
    "Name with\nnew line": Name_with_new_line;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  'x"]; globalThis.pwned = 1; //': {
    parameters: {
      query?: {
        /** @description *\/ globalThis.pwned = 1; /* */
        'q"}; globalThis.pwned = 1; //'?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description `${globalThis.pwned = 1}` "; globalThis.pwned = 1; // */
      200: {
        headers: {
          /** @description *\/ globalThis.pwned = 1; /* */
          "X-A": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": Text;
          'text/plain;a="b': string;
        };
      };
    };
  };
  "line\u2028globalThis.pwned = 1": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /**
       * @description line
       *     globalThis.pwned = 1
       */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
