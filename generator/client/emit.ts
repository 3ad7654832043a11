// client/: a client of the contract. For each tag the types of its operations and how they are sent, and one function
// that makes all of them.

import type { FileWriter, GeneratedFile, ImportPlan } from "../emit/file.ts";
import { docComment, propertyKey } from "../emit/literals.ts";
import { copiedFiles } from "../emit/runtime-files.ts";
import { documented, interfaceOf, typeAlias } from "../emit/statements.ts";
import { textOf } from "../json.ts";
import type { Group, Model, Operation } from "../model/model.ts";
import { answerUnion } from "./answers.ts";
import { argumentsType } from "./arguments.ts";
import { type Added, idempotencyKey } from "./names.ts";
import { pagingOf } from "./paging.ts";
import { planText } from "./plans.ts";
import { ClientTypes } from "./typed.ts";
import type { ClientWish, Writing } from "./writing.ts";

const runtimeFolder = new URL("./runtime/", import.meta.url);

export function emitClient(model: Model, writer: FileWriter, wish: ClientWish): GeneratedFile[] {
  const types = new ClientTypes(model);
  const writing = (operation: Operation): Writing => ({
    operation,
    model,
    typed: types.of(operation),
    added: addedTo(operation, model, wish),
  });
  return [
    ...model.groups.map((group) =>
      writer.write(
        `client/operations/${group.file}.ts`,
        imports,
        groupStatements(group, group.operations.map(writing)),
      ),
    ),
    emitAll(model, writer),
    ...copiedFiles(runtimeFolder, "client/runtime", writer),
  ];
}

const imports: readonly ImportPlan[] = [
  { module: "../../runtime/statuses.ts", namespace: "statuses", typeOnly: true },
  { module: "../runtime/answers.ts", namespace: "answers", typeOnly: true },
  { module: "../runtime/calls.ts", namespace: "calls" },
  { module: "../runtime/request.ts", namespace: "request", typeOnly: true },
  { module: "../../types.ts", namespace: "types", typeOnly: true },
];

/** A header that is a credential is nobody's argument: `headers` of the client has it, or its `fetch`. */
function addedTo({ security = [] }: Operation, model: Model, { addedHeaders }: ClientWish): Added {
  const schemes = new Map(model.securitySchemes.map((one) => [one.identifier, one.scheme]));
  const credentials = security.flat().flatMap(({ identifier }) => {
    const scheme = schemes.get(identifier);
    return scheme?.type === "apiKey" && scheme.in === "header" ? [scheme.parameter] : [];
  });
  return new Set([...credentials, ...addedHeaders].map((name) => name.toLowerCase()));
}

function groupStatements(group: Group, writings: readonly Writing[]): string[] {
  const name = operationsName(group);
  const members = writings.map((writing) => {
    const { operation } = writing;
    return {
      doc: docComment(operationDoc(operation)),
      key: propertyKey(operation.identifier),
      type: callType(writing),
    };
  });
  const calls = writings.map((writing) => {
    const { operation } = writing;
    const paging = pagingOf(writing);
    const words = [`sender`, planText(writing), ...(paging === undefined ? [] : [paging.plan])];
    const made = paging === undefined ? "calls.call" : "calls.pagedCall";
    return `${propertyKey(operation.identifier)}: ${made}(${words.join(", ")})`;
  });
  return [
    ...writings.flatMap((writing) => operationTypes(writing)),
    documented(docComment(`The operations of "${group.tag}".`), interfaceOf(name, members)),
    documented(
      docComment("How they are sent."),
      `export function ${makerName(group)}(sender: calls.Sender): ${name} {\nreturn {\n${calls.join(",\n")},\n};\n}`,
    ),
  ];
}

function operationTypes(writing: Writing): string[] {
  const { operation } = writing;
  const title = `${operation.method} ${operation.writtenPath}`;
  return [
    documented(
      docComment(`${title}: what a call is given`),
      typeAlias(`${operation.typeName}Arguments`, argumentsType(writing)),
    ),
    documented(
      docComment(`${title}: every documented answer`),
      typeAlias(`${operation.typeName}Answer`, answerUnion(writing)),
    ),
  ];
}

function callType(writing: Writing): string {
  const { operation } = writing;
  const { typeName } = operation;
  const paging = pagingOf(writing);
  const isKeyed = operation.parameters.some(
    ({ in: place, name }) => place === "header" && name.toLowerCase() === idempotencyKey,
  );
  const words = [
    `${typeName}Arguments`,
    `${typeName}Answer`,
    ...(paging === undefined ? [] : [paging.item]),
    ...(isKeyed ? ["calls.KeyedOptions"] : []),
  ];
  return `calls.${paging === undefined ? "Call" : "PagedCall"}<${words.join(", ")}>`;
}

function operationDoc({ method, writtenPath, summary, node, deprecated }: Operation): string {
  const texts = [summary, textOf(node["description"])?.trim(), `${method} ${writtenPath}`];
  const said = texts.filter((text) => text !== undefined && text !== "").join("\n\n");
  return deprecated ? `${said}\n\n@deprecated` : said;
}

function operationsName({ identifier }: Group): string {
  return `${identifier.slice(0, 1).toUpperCase()}${identifier.slice(1)}Operations`;
}

function makerName({ identifier }: Group): string {
  return `${identifier}Operations`;
}

function emitAll(model: Model, writer: FileWriter): GeneratedFile {
  const groups = model.groups.map((group) => ({
    ...group,
    module: `./operations/${group.file}.ts`,
    alias: `${group.identifier}Group`,
  }));
  const moduleImports = groups.map(({ module, alias }) => ({ module, namespace: alias }));
  const server = textOf(serverOf(model));
  const statements = [
    ...groups.map(({ module }) => `export type * from ${JSON.stringify(module)};`),
    'export type * as types from "../types.ts";',
    'export type * from "./runtime/answers.ts";',
    'export type * from "./runtime/calls.ts";',
    'export { NoResponseError, ResponseError, UnexpectedResponseError } from "./runtime/answers.ts";',
    documented(
      docComment(
        `A client of ${model.title === "" ? "the contract" : model.title}: its operations by subject.`,
      ),
      interfaceOf(
        "Client",
        groups.map((group) => ({
          doc: "",
          key: propertyKey(group.identifier),
          type: `${group.alias}.${operationsName(group)}`,
        })),
      ),
    ),
    documented(
      docComment(
        `${server === undefined ? "" : `The contract's own server is ${server}.\n\n`}@throws {TypeError} \`baseUrl\` is no URL`,
      ),
      `export function createClient(options: calls.ClientOptions): Client {
${groups.length === 0 ? "" : "const sender = "}calls.senderOf(options);
return {
${groups.map((group) => `${propertyKey(group.identifier)}: ${group.alias}.${makerName(group)}(sender),`).join("\n")}
};
}`,
    ),
  ];
  return writer.write(
    "client/client.ts",
    [{ module: "./runtime/calls.ts", namespace: "calls" }, ...moduleImports],
    statements,
  );
}

function serverOf({ document }: Model) {
  const [server] = Array.isArray(document["servers"]) ? document["servers"] : [];
  return typeof server === "object" && server !== null && !Array.isArray(server)
    ? server["url"]
    : undefined;
}
