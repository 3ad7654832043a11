// parameters.ts, headers.ts, responses.ts and security.ts: the parts below `components` that operations refer
// to, each a constant, so that an edit of one of them changes one line and not one an operation.

import type { Json, JsonObject } from "../json.ts";
import type { Content, Model, Parameter, Response } from "../model/model.ts";
import type { FileWriter, GeneratedFile, ImportPlan } from "./file.ts";
import { headersText, headersType } from "./headers.ts";
import { literal, propertyKey, typedLiteral } from "./literals.ts";
import { importedScope } from "./schemas.ts";
import type { Scope } from "./printing.ts";
import { constant } from "./statements.ts";
import { printSchema } from "./zod.ts";

/** Modules that generated files beside `runtime/` may use; those that are used get imported. */
export function imports(folder: string): ImportPlan[] {
  return [
    { module: "zod", named: ["z"] },
    { module: "@hono/zod-openapi", named: ["createRoute"] },
    { module: "@hono/zod-openapi", named: ["RouteConfig"], typeOnly: true },
    { module: `${folder}runtime/combinations.ts`, namespace: "combinations" },
    { module: `${folder}runtime/keywords.ts`, namespace: "keywords" },
    { module: `${folder}runtime/methods.ts`, namespace: "methods" },
    { module: `${folder}runtime/objects.ts`, namespace: "objects" },
    { module: `${folder}runtime/unevaluated.ts`, namespace: "unevaluated" },
    { module: `${folder}runtime/runtime.ts`, namespace: "runtime", typeOnly: true },
    { module: `${folder}runtime/answers.ts`, namespace: "answers", typeOnly: true },
    { module: `${folder}runtime/statuses.ts`, namespace: "statuses", typeOnly: true },
    { module: `${folder}headers.ts`, namespace: "headers" },
    { module: `${folder}parameters.ts`, namespace: "parameters" },
    { module: `${folder}responses.ts`, namespace: "responses" },
    { module: `${folder}schemas.ts`, namespace: "schemas" },
    { module: `${folder}security.ts`, namespace: "security" },
    { module: `${folder}types.ts`, namespace: "types", typeOnly: true },
  ];
}

export function emitShared(model: Model, writer: FileWriter): GeneratedFile[] {
  const scope = importedScope(model);
  const files: GeneratedFile[] = [];
  const without = (module: string): ImportPlan[] =>
    imports("./").filter((plan) => plan.module !== module);
  if (model.parameters.length > 0) {
    const statements = model.parameters.map(({ identifier, parameter }) =>
      constant(
        identifier,
        "Parameter",
        `{ ${planFields(parameter)}, schema: ${printSchema(parameter.schema, scope)} }`,
      ),
    );
    const form =
      "\ninterface Parameter extends runtime.ParameterPlan {\n  readonly schema: z.ZodType;\n}";
    files.push(writer.write("parameters.ts", without("./parameters.ts"), [form, ...statements]));
  }
  if (model.headers.length > 0) {
    const statements = model.headers.map(({ identifier, schema }) =>
      constant(identifier, "z.ZodType", printSchema(schema, scope)),
    );
    files.push(writer.write("headers.ts", without("./headers.ts"), statements));
  }
  if (model.responses.length > 0) {
    const statements = model.responses.flatMap(({ identifier, response }) => [
      constant(identifier, 'RouteConfig["responses"][string]', responseObject(response, scope)),
      ...(response.headers.length === 0
        ? []
        : [`\nexport type ${identifier}Headers = ${headersType(response.headers)};`]),
    ]);
    files.push(writer.write("responses.ts", without("./responses.ts"), statements));
  }
  const used = new Set(
    model.operations.flatMap(({ security = [] }) => security.flat().map((one) => one.identifier)),
  );
  const schemes = model.securitySchemes.filter(({ identifier }) => used.has(identifier));
  if (schemes.length > 0) {
    const statements = schemes.map(({ identifier, scheme }) =>
      constant(identifier, "runtime.SecurityScheme", literal({ ...scheme })),
    );
    files.push(writer.write("security.ts", without("./security.ts"), statements));
  }
  return files;
}

/** A parameter as the runtime takes its text apart; without its schema. */
export function planFields(parameter: Parameter): string {
  const { name, style, explode, kind } = parameter;
  const rest: Record<string, Json> = {};
  if (parameter.allowEmptyValue) rest["allowEmptyValue"] = true;
  if (parameter.default !== undefined) rest["default"] = parameter.default;
  return [
    ...fieldTexts({ in: parameter.in, name, style, explode }),
    `kind: ${typedLiteral(kind)}`,
    ...fieldTexts(rest),
  ].join(", ");
}

function fieldTexts(fields: Readonly<Record<string, Json>>): readonly string[] {
  return Object.entries(fields).map(([name, value]) => `${name}: ${literal(value)}`);
}

/** A response as `createRoute` takes it. */
export function responseText(response: Response, scope: Scope): string {
  return response.shared === undefined
    ? responseObject(response, scope)
    : `responses.${response.shared}`;
}

function responseObject(response: Response, scope: Scope): string {
  const parts = [`description: ${literal(response.description)}`];
  if (response.headers.length > 0) parts.push(`headers: ${headersText(response.headers, scope)}`);
  if (response.content.length > 0) parts.push(`content: ${contentText(response.content, scope)}`);
  return `{ ${parts.join(", ")} }`;
}

export function contentText(content: readonly Content[], scope: Scope): string {
  const entries = content.map(({ mediaType, schema }) => {
    const text = schema === undefined ? "z.unknown()" : printSchema(schema, scope);
    return `${propertyKey(mediaType)}: { schema: ${text} }`;
  });
  return `{ ${entries.join(", ")} }`;
}

export function fieldsOf(node: JsonObject, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = node[name];
    return value === undefined ? [] : [`${name}: ${literal(value)}`];
  });
}
