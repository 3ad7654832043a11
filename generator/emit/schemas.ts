// schemas.ts: one zod schema for each component schema of the contract, in its order.

import { isObject, textOf } from "../json.ts";
import type { Model } from "../model/model.ts";
import type { FileWriter, GeneratedFile } from "./file.ts";
import { docComment, firstSentence } from "./literals.ts";
import type { Scope } from "./printing.ts";
import { constant, documented } from "./statements.ts";
import { printSchema } from "./zod.ts";

export function emitSchemas(model: Model, writer: FileWriter): GeneratedFile {
  const identifiers = new Map(model.schemas.map(({ name, identifier }) => [name, identifier]));
  const written = new Set<string>();
  const scope: Scope = {
    document: model.document,
    // a component that stands further down (or is this one) does not exist yet when this line runs
    reference(component) {
      const name = identifiers.get(component) ?? component;
      return written.has(component) ? name : `keywords.later(() => ${name})`;
    },
  };
  const statements = model.schemas.map(({ name, identifier, schema }) => {
    const text = printSchema(schema, scope);
    written.add(name);
    const summary = isObject(schema) ? firstSentence(textOf(schema["description"])) : undefined;
    const type = `z.ZodType<types.${identifier}>`;
    const said = `keywords.says<types.${identifier}>()(${text})`;
    return documented(docComment(summary), constant(identifier, type, said));
  });
  return writer.write(
    "schemas.ts",
    [
      { module: "zod", named: ["z"] },
      { module: "./runtime/combinations.ts", namespace: "combinations" },
      { module: "./runtime/keywords.ts", namespace: "keywords" },
      { module: "./runtime/objects.ts", namespace: "objects" },
      { module: "./runtime/unevaluated.ts", namespace: "unevaluated" },
      { module: "./types.ts", namespace: "types", typeOnly: true },
    ],
    statements,
  );
}

/** In every other file all components exist. */
export function importedScope(model: Model): Scope {
  const identifiers = new Map(model.schemas.map(({ name, identifier }) => [name, identifier]));
  return {
    document: model.document,
    reference: (component) => `schemas.${identifiers.get(component) ?? component}`,
  };
}
