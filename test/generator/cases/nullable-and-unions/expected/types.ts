// Written by "npm run generate" from openapi.yaml; do not edit.

export type Name = string;
export type NullableName = string | null;
export type NamedNull = Name | null;
export type OneOfNull = Name | null;
export type OneOfTwoNulls = NullableName | null;
export type OnlyNull = null;
/** @enum {string} */
export type EnumWithoutNull = "a" | "b";
/** @enum {string|null} */
export type EnumWithNull = "a" | "b" | null;
/** @enum {string} */
export type EnumOfStrings = "a" | "b";
/** @enum {unknown} */
export type MixedEnum = "a" | 1 | 2.5 | true | null;
/** @enum {unknown} */
export type ObjectEnum =
  | {
      a: 1;
    }
  | [1, 2]
  | "x";
/** @constant */
export type Constant = 7;
/** @constant */
export type ConstantObject = {
  b: [1];
  a: null;
};
export type TextOrWhole = string | number;
export type WholeOrNumber = number;
export type AnyOf =
  | {
      a: string;
    }
  | {
      b: number;
    };
export type ExactlyOne = number;
export type AlmostAnything = unknown;
export type Anything = unknown;
export type Everything = unknown;
export type Nothing = never;
export type Holder = {
  name: NullableName;
  anything: Anything;
  /** Format: int32 */
  maybe?: number | null;
  never?: never;
};
export type NeverNull = MaybeNamed | MaybeAged;
export type MaybeNamed = {
  name: string;
} | null;
export type MaybeAged = {
  age: number;
} | null;
export type RequiredOutside = WithRequired<MaybeBoth, "name"> & {
  age: number;
};
export type MaybeBoth = {
  name?: string;
} | null;
export interface paths {
  "/values": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["putValue"];
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
    Name: Name;
    NullableName: NullableName;
    NamedNull: NamedNull;
    OneOfNull: OneOfNull;
    OneOfTwoNulls: OneOfTwoNulls;
    OnlyNull: OnlyNull;
    EnumWithoutNull: EnumWithoutNull;
    EnumWithNull: EnumWithNull;
    EnumOfStrings: EnumOfStrings;
    MixedEnum: MixedEnum;
    ObjectEnum: ObjectEnum;
    Constant: Constant;
    ConstantObject: ConstantObject;
    TextOrWhole: TextOrWhole;
    WholeOrNumber: WholeOrNumber;
    AnyOf: AnyOf;
    ExactlyOne: ExactlyOne;
    AlmostAnything: AlmostAnything;
    Anything: Anything;
    Everything: Everything;
    Nothing: Nothing;
    Holder: Holder;
    NeverNull: NeverNull;
    MaybeNamed: MaybeNamed;
    MaybeAged: MaybeAged;
    RequiredOutside: RequiredOutside;
    MaybeBoth: MaybeBoth;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  putValue: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": Holder;
      };
    };
    responses: {
      /** @description Kept. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
type WithRequired<T, K extends PropertyKey> = T extends object
  ? T & { [P in K & keyof T]-?: T[P] }
  : T;
