// Written by "npm run generate" from openapi.yaml; do not edit.

export type Tree = {
  children: Tree[];
};
export type Chain = {
  next?: Chain | null;
};
export type Egg = {
  hen?: Hen;
};
export type Hen = {
  eggs: Egg[];
};
export type NestedMap = {
  [key: string]: NestedMap;
};
export type Expression =
  | number
  | {
      /** @enum {unknown} */
      op: "+" | "-";
      left: Expression;
      right: Expression;
    };
export type Extended = Tree & {
  twin?: Extended;
};
export type JsonValue =
  | (null | boolean | number | string)
  | JsonValue[]
  | {
      [key: string]: JsonValue;
    };
export interface paths {
  "/trees": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["putTree"];
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
    Tree: Tree;
    Chain: Chain;
    Egg: Egg;
    Hen: Hen;
    NestedMap: NestedMap;
    Expression: Expression;
    Extended: Extended;
    JsonValue: JsonValue;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  putTree: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Tree;
      };
    };
    responses: {
      /** @description The list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Chain;
        };
      };
    };
  };
}
