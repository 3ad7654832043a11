// types.ts: the types of the contract, written out. openapi-typescript writes them; this adapter hands it a document
// that it can read and puts our own names in front, so that it can be replaced. It brings the compiler along, which
// takes longer to load than to use: an unchanged document keeps its types without it (command/run.ts).

import type { OpenAPI3 } from "openapi-typescript";
import { astToString } from "openapi-typescript/dist/lib/ts.mjs";
import { resolveRef } from "openapi-typescript/dist/lib/utils.mjs";
import transformSchema, { type Context } from "openapi-typescript/dist/transform/index.mjs";
import ts from "typescript";
import { fileText, never, type TypedDocument } from "./typed-document.ts";
import { withTypeAliases } from "./type-aliases.ts";

export function emitTypes(typed: TypedDocument): string {
  // the library takes the document as data it does not change; its own type for it is narrower
  const document = typed.document as unknown as OpenAPI3;
  const nodes = transformSchema(document, contextOf(document));
  const text = typed.marks.withoutMarks(astToString(withTypeAliases(nodes, typed.identifiers)));
  return withRequired(withFiles(text));
}

/** Of a member that may be null, or one of several, the library's own word knows no name. */
function withRequired(text: string): string {
  return text.replace(
    /^type WithRequired<[^;]*;\n\};$/m,
    `type WithRequired<T, K extends PropertyKey> = T extends object
    ? T & { [P in K & keyof T]-?: T[P] }
    : T;`,
  );
}

/** Of its options: as its command has them, but for two. */
const choices = {
  additionalProperties: false,
  alphabetize: false,
  arrayLength: false,
  conditionalEnums: false,
  dedupeEnums: false,
  defaultNonNullable: false, // a default is for who leaves a value out: it may be left out in the type
  emptyObjectsUnknown: true,
  enum: false,
  enumValues: false,
  excludeDeprecated: false,
  exportType: false,
  generatePathParams: false,
  immutable: false,
  makePathsEnum: false,
  pathParamsAsTypes: false,
  propertiesRequiredByDefault: false,
  readWriteMarkers: false,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
} as const;

function contextOf(document: OpenAPI3): Context {
  return {
    ...choices,
    postTransform: undefined,
    transformProperty: undefined,
    discriminators: { objects: {}, refsHandled: [] }, // none is left in the document
    injectFooter: [],
    transform(schema, { path }) {
      if (never in schema) return neverType;
      // a client hands bytes of a form over as they are; in a component they may stand in JSON
      const isComponent = path?.startsWith("#/components/schemas/") === true;
      const isBinary = "format" in schema && schema.format === "binary";
      return isBinary && !isComponent ? binaryType : undefined;
    },
    resolve: (reference) => resolveRef(document, reference, { silent: true }),
  };
}

const neverType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
function withFiles(text: string): string {
  const isFile = `[^\\n]*"${fileText}"`;
  return text
    .replace(new RegExp(`[ \\t]*/\\*\\* @enum \\{unknown\\} \\*/\\n(?=${isFile})`, "g"), "")
    .replace(new RegExp(`\\n[ \\t]*\\* @enum \\{unknown\\}(?=\\n[ \\t]*\\*/\\n${isFile})`, "g"), "")
    .replaceAll(`"${fileText}"`, "File");
}
const binaryType = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeReferenceNode("Blob"),
]);
