// The contract as the reference reads it: references followed, and what is said of an operation in one place.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export type Node = Readonly<Record<string, unknown>>;

export interface Example {
  readonly title: string;
  readonly value: unknown;
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  /** names and descriptions */
  readonly headers: readonly (readonly [string, Node])[];
  /** undefined: it has no body */
  readonly schema: Node | undefined;
  readonly examples: readonly Example[];
  /** each `code` that it can carry; none: it is a success */
  readonly codes: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: string | undefined;
  readonly ratePolicy: string | undefined;
  readonly events: readonly string[];
  readonly parameters: readonly Node[];
  readonly body: Body | undefined;
  readonly answers: readonly Answer[];
}

export interface Body {
  readonly description: string;
  readonly isRequired: boolean;
  readonly schema: Node;
  readonly examples: readonly Example[];
}

export interface Subject {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface Contract {
  readonly root: Node;
  readonly subjects: readonly Subject[];
  /** the operation that the service sends, and the merchant receives */
  readonly webhook: Operation;
}

const methods = ["get", "put", "post", "delete", "patch"];

/** Throws where the document is not there or is no YAML; that it is a right one, the generator says. */
export function readContract(
  path = join(import.meta.dirname, "..", "..", "spec", "openapi.yaml"),
): Contract {
  const root = nodeOf(parse(readFileSync(path, "utf8")));
  const operations = Object.entries(nodeOf(root["paths"])).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const node = nodeOf(item)[method];
      return node === undefined
        ? []
        : [{ tag: tagOf(node), one: read(root, node, { method, path }) }];
    }),
  );
  const subjects = listOf(root["tags"]).map((tag): Subject => {
    const name = textOf(tag["name"]);
    const own = operations.filter((operation) => operation.tag === name).map(({ one }) => one);
    return { name, description: textOf(tag["description"]), operations: own };
  });
  const [event] = Object.values(nodeOf(root["webhooks"]));
  return {
    root,
    subjects,
    webhook: read(root, nodeOf(event)["post"], { method: "post", path: "" }),
  };
}

function tagOf(operation: unknown): unknown {
  const { tags } = nodeOf(operation);
  return Array.isArray(tags) ? tags[0] : undefined;
}

function read(
  root: Node,
  value: unknown,
  { method, path }: { readonly method: string; readonly path: string },
): Operation {
  const node = nodeOf(value);
  const text = (name: string) => (node[name] === undefined ? undefined : textOf(node[name]));
  return {
    id: textOf(node["operationId"]),
    method: method.toUpperCase(),
    path,
    summary: textOf(node["summary"]),
    description: textOf(node["description"]),
    scope: text("x-required-scope"),
    ratePolicy: text("x-rate-limit-policy"),
    events: textsOf(node["x-emitted-events"]),
    parameters: listOf(node["parameters"]).map((one) => resolved(root, one)),
    body: node["requestBody"] === undefined ? undefined : readBody(root, node["requestBody"]),
    answers: readAnswers(root, node),
  };
}

function readBody(root: Node, value: unknown): Body {
  const node = resolved(root, nodeOf(value));
  const { schema, examples } = readContent(root, node);
  return {
    description: textOf(node["description"]),
    isRequired: node["required"] === true,
    schema: schema ?? {},
    examples,
  };
}

/** Each status that `default` stands for has a response of its own beside it. */
function readAnswers(root: Node, operation: Node): readonly Answer[] {
  const { default: _, ...named } = nodeOf(operation["responses"]);
  const all = Object.entries({ ...named, ...nodeOf(operation["x-default-responses"]) });
  return all
    .map(([status, value]): Answer => {
      const node = resolved(root, nodeOf(value));
      const headers = Object.entries(nodeOf(node["headers"])).map(
        ([name, header]) => [name, resolved(root, nodeOf(header))] as const,
      );
      const description = textOf(node["description"]);
      const codes = textsOf(node["x-error-codes"]);
      return { status, description, headers, codes, ...readContent(root, node) };
    })
    .toSorted((one, other) => (one.status < other.status ? -1 : 1));
}

function readContent(root: Node, node: Node): Pick<Answer, "schema" | "examples"> {
  const content = nodeOf(nodeOf(node["content"])["application/json"]);
  const schema = content["schema"] === undefined ? undefined : nodeOf(content["schema"]);
  const examples = Object.entries(nodeOf(content["examples"])).map(([name, value]): Example => {
    const one = resolved(root, nodeOf(value));
    return {
      title: one["summary"] === undefined ? name : textOf(one["summary"]),
      value: one["value"],
    };
  });
  return { schema, examples };
}

/** What a reference leads to, under what stands beside the reference (JSON Schema 2020-12, section 8.2.3.1). */
export function resolved(root: Node, node: Node): Node {
  const { $ref: reference, ...beside } = node;
  if (typeof reference !== "string") return node;
  const steps = reference.split("/").slice(1);
  const target = steps.reduce((found, step) => nodeOf(found[step]), root);
  return { ...resolved(root, target), ...beside };
}

export function nodeOf(value: unknown): Node {
  const isNode = typeof value === "object" && value !== null && !Array.isArray(value);
  return isNode ? (value as Node) : {}; // its members are looked at before they are used
}

export function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.map(nodeOf) : [];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Of a text, a number or a truth value; empty where there is none. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
