// Builds the model from a normalised document, and reports what only shows when references have
// been followed: clashing names, parameters that do not agree with their path, ambiguous paths.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put, textOf } from "../json.ts";
import { componentName, follow, schemasOf } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import { operationsOf } from "../read/operations.ts";
import { mounted } from "./base-paths.ts";
import { buildBody } from "./bodies.ts";
import type {
  Group,
  Model,
  NamedSchema,
  NamedScheme,
  Operation,
  Parameter,
  Querystring,
  SharedParameter,
} from "./model.ts";
import {
  camelCase,
  derivedOperationId,
  identifier,
  kebabCase,
  Names,
  pascalCase,
} from "./names.ts";
import { checkAmbiguousPaths, checkPathText, hasName } from "./paths.ts";
import { buildParameter, checkPathParameters } from "./parameters.ts";
import { buildQuerystring, checkExclusiveQuery, isQuerystring } from "./querystring.ts";
import { namedSchemes, plainExtensions, requirementsOf } from "./security.ts";
import { buildResponses, type SharedAnswers, sharedAnswers } from "./responses.ts";

interface Building {
  readonly report: Report;
  /** the types of the contract speak of files */
  readonly hasFiles: boolean;
  /** of all operations */
  readonly basePath: string | undefined;
}

export function buildModel(document: JsonObject, { report, hasFiles, basePath }: Building): Model {
  const shared = sharedParameters(document, report);
  const answers = sharedAnswers(document, report);
  const schemes = namedSchemes(document);
  const written = buildOperations({ document, shared, answers, schemes, report });
  const operations = mounted(written, { document, basePath, report });
  const info = isObject(document["info"]) ? document["info"] : {};
  return {
    document,
    title: textOf(info["title"]) ?? "",
    schemas: namedSchemas(document, hasFiles ? [...namesInTypes, "File"] : namesInTypes),
    parameters: [...shared.values()],
    headers: [...answers.headers.values()],
    responses: [...answers.responses.values()],
    securitySchemes: [...schemes.values()],
    groups: groupsOf(operations),
    operations,
  };
}

/** What the file of types declares or takes from the language; a component of that name gets a number. */
const namesInTypes = `paths webhooks components operations $defs WithRequired Record Omit Extract
  NonNullable ReadonlyArray Blob`.split(/\s+/);

function namedSchemas(document: JsonObject, taken: readonly string[]): NamedSchema[] {
  const names = new Names();
  for (const name of taken) names.assign(name);
  return Object.entries(schemasOf(document)).map(([name, schema]) => ({
    name,
    identifier: names.assign(identifier(name)),
    schema,
  }));
}

/** By the node itself, so that a reference finds it however it is written. */
type Shared = ReadonlyMap<JsonObject, SharedParameter>;

function sharedParameters(document: JsonObject, report: Report): Shared {
  const components = isObject(document["components"]) ? document["components"] : {};
  const names = new Names();
  const found = new Map<JsonObject, SharedParameter>();
  for (const [name, value] of entriesOf(components["parameters"])) {
    const node = follow(document, value);
    if (node === undefined || found.has(node)) continue;
    const parameter = buildParameter({ document, node, shared: undefined, report });
    if (parameter === undefined) continue;
    const assigned = names.assign(identifier(name));
    found.set(node, { identifier: assigned, parameter: { ...parameter, shared: assigned } });
  }
  return found;
}

interface OperationSources {
  readonly document: JsonObject;
  readonly shared: Shared;
  readonly answers: SharedAnswers;
  readonly schemes: ReadonlyMap<string, NamedScheme>;
  readonly report: Report;
}

function buildOperations({
  document,
  shared,
  answers,
  schemes,
  report,
}: OperationSources): Operation[] {
  const identifiers = new Names();
  const typeNames = new Names();
  const seen = new Map<string, JsonObject>();
  const operations: Operation[] = [];
  checkAmbiguousPaths(document, report);
  for (const [path, value] of entriesOf(document["paths"])) {
    const item = follow(document, value);
    if (item === undefined || path.startsWith("x-")) continue;
    checkPathText(document["paths"] as JsonObject, path, report);
    for (const { method, operation: node } of operationsOf(item)) {
      const operationId = operationIdOf({ node, method, path, seen, report });
      const sources = { document, item, node, shared, report };
      const { listed, areWhole, querystring } = operationParameters(sources);
      const unnamed = checkPathParameters({ path, node, parameters: listed, areWhole, report });
      const added = unnamed.flatMap((name) => anyText({ document, node, name, report }));
      const parameters = [...listed, ...added].filter(
        (one) => one.in !== "path" || hasName(path, one.name),
      );
      operations.push({
        operationId,
        identifier: identifiers.assign(identifier(operationId)),
        typeName: typeNames.assign(identifier(pascalCase(operationId))),
        method,
        path,
        writtenPath: path,
        tag: textOf(itemsOf(node["tags"])[0]) ?? "default",
        summary: textOf(node["summary"]),
        deprecated: node["deprecated"] === true,
        parameters,
        querystring,
        body: buildBody(document, node, report),
        responses: buildResponses({ document, operation: node, shared: answers, report }),
        security: requirementsOf(document, node, schemes),
        extensions: plainExtensions(node),
        node,
      });
    }
  }
  return operations;
}

interface IdCheck {
  readonly node: JsonObject;
  readonly method: string;
  readonly path: string;
  readonly seen: Map<string, JsonObject>;
  readonly report: Report;
}

function operationIdOf({ node, method, path, seen, report }: IdCheck): string {
  const written = textOf(node["operationId"]);
  const operationId = written ?? freeOperationId({ method, path, seen });
  if (written === undefined) {
    report.warning(
      "OAG610",
      [node],
      ["the operation has no operationId", `add "operationId: ${operationId}", the name used here`],
    );
  }
  const earlier = seen.get(operationId);
  if (earlier === undefined) {
    seen.set(operationId, node);
    return operationId;
  }
  const { line, file } = report.origins.place(earlier);
  report.error(
    "OAG611",
    [node, "operationId"],
    [
      `the operationId "${operationId}" is taken by the operation at ${file}:${line ?? 1}`,
      "give each operation a name of its own",
    ],
  );
  const other = freeOperationId({ method, path, seen });
  seen.set(other, node);
  return other;
}

function freeOperationId({
  method,
  path,
  seen,
}: Pick<IdCheck, "method" | "path" | "seen">): string {
  const wanted = derivedOperationId(method, path);
  let name = wanted;
  for (let number = 2; seen.has(name); number += 1) name = `${wanted}_${number}`;
  return name;
}

interface ParameterSources {
  readonly document: JsonObject;
  readonly item: JsonObject;
  readonly node: JsonObject;
  readonly shared: Shared;
  readonly report: Report;
}

interface OperationParameters {
  readonly listed: Parameter[];
  /** false when one of them is broken, which has been reported */
  readonly areWhole: boolean;
  readonly querystring: Querystring | undefined;
}

/** Those of the path item first, each replaced by the operation's own of the same name and place. */
function operationParameters({
  document,
  item,
  node,
  shared,
  report,
}: ParameterSources): OperationParameters {
  const found = new Map<string, Parameter>();
  const querystrings = new Map<string, Querystring>();
  let areWhole = true;
  for (const owner of [item, node]) {
    const list = owner["parameters"];
    const here = new Set<string>();
    for (const [index, value] of itemsOf(list).entries()) {
      const target = follow(document, value);
      if (!Array.isArray(list)) continue;
      areWhole &&= target?.["name"] !== undefined && target["in"] !== undefined;
      if (target === undefined) continue;
      if (isQuerystring(target)) {
        const whole = buildQuerystring({ document, node: target, report });
        if (whole !== undefined) querystrings.set(whole.name, whole);
        continue;
      }
      const parameter =
        shared.get(target)?.parameter ??
        buildParameter({ document, node: target, shared: undefined, report });
      if (parameter === undefined) continue;
      // header names are the same in any case (RFC 9110 section 5.1)
      const name = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name;
      const key = `${parameter.in} ${name}`;
      if (here.has(key)) {
        report.error(
          "OAG508",
          [list, index],
          [
            `the ${parameter.in} parameter "${parameter.name}" is listed twice`,
            "remove one of the two",
          ],
        );
        continue;
      }
      here.add(key);
      found.set(key, parameter);
    }
  }
  const listed = [...found.values()];
  const hasQuery = listed.some((one) => one.in === "query");
  const wholes = [...querystrings.values()];
  checkExclusiveQuery({ operation: node, querystrings: wholes, hasQuery, report });
  return { listed, areWhole, querystring: wholes[0] };
}

/** A parameter of the path that nobody has described, where that is allowed. */
function anyText({
  document,
  node,
  name,
  report,
}: Omit<ParameterSources, "item" | "shared"> & { readonly name: string }): Parameter[] {
  if (!report.allows("OAG607")) return [];
  const written = { name, in: "path", required: true, schema: { type: "string" } };
  const made = report.origins.copy<JsonObject>(node, written);
  put(node, "parameters", [...itemsOf(node["parameters"]), made]);
  const parameter = buildParameter({ document, node: made, shared: undefined, report });
  return parameter === undefined ? [] : [parameter];
}

function groupsOf(operations: readonly Operation[]): Group[] {
  const files = new Names({ ignoreCase: true });
  files.assign("handlers"); // where hand-written handlers come together, and what they are
  const identifiers = new Names();
  identifiers.assign("handlers");
  const byTag = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = byTag.get(operation.tag);
    if (group === undefined) byTag.set(operation.tag, [operation]);
    else group.push(operation);
  }
  return [...byTag].map(([tag, group]) => ({
    tag,
    file: files.assign(kebabCase(tag)),
    identifier: identifiers.assign(identifier(camelCase(tag))),
    operations: group,
  }));
}

const annotations = new Set([
  "$ref",
  "summary",
  "description",
  "title",
  "example",
  "examples",
  "deprecated",
  "default",
  "readOnly",
  "writeOnly",
  "$comment",
  "$schema",
  "externalDocs",
]);

/** The component a schema refers to and nothing else (a description beside it changes nothing). */
export function plainReference(schema: Json | undefined): string | undefined {
  if (!isObject(schema) || typeof schema["$ref"] !== "string") return undefined;
  const plain = Object.keys(schema).every((name) => annotations.has(name) || name.startsWith("x-"));
  return plain ? componentName(schema["$ref"]) : undefined;
}
