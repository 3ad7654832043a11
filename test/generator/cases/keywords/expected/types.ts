// Written by "npm run generate" from openapi.yaml; do not edit.

export type Everything = {
  a?: number;
};
export type Conditional = {
  kind?: string;
  a?: number;
};
export type Dependent = {
  a?: unknown;
  b?: unknown;
  c?: unknown;
};
export type Tuple = [string?, number?];
export type OpenTuple = [string, ...boolean[]];
export type Contains = unknown[];
export type ClosedList = never[];
export type AnyList = unknown[];
export type Names = {
  [key: string]: unknown;
};
export type Patterns = {
  [key: string]: string | number;
};
export type Mixed = {
  id?: string;
} & {
  [key: string]: string;
};
export type Unevaluated = Everything;
/** @constant */
export type ConstNull = null;
/** @enum {unknown} */
export type EnumNull = null;
/** @constant */
export type ConstTrue = true;
/** @constant */
export type ConstArray = [
  1,
  [
    2,
    {
      a: "b";
    },
  ],
];
/** @constant */
export type ConstEmpty = Record<string, never>;
/** @enum {unknown} */
export type WrongConst = never;
/** @enum {unknown} */
export type NoEnumFits = never;
export type RequiredOnly = unknown;
export type RequiredTyped = {
  a: unknown;
  b: unknown;
};
export type RequiredMap = {
  [key: string]: number;
};
export type OptionalRequired = {
  a?: string;
} & {
  [key: string]: string;
};
export type NullableObject = {
  a: string;
} | null;
export type NullableArray = (string | null)[] | null;
export type ManyTypes = string | number | boolean | unknown[] | Record<string, unknown> | null;
export type ManyConstrained =
  | string
  | string[]
  | {
      a?: number;
    };
export type Untyped = {
  a: number;
};
export type SingleAnyOf = string;
export type NestedUnions = (string | number) | null | (string | null)[];
export type ThreeWithNull = string | number | null;
export type AnyOfReferences = {
  /** @enum {unknown} */
  kind?: "a" | "b";
} & (AnyOfAndProperties | ClosedAllOf);
export type AnyOfAndProperties = {
  a?: string;
};
export type OneOfAndAllOf = Everything;
export type ClosedAllOf = {
  a: unknown;
  b?: unknown;
} & {
  b?: string;
};
export type AllOfEnum = string & ("a" | "b");
export type RefNullable = Tuple | null;
/** Format: binary */
export type Binary = string;
/** Format: byte */
export type Bytes = string;
/** Format: int64 */
export type Int64 = number;
/** Format: double */
export type Double = number;
export type Dates = {
  /** Format: date-time */
  a?: string;
  /** Format: uri */
  b?: string;
  /** Format: email */
  c?: string;
};
export type WithDefaults = {
  /** @default x */
  a?: string;
  /**
   * @default [
   *       1
   *     ]
   */
  b?: number[];
  /** @default {} */
  c?: Record<string, unknown>;
};
export type EmptyObject = {
  [key: string]: never;
};
export type EmptyProperties = Record<string, unknown>;
export type Deep = {
  a?: {
    b?: {
      c: {
        [key: string]: Deep[];
      }[];
    };
  };
};
export type AliasOfAlias = AliasOf;
export type AliasOf = Deep;
/** @description An alias. */
export type RefWithDescription = Deep;
export type RefMap = {
  [key: string]: RefMap;
};
export type UnionLoop =
  | string
  | {
      a?: UnionLoop;
    };
export type TupleLoop = [TupleLoop?, ...unknown[]];
export type ArrayLoop = ArrayLoop[];
export type NotLoop = unknown;
/**
 * T
 * @deprecated
 */
export type Deprecated = string;
/** @default 1 */
export type Dialect = number;
export type DialectOfOpenApi = Dialect;
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Everything: Everything;
    Conditional: Conditional;
    Dependent: Dependent;
    Tuple: Tuple;
    OpenTuple: OpenTuple;
    Contains: Contains;
    ClosedList: ClosedList;
    AnyList: AnyList;
    Names: Names;
    Patterns: Patterns;
    Mixed: Mixed;
    Unevaluated: Unevaluated;
    ConstNull: ConstNull;
    EnumNull: EnumNull;
    ConstTrue: ConstTrue;
    ConstArray: ConstArray;
    ConstEmpty: ConstEmpty;
    WrongConst: WrongConst;
    NoEnumFits: NoEnumFits;
    RequiredOnly: RequiredOnly;
    RequiredTyped: RequiredTyped;
    RequiredMap: RequiredMap;
    OptionalRequired: OptionalRequired;
    NullableObject: NullableObject;
    NullableArray: NullableArray;
    ManyTypes: ManyTypes;
    ManyConstrained: ManyConstrained;
    Untyped: Untyped;
    SingleAnyOf: SingleAnyOf;
    NestedUnions: NestedUnions;
    ThreeWithNull: ThreeWithNull;
    AnyOfReferences: AnyOfReferences;
    AnyOfAndProperties: AnyOfAndProperties;
    OneOfAndAllOf: OneOfAndAllOf;
    ClosedAllOf: ClosedAllOf;
    AllOfEnum: AllOfEnum;
    RefNullable: RefNullable;
    Binary: Binary;
    Bytes: Bytes;
    Int64: Int64;
    Double: Double;
    Dates: Dates;
    WithDefaults: WithDefaults;
    EmptyObject: EmptyObject;
    EmptyProperties: EmptyProperties;
    Deep: Deep;
    AliasOfAlias: AliasOfAlias;
    AliasOf: AliasOf;
    RefWithDescription: RefWithDescription;
    RefMap: RefMap;
    UnionLoop: UnionLoop;
    TupleLoop: TupleLoop;
    ArrayLoop: ArrayLoop;
    NotLoop: NotLoop;
    Deprecated: Deprecated;
    Dialect: Dialect;
    DialectOfOpenApi: DialectOfOpenApi;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
