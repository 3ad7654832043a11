// The types of a contract as openapi-typescript writes them: the judge of those that the generator writes. It is handed
// what ours are made of, in a form that it can read.

import type { OpenAPI3 } from "openapi-typescript";
import { astToString } from "openapi-typescript/dist/lib/ts.mjs";
import { resolveRef } from "openapi-typescript/dist/lib/utils.mjs";
import transformSchema, { type Context } from "openapi-typescript/dist/transform/index.mjs";
import ts from "typescript";
import { typedDocument } from "../../../generator/emit/typed-document.ts";
import { isBytes } from "../../../generator/emit/type-schemas.ts";
import { never } from "../../../generator/emit/typed-schemas.ts";
import type { Json, JsonObject } from "../../../generator/json.ts";
import { put } from "../../../generator/json.ts";
import type { Model } from "../../../generator/model/model.ts";
import { fileMark } from "../../../generator/normalise/files.ts";
import { Origins } from "../../../generator/read/origins.ts";
import { rewrite } from "../../../generator/read/walk.ts";
import { Marks } from "./marked-names.ts";
import { withTypeAliases } from "./type-aliases.ts";

export function libraryTypes(model: Model): string {
  const typed = typedDocument(model);
  const marks = new Marks(typed);
  // the library takes the document as data it does not change; its own type for it is narrower
  const document = marks.withMarks(readable(typed, marks)) as unknown as OpenAPI3;
  const identifiers = new Map(
    model.schemas.map(({ name, identifier }) => [marks.marked(name), identifier]),
  );
  const nodes = transformSchema(document, contextOf(document));
  const text = marks.withoutMarks(astToString(withTypeAliases(nodes, identifiers)));
  return withRequired(withFiles(text));
}

/** It asks nobody what the items of a list are. */
const fileText = "generated file";

/** It takes every `$ref` for a reference, in plain data too, and would read or fetch its target. */
function readable(document: JsonObject, marks: Marks): Json {
  return rewrite(document, "Document", {
    origins: new Origins(),
    rewriter(node) {
      for (const name of ["const", "enum", "default", "example"]) {
        const value = node[name];
        if (value !== undefined) put(node, name, marks.withMarkedReferences(value));
      }
      if (node["const"] === null) {
        // it overlooks it, and an enum beside these
        for (const name of ["const", "type", "properties", "additionalProperties"])
          delete node[name];
        node["enum"] = [null];
      }
      if (node[fileMark] === undefined) return node;
      const { description } = node;
      return { ...(description === undefined ? {} : { description }), enum: [fileText] };
    },
  });
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
    // of a list of lists it loses one, where it sees that the items are one
    postTransform: (type) =>
      ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type)
        ? ts.factory.createParenthesizedType(type)
        : undefined,
    transformProperty: undefined,
    discriminators: { objects: {}, refsHandled: [] }, // none is left in the document
    injectFooter: [],
    transform(schema, { path }) {
      if (never in schema) return neverType;
      // a client hands bytes of a form over as they are; in a component they may stand in JSON
      const isComponent = path?.startsWith("#/components/schemas/") === true;
      return isBytes(schema as unknown as JsonObject) && !isComponent ? binaryType : undefined;
    },
    resolve: (reference) => resolveRef(document, reference, { silent: true }),
  };
}

const neverType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);

function withFiles(text: string): string {
  const isFile = `(?=[^\\n]*"${fileText}")`;
  return text
    .replace(new RegExp(`/\\*\\* @enum \\{unknown\\} \\*/\\n${isFile}`, "g"), "")
    .replace(new RegExp(`\\* @enum \\{unknown\\}(?=\\s*\\*/\\n${isFile})`, "g"), "")
    .replaceAll(`"${fileText}"`, "File");
}

const binaryType = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeReferenceNode("Blob"),
]);
