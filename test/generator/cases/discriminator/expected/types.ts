// Written by "npm run generate" from openapi.yaml; do not edit.

export type Cat = {
  kind: string;
  lives: number;
};
export type Dog = {
  kind: string;
  bark?: boolean;
};
export type ByReference = Cat | Dog;
export type ByName = Cat | Dog;
export type Implicit = Cat | Dog;
export type HalfMapped = Cat | Dog;
export type Circle = {
  /** @constant */
  shape: "circle";
  radius?: number;
};
export type Polygon = {
  /** @enum {unknown} */
  shape: "square" | "triangle";
};
export type ByValues = Circle | Polygon;
export type WithInline =
  | Circle
  | {
      /** @constant */
      shape: "line";
    };
export type Undecided = Cat | Dog;
export type Hostile = Cat | Dog;
export type Animal = {
  species: string;
};
export type Bird = Animal & {
  wings: number;
};
export type Fish = Animal & {
  fins: number;
};
export type AnyAnimal = Bird | Fish;
export type Plant = Record<string, unknown>;
export interface paths {
  "/pets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["addPet"];
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
    Cat: Cat;
    Dog: Dog;
    ByReference: ByReference;
    ByName: ByName;
    Implicit: Implicit;
    HalfMapped: HalfMapped;
    Circle: Circle;
    Polygon: Polygon;
    ByValues: ByValues;
    WithInline: WithInline;
    Undecided: Undecided;
    Hostile: Hostile;
    Animal: Animal;
    Bird: Bird;
    Fish: Fish;
    AnyAnimal: AnyAnimal;
    Plant: Plant;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  addPet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": ByReference;
      };
    };
    responses: {
      /** @description Kept. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
