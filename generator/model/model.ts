// What a document says, ready to be printed: references followed, names assigned, nothing of YAML
// and nothing of TypeScript in it.

import type { Json, JsonObject } from "../json.ts";
import type { Codec } from "../normalise/codecs.ts";
import type { ItemFormat } from "../runtime/media-types.ts";
import type {
  BodyRules,
  FormField,
  ParameterKind,
  ParameterLocation,
  ParameterPlan,
  PartPlan,
  SecurityScheme,
} from "../runtime/runtime.ts";

export interface Model {
  /** the normalised document; schemas refer to each other by "#/components/schemas/Name" */
  readonly document: JsonObject;
  readonly title: string;
  readonly schemas: readonly NamedSchema[];
  /** parameters below `components`, for operations that refer to them */
  readonly parameters: readonly SharedParameter[];
  /** headers and responses below `components`, likewise */
  readonly headers: readonly SharedHeader[];
  readonly responses: readonly SharedResponse[];
  readonly securitySchemes: readonly NamedScheme[];
  readonly groups: readonly Group[];
  /** all operations in the order of the contract */
  readonly operations: readonly Operation[];
}

export interface NamedSchema {
  /** as the contract writes it */
  readonly name: string;
  /** the same where it is a legal name in TypeScript */
  readonly identifier: string;
  readonly schema: Json;
}

export interface SharedParameter {
  readonly identifier: string;
  readonly parameter: Parameter;
}

export interface SharedHeader {
  readonly identifier: string;
  readonly schema: Json;
}

export interface SharedResponse {
  readonly identifier: string;
  readonly response: Response;
}

/** The operations of one tag; they share a file. */
export interface Group {
  readonly tag: string;
  /** kebab-case, without an ending */
  readonly file: string;
  /** for the namespace import */
  readonly identifier: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly operationId: string;
  readonly identifier: string;
  /** beginning of the names of its types */
  readonly typeName: string;
  /** as it is sent: "GET", "QUERY", "PURGE" */
  readonly method: string;
  /** as requests have it, below the base path */
  readonly path: string;
  /** as the contract has it */
  readonly writtenPath: string;
  readonly tag: string;
  readonly summary: string | undefined;
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly querystring: Querystring | undefined;
  readonly body: Body | undefined;
  readonly responses: readonly Response[];
  /**
   * alternatives; each is met by all of its parts. None at all: nobody may call, undefined: anybody may
   */
  readonly security: readonly (readonly Requirement[])[] | undefined;
  /** plain values of `x-...` */
  readonly extensions: JsonObject;
  readonly node: JsonObject;
}

export interface Requirement {
  /** the constant of its scheme */
  readonly identifier: string;
  readonly scopes: readonly string[];
}

export interface NamedScheme {
  readonly identifier: string;
  readonly scheme: SecurityScheme;
}

export interface Parameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly style: ParameterPlan["style"];
  readonly explode: boolean;
  readonly kind: ParameterKind;
  readonly schema: Json;
  readonly allowEmptyValue: boolean;
  readonly default: Json | undefined;
  /** the shared constant it is taken from */
  readonly shared: string | undefined;
  readonly node: JsonObject;
}

/** The whole query as one value. */
export interface Querystring {
  readonly name: string;
  readonly required: boolean;
  readonly mediaType: string;
  /** neither a form nor JSON */
  readonly isText: boolean;
  readonly schema: Json | undefined;
  /** of a form: how the text of each field is read */
  readonly fields: Readonly<Record<string, FormField>> | undefined;
  readonly node: JsonObject;
}

export interface Body {
  readonly required: boolean;
  readonly content: readonly Content[];
}

export interface Content {
  readonly mediaType: string;
  readonly codec: Codec;
  readonly schema: Json | undefined;
  /** of forms: how the text of each field is read */
  readonly fields: Readonly<Record<string, FormField>> | undefined;
  /** of multipart bodies: how each part is read; undefined: nothing is known of them */
  readonly parts: Readonly<Record<string, PartPlan>> | undefined;
  /** of those parts whose heads have to say something, by name */
  readonly partHeaders: Readonly<Record<string, readonly ResponseHeader[]>>;
  /** of bodies of requests: what holds of their bytes */
  readonly rules: BodyRules;
  /** of a row of items, whose schema is that of each */
  readonly items: Items | undefined;
  readonly node: JsonObject;
}

export interface Items {
  readonly format: ItemFormat;
  /** texts in the data of events are JSON, too */
  readonly isJson: boolean;
}

export interface Response {
  /** "200", "4XX" or "default" as written (ranges in upper case) */
  readonly key: string;
  readonly description: string;
  /** of `default`: the statuses it stands for, when the contract says so */
  readonly statuses: readonly number[] | undefined;
  readonly headers: readonly ResponseHeader[];
  readonly content: readonly Content[];
  /** the shared constant it is taken from */
  readonly shared: string | undefined;
  readonly node: JsonObject;
}

export interface ResponseHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
  readonly kind: ParameterKind;
  readonly explode: boolean;
  /** the shared constant it is taken from */
  readonly shared: string | undefined;
}
