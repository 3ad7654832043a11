// Written by "npm run generate" from openapi.yaml; do not edit.

export type Pet = {
  name: string;
  age?: number;
};
export type Dog = Pet & {
  name: string;
  bark: boolean;
};
export type StoredDog = {
  /** Format: uuid */
  id: string;
} & Dog;
export type Impossible = {
  a?: string;
} & {
  b?: string;
};
export type LongName = Name;
export type Name = string;
export type OneMember = Pet;
export type Bounded = number;
export type ClosedDog = {
  chip?: string;
} & Dog;
export type OpenMap = {
  id: number;
} & {
  [key: string]: string | number;
};
export type PlainMap = {
  [key: string]: number;
};
export type RequiredOnly = {
  a: string;
  b: unknown;
};
/** @description A pet with a tag. */
export type Tagged = Pet & {
  tag: string;
};
export type Conditional = {
  /** @enum {string} */
  kind: "small" | "large";
  size?: number;
};
export type Page = {
  next: string | null;
  items: unknown;
};
export type PetPage = Page & {
  items: Pet[];
};
export type Named = {
  name: string;
};
export type Nameless = Named_allOf_0;
export type Named_allOf_0 = {
  name?: string;
};
export interface paths {
  "/dogs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["addDog"];
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
    Pet: Pet;
    Dog: Dog;
    StoredDog: StoredDog;
    Impossible: Impossible;
    LongName: LongName;
    Name: Name;
    OneMember: OneMember;
    Bounded: Bounded;
    ClosedDog: ClosedDog;
    OpenMap: OpenMap;
    PlainMap: PlainMap;
    RequiredOnly: RequiredOnly;
    Tagged: Tagged;
    Conditional: Conditional;
    Page: Page;
    PetPage: PetPage;
    Named: Named;
    Nameless: Nameless;
    Named_allOf_0: Named_allOf_0;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  addDog: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Dog;
      };
    };
    responses: {
      /** @description The dog. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": StoredDog;
        };
      };
    };
  };
}
