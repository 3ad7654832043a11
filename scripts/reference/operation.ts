// One operation of the reference: what it does and needs, its fields, its answers, and examples.

import { nodeOf, textOf } from "./contract.ts";
import type { Answer, Body, Example, Node, Operation } from "./contract.ts";
import { examplesOf } from "./examples.ts";
import { boundWords, field, fieldList, shapeOf, typeWords } from "./fields.ts";
import { codeGroup, inCode, line, prose } from "./markdown.ts";

/** They are the same for all of them. */
const signatureHeaders = ["X-Api-Key", "X-Signature", "X-Timestamp", "X-Nonce"];
/** Of every answer, told once on the page of all operations. */
const commonHeaders = new Set([
  "X-Request-Id",
  "Cache-Control",
  "Vary",
  "RateLimit-Policy",
  "RateLimit",
  "Idempotent-Replayed",
]);

/** Paragraphs and blocks, for `join("\n\n")`. */
export function operationSection(root: Node, operation: Operation): readonly string[] {
  const { summary, method, path, id, description, parameters, body, answers } = operation;
  const successes = answers.filter(({ codes }) => codes.length === 0);
  const errors = answers.filter(({ codes }) => codes.length > 0);
  return [
    `## ${summary}`,
    `${inCode(`${method} ${path}`)} – operation ${inCode(id)}`,
    prose(description).trim(),
    needs(operation).join("\n"),
    ...codeGroup(examplesOf(id)),
    ...parameterList(root, parameters),
    ...(body === undefined ? [] : bodyParts(root, body)),
    ...successes.flatMap((answer) => successParts(root, answer)),
    "### Errors",
    errors.map(errorLine).join("\n"),
  ];
}

function needs({ scope, ratePolicy, events, parameters }: Operation): readonly string[] {
  const linked = events.map(
    (event) => `[${inCode(event)}](events.md#${event.replaceAll(".", "")})`,
  );
  const hasKey = parameters.find((one) => one["name"] === "Idempotency-Key");
  return [
    ...(scope === undefined ? [] : [`- **Scope** of the key: ${inCode(scope)}`]),
    ...(ratePolicy === undefined ? [] : [`- **Rate limit**: bucket ${inCode(ratePolicy)}`]),
    ...(hasKey === undefined
      ? []
      : [
          `- **${inCode("Idempotency-Key")}**: ${hasKey["required"] === true ? "required" : "optional"}`,
        ]),
    `- **Events**: ${linked.length === 0 ? "none" : linked.join(", ")}`,
  ];
}

function parameterList(root: Node, parameters: readonly Node[]): readonly string[] {
  const own = parameters.filter((one) => !signatureHeaders.includes(textOf(one["name"])));
  const list = own.map((one) => parameterLine(root, one));
  const isSigned = own.length < parameters.length;
  const headers = signatureHeaders.map(inCode).join(", ");
  const note = `Besides, the headers of the [signature](../signing.md): ${headers}.`;
  if (list.length === 0) return isSigned ? ["### Parameters", note] : [];
  return ["### Parameters", list.join("\n"), ...(isSigned ? [note] : [])];
}

export function parameterLine(root: Node, parameter: Node): string {
  const schema = nodeOf(parameter["schema"]);
  const { node } = shapeOf(root, schema);
  const must = parameter["required"] === true ? "required" : "optional";
  const place = textOf(parameter["in"]);
  const words = [place, typeWords(root, schema), must, ...boundWords(root, node)].join(", ");
  const told = line(textOf(parameter["description"] ?? node["description"]));
  return `- ${inCode(textOf(parameter["name"]))} (${words})${told && `: ${told}`}`;
}

function bodyParts(
  root: Node,
  { description, schema, isRequired, examples }: Body,
): readonly string[] {
  return [
    "### Body",
    `${isRequired ? "" : "Optional. "}${line(description)}`,
    fieldList(root, schema).join("\n"),
    ...jsonTabs(examples),
  ];
}

function successParts(root: Node, answer: Answer): readonly string[] {
  const { status, description, schema, examples } = answer;
  const headers = answer.headers
    .filter(([name]) => !commonHeaders.has(name))
    .map(
      ([name, header]) =>
        `- header ${field(root, headerSchema(header), { name, isRequired: undefined, indent: "" })[0]?.slice(2)}`,
    );
  const list = schema === undefined ? [] : fieldList(root, schema);
  const all = [...headers, ...list];
  return [
    `### Answer ${status}`,
    line(description),
    ...(all.length === 0 ? [] : [all.join("\n")]),
    ...jsonTabs(examples),
  ];
}

/** With what is said of the header, which counts more than what is said of its values. */
function headerSchema(header: Node): Node {
  const { description } = header;
  return { ...nodeOf(header["schema"]), ...(description === undefined ? {} : { description }) };
}

export function jsonTabs(examples: readonly Example[]): readonly string[] {
  return codeGroup(
    examples
      .filter(({ value }) => value !== undefined)
      .map(({ title, value }) => ({ fence: "json", title, code: JSON.stringify(value, null, 2) })),
  );
}

/** Codes that the description does not name stand behind it. */
function errorLine({ status, description, codes }: Answer): string {
  const linked = (code: string) => `[${inCode(code)}](../errors.md#${code})`;
  const named = new Set<string>();
  const told = line(description).replaceAll(/(?<!\[)`([a-z0-9_]+)`/g, (found, code: string) => {
    if (!codes.includes(code)) return found;
    named.add(code);
    return linked(code);
  });
  const others = codes.filter((code) => !named.has(code)).map(linked);
  return `- **${status}**: ${told}${others.length === 0 ? "" : ` ${others.join(", ")}.`}`;
}
