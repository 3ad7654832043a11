// What can be said of an object of an OpenAPI document: the words of the table of shapes.

/** Versions of OpenAPI in their order; the third number says nothing of features (OpenAPI 3.2.0, section 2.1). */
export const versions = ["3.0", "3.1", "3.2"] as const;
export type Version = (typeof versions)[number];

/** Whether a version is this one or a later one. */
export function isSince(version: Version, since: Version): boolean {
  return versions.indexOf(version) >= versions.indexOf(since);
}

export type Kind =
  | "Document"
  | "Info"
  | "Contact"
  | "License"
  | "Server"
  | "ServerVariable"
  | "Components"
  | "PathItem"
  | "Operation"
  | "ExternalDocs"
  | "Parameter"
  | "RequestBody"
  | "MediaType"
  | "Encoding"
  | "Response"
  | "Callback"
  | "Example"
  | "Link"
  | "Header"
  | "Tag"
  | "Schema"
  | "Discriminator"
  | "Xml"
  | "SecurityScheme"
  | "OAuthFlows"
  | "OAuthFlow";

export type PlainType = "string" | "boolean" | "number" | "integer" | "object" | "array" | "any";

export interface Field {
  readonly type?: PlainType;
  /** one object of this kind, or with `many` a list or map of them */
  readonly kind?: Kind;
  readonly many?: "list" | "map";
  /** of a map: names that start with "x-" are extensions and no entries */
  readonly isExtended?: true;
  /** for lists and maps of plain values */
  readonly items?: PlainType;
  readonly required?: true;
  /** a text without which everything else means the same */
  readonly isForPeople?: true;
  /** a map without which everything else means the same: what it lists is only for choosing from */
  readonly isOffer?: true;
  /** says who may call */
  readonly isProtecting?: true;
  /** required before this version, and not from it on */
  readonly optionalSince?: Version;
  readonly values?: readonly string[];
  /** of `values` those that came later */
  readonly valuesSince?: Readonly<Record<string, Version>>;
  /** the first version that has it */
  readonly since?: Version;
}

export interface Shape {
  readonly article: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** names that are not listed and do not start with "x-" */
  readonly others?: Field;
  /** a `$ref` may stand in its place */
  readonly reference?: true;
  readonly referenceSince?: Version;
}

export const text: Field = { type: "string" };
export const flag: Field = { type: "boolean" };
export const anything: Field = { type: "any" };
export const needed = <T extends Field>(field: T): T & { required: true } => ({
  ...field,
  required: true,
});
export const one = (kind: Kind): Field => ({ kind });
export const list = (kind: Kind): Field => ({ kind, many: "list" });
export const map = (kind: Kind): Field => ({ kind, many: "map" });
export const texts: Field = { type: "array", items: "string" };
export const schema = one("Schema");
export const schemas = list("Schema");
export const schemaMap = map("Schema");
export const count: Field = { type: "integer" };
export const number: Field = { type: "number" };
