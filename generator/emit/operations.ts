// operations/<tag>.ts: for each operation its request and answer types and one constant.

import { textOf } from "../json.ts";
import { plainReference } from "../model/build.ts";
import type { Group, Model, Operation, Parameter, Querystring, Response } from "../model/model.ts";
import { methods } from "../read/operations.ts";
import type { ParameterLocation } from "../runtime/runtime.ts";
import { bodyFields, bodyType, mediaTypeType } from "./bodies.ts";
import type { FileWriter, GeneratedFile } from "./file.ts";
import { answerHeadersText, headersType } from "./headers.ts";
import { docComment, firstSentence, literal, propertyKey, typedLiteral } from "./literals.ts";
import { namedText } from "./objects.ts";
import { importedScope } from "./schemas.ts";
import { contentText, fieldsOf, imports, planFields, responseText } from "./shared.ts";
import type { Scope } from "./printing.ts";
import { constant, documented, interfaceOf, typeAlias } from "./statements.ts";
import { statusType } from "./status-types.ts";
import { printSchema } from "./zod.ts";

export function emitOperations(model: Model, writer: FileWriter): GeneratedFile[] {
  const scope = importedScope(model);
  const identifiers = new Map(model.schemas.map(({ name, identifier }) => [name, identifier]));
  return model.groups.map((group: Group) =>
    writer.write(
      `operations/${group.file}.ts`,
      imports("../"),
      group.operations.flatMap((operation) =>
        operationStatements({ operation, scope, identifiers }),
      ),
    ),
  );
}

interface Printing {
  readonly operation: Operation;
  readonly scope: Scope;
  /** TypeScript names of the components */
  readonly identifiers: ReadonlyMap<string, string>;
}

function operationStatements(printing: Printing): string[] {
  const { operation } = printing;
  const title = `${operation.method} ${operation.path}`;
  return [
    documented(
      docComment(`${title}: the request, checked`),
      interfaceOf(
        `${operation.typeName}Request`,
        requestProperties(printing).map(([key, type]) => ({ doc: "", key, type })),
      ),
    ),
    documented(
      docComment(`${title}: every documented answer; the edge adds the headers named in \`Edge\``),
      typeAlias(`${operation.typeName}Answer<Edge extends string = never>`, answerUnion(printing)),
    ),
    constant(operation.identifier, "runtime.Operation", operationObject(printing)),
  ];
}

// ---------------------------------------------------------------------------------------------
// Types

const parts: readonly (readonly [location: ParameterLocation, property: string, key: string])[] = [
  ["path", "path", "params"],
  ["query", "query", "query"],
  ["header", "headers", "headers"],
  ["cookie", "cookies", "cookies"],
];

function requestProperties(printing: Printing): [name: string, type: string][] {
  const { operation, identifiers } = printing;
  const properties: [string, string][] = [];
  for (const [location, property] of parts) {
    const here = operation.parameters.filter((parameter) => parameter.in === location);
    if (here.length === 0) continue;
    const defaulted = here.filter(hasDefault).map((parameter) => literal(parameter.name));
    const type = `${typesOf(operation)}["parameters"][${literal(location)}]`;
    const names = defaulted.length === 0 ? "" : `, ${defaulted.join(" | ")}`;
    properties.push([property, `answers.Present<${type}${names}>`]);
  }
  if (operation.querystring !== undefined)
    properties.push(["query", querystringType(operation.querystring, printing)]);
  if (operation.body !== undefined) {
    properties.push(["body", bodyType(operation.body, { of: typesOf(operation), identifiers })]);
  }
  if (mayLast(operation)) properties.push(["signal", "AbortSignal"]);
  return properties;
}

/** As the runtime finds out. */
function mayLast({ body, responses }: Operation): boolean {
  const isStream = body?.content.some(({ rules }) => rules.isStream === true) === true;
  return (
    isStream || responses.some(({ content }) => content.some(({ items }) => items !== undefined))
  );
}

/** Among the parameters of its types it is one of the query. */
function querystringType(whole: Querystring, { operation, identifiers }: Printing): string {
  const component = plainReference(whole.schema);
  const type = whole.isText
    ? "string"
    : whole.schema === undefined
      ? "unknown"
      : component === undefined
        ? `NonNullable<${typesOf(operation)}["parameters"]["query"]>[${literal(whole.name)}]`
        : `types.${identifiers.get(component) ?? component}`;
  return whole.required ? type : `${type} | undefined`;
}

function typesOf({ operationId }: Operation): string {
  return `types.operations[${literal(operationId)}]`;
}

function hasDefault(parameter: Parameter): boolean {
  return parameter.default !== undefined && !parameter.required;
}

function answerUnion(printing: Printing): string {
  const members = printing.operation.responses.flatMap((response) =>
    answerTypes(response, printing),
  );
  return members.length === 0
    ? "answers.UndocumentedAnswer<Edge>"
    : members.map((member) => `\n| ${member}`).join("");
}

function answerTypes(response: Response, { operation, identifiers }: Printing): string[] {
  const status = statusType(response, operation.responses);
  if (status === undefined) return [];
  const key = /^[0-9]+$/.test(response.key) ? response.key : literal(response.key);
  const type = `${typesOf(operation)}["responses"][${key}]`;
  const headers =
    response.shared !== undefined && response.headers.length > 0
      ? `responses.${response.shared}Headers`
      : headersType(response.headers);
  if (response.content.length === 0) return [`answers.EmptyAnswer<${status}, ${headers}, Edge>`];
  return response.content.flatMap((content) => {
    const media = mediaTypeType(content.mediaType);
    const raw = `answers.RawAnswer<${status}, ${media}, ${headers}, Edge>`;
    if (content.codec !== "json" && content.codec !== "items") return raw;
    const component = plainReference(content.schema);
    const body =
      component !== undefined
        ? `types.${identifiers.get(component) ?? component}`
        : content.schema === undefined
          ? "unknown"
          : `${type}["content"][${literal(content.mediaType)}]`;
    if (content.items !== undefined) {
      const item = content.items.format === "events" ? `answers.EventOf<${body}>` : body;
      return `answers.ItemsAnswer<${status}, ${media}, ${item}, ${headers}, Edge>`;
    }
    const json = `answers.JsonAnswer<${status}, ${body}, ${headers}, Edge>`;
    if (content.mediaType.includes("*")) return [json, raw];
    return content.mediaType.toLowerCase() === "application/json"
      ? json
      : `answers.NamedJsonAnswer<${status}, ${media}, ${body}, ${headers}, Edge>`;
  });
}

// ---------------------------------------------------------------------------------------------
// The operation as data

function operationObject(printing: Printing): string {
  const { operation, scope } = printing;
  const fields = [
    `operationId: ${literal(operation.operationId)}`,
    `route: createRoute<string, RouteConfig>(${routeObject(operation, scope)})`,
    `parameters: [${operation.parameters.map(parameterText).join(", ")}]`,
    ...querystringText(operation, scope),
    ...bodyFields(operation, scope),
    ...jsonEventsText(operation),
    ...answerHeadersText(operation.responses),
    ...securityText(operation),
    ...extensionsText(operation),
  ];
  return `{\n${fields.join(",\n")},\n}`;
}

function securityText({ security }: Operation): string[] {
  if (security === undefined) return [];
  const alternatives = security.map((parts) => {
    const texts = parts.map(
      ({ identifier, scopes }) =>
        `{ scheme: security.${identifier}, scopes: ${literal([...scopes])} }`,
    );
    return `[${texts.join(", ")}]`;
  });
  return [`security: [${alternatives.join(", ")}]`];
}

function extensionsText({ extensions }: Operation): string[] {
  return Object.keys(extensions).length === 0 ? [] : [`extensions: ${literal(extensions)}`];
}

function querystringText({ querystring }: Operation, scope: Scope): string[] {
  if (querystring === undefined) return [];
  const { required, mediaType, fields, schema } = querystring;
  const parts = [
    `required: ${String(required)}`,
    `mediaType: ${literal(mediaType)}`,
    // kinds are plain data
    ...(fields === undefined ? [] : [`fields: ${typedLiteral(fields)}`]),
    `schema: ${schema === undefined ? "z.unknown()" : printSchema(schema, scope)}`,
  ];
  return [`querystring: { ${parts.join(", ")} }`];
}

function jsonEventsText({ responses }: Operation): string[] {
  const keys = responses.flatMap(({ key, content }) =>
    content.some(({ items }) => items?.format === "events" && items.isJson) ? [key] : [],
  );
  return keys.length === 0 ? [] : [`jsonEvents: ${literal(keys)}`];
}

function parameterText(parameter: Parameter): string {
  return parameter.shared === undefined
    ? `{ ${planFields(parameter)} }`
    : `parameters.${parameter.shared}`;
}

function routeObject(operation: Operation, scope: Scope): string {
  const fields = [
    `method: ${methodText(operation)}`,
    `path: ${literal(operation.path)}`,
    ...fieldsOf(operation.node, ["tags"]),
    `operationId: ${literal(operation.operationId)}`,
    ...summaryOf(operation),
    ...fieldsOf(operation.node, ["deprecated", "x-default-statuses"]).map((field) =>
      field.replace(/^x-default-statuses/, '"x-default-statuses"'),
    ),
  ];
  const request = requestFields(operation, scope);
  if (request.length > 0) fields.push(`request: {\n${request.join(",\n")},\n}`);
  const responses = operation.responses.map(
    (response) => `${propertyKey(response.key)}: ${responseText(response, scope)}`,
  );
  fields.push(`responses: {\n${responses.join(",\n")}\n}`);
  return `{\n${fields.join(",\n")},\n}`;
}

function methodText({ method }: Operation): string {
  const name = method.toLowerCase();
  return methods.some((one) => one === name) ? literal(name) : `methods.other(${literal(method)})`;
}

function summaryOf(operation: Operation): string[] {
  const text = operation.summary ?? firstSentence(textOf(operation.node["description"]));
  return text === undefined ? [] : [`summary: ${literal(text)}`];
}

function requestFields(operation: Operation, scope: Scope): string[] {
  const fields: string[] = [];
  for (const [location, , key] of parts) {
    const here = operation.parameters.filter((parameter) => parameter.in === location);
    if (here.length === 0) continue;
    const values = here.map(({ name, required, schema, shared }) => ({
      name,
      required,
      schema: shared === undefined ? printSchema(schema, scope) : `parameters.${shared}.schema`,
    }));
    fields.push(`${key}: ${namedText(values)}`);
  }
  const body = operation.body;
  if (body !== undefined) {
    fields.push(
      `body: { required: ${String(body.required)}, content: ${contentText(body.content, scope)} }`,
    );
  }
  return fields;
}
