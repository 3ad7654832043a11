// Which operations answer a code, and with which status, as the contract says it.

import { documentText } from "../../generated/document.ts";
import { statusByCode } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";

export interface Where {
  readonly status: number;
  /** `POST /v1/payments`, in the contract's order */
  readonly operations: readonly string[];
  /** also, or only, for what belongs to no operation */
  readonly isOutside: boolean;
}

export interface CodePlaces {
  readonly byCode: ReadonlyMap<string, Where>;
  /** all that there are */
  readonly operations: readonly string[];
}

type Node = Readonly<Record<string, unknown>>;

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

/** Of the contract that this service was made from. */
export function readCodePlaces(): CodePlaces {
  const root = nodeOf(JSON.parse(documentText));
  const operations = Object.entries(nodeOf(root["paths"])).flatMap(([path, item]) =>
    Object.entries(nodeOf(item))
      .filter(([method]) => methods.has(method))
      .map(([method, node]) => ({
        name: `${method.toUpperCase()} ${path}`,
        codes: codesOf(root, responsesOf(nodeOf(node))),
      })),
  );
  const outside = codesOf(root, Object.values(nodeOf(root["x-server-responses"])));
  const all = new Set([...operations.flatMap(({ codes }) => [...codes]), ...outside]);
  const places = Array.from(all, (code): [string, Where] => {
    const named = operations.filter(({ codes }) => codes.has(code)).map(({ name }) => name);
    const status = statusByCode[code as ErrorCode]; // the contract's codes are ours, which a test holds
    return [code, { status, operations: named, isOutside: outside.has(code) }];
  });
  return { byCode: new Map(places), operations: operations.map(({ name }) => name) };
}

/** Each status that `default` stands for has a response of its own beside it. */
function responsesOf(operation: Node): readonly unknown[] {
  const { default: _, ...named } = nodeOf(operation["responses"]);
  return [...Object.values(named), ...Object.values(nodeOf(operation["x-default-responses"]))];
}

function codesOf(root: Node, responses: readonly unknown[]): ReadonlySet<string> {
  const codes = responses.flatMap((one) => resolved(root, nodeOf(one))["x-error-codes"] ?? []);
  return new Set(codes.map(String));
}

function resolved(root: Node, node: Node): Node {
  const reference = node["$ref"];
  if (typeof reference !== "string") return node;
  const steps = reference.split("/").slice(1);
  return steps.reduce((found, step) => nodeOf(found[step]), root);
}

function nodeOf(value: unknown): Node {
  const isNode = typeof value === "object" && value !== null;
  return isNode ? (value as Node) : {}; // its members are looked at before they are used
}
