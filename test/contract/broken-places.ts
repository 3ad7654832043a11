// One request for each keyword of each place of each operation, broken there and nowhere else.

import {
  operations,
  type Operation,
  type ParameterPlace,
  textOf,
} from "../support/contract-document.ts";
import {
  exampleOf,
  validRequest,
  withHeader,
  withoutHeader,
} from "../support/contract-requests.ts";
import type { ContractRequest } from "../support/contract-requests.ts";
import type { Finding } from "../support/contract-schemas.ts";
import { brokenValues, completeValues } from "../support/contract-values.ts";

export interface BrokenPlace {
  /** unique: operation, part, pointer, rule, bound */
  readonly name: string;
  readonly operation: Operation;
  readonly in: string;
  /** what the answer has to list */
  readonly expected: Finding;
  /** what the document says of the rule, for those who review a change of it */
  readonly bound: string;
  /** everything that Ajv finds in this part of the request, the expected among it */
  readonly findings: readonly Finding[];
  readonly request: ContractRequest;
}

type Part = Omit<BrokenPlace, "name" | "operation">;

export function listBrokenPlaces(): readonly BrokenPlace[] {
  return operations.flatMap((operation) => {
    const parts = [
      ...operation.parameters.flatMap((one) => brokenParameter(operation, one)),
      unknownParameter(operation),
      ...brokenBodies(operation),
    ];
    const seen = new Map<string, number>();
    return parts.map((part) => {
      const { pointer, rule } = part.expected;
      const said = part.bound === "" ? rule : `${rule} ${part.bound}`;
      const name = `${operation.operationId}: ${part.in} ${pointer} ${said}`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      return { ...part, operation, name: count === 1 ? name : `${name} (${count})` };
    });
  });
}

function brokenBodies(operation: Operation): readonly Part[] {
  const { body } = operation;
  if (body === undefined) return [];
  const schema = `${body.pointer}/schema`;
  const parts = completeValues(schema).flatMap((whole) => brokenValues(schema, whole));
  const byPlace = new Map(parts.toReversed().map((one) => [one.place, one]));
  return [...byPlace.values()].toReversed().map(({ rule, bound, pointer, value, findings }) => ({
    in: "body",
    expected: { rule, pointer },
    bound,
    findings,
    request: validRequest(operation, { body: value }),
  }));
}

function brokenParameter(operation: Operation, parameter: ParameterPlace): readonly Part[] {
  const { name, required } = parameter;
  const request = validRequest(operation);
  const place = parameter.in;
  const pointer = `/${name}`;
  const parts = brokenTexts(parameter).map(({ rule, bound, text, findings }): Part => {
    const expected = { pointer, rule };
    return { in: place, expected, bound, findings, request: withText(request, parameter, text) };
  });
  if (place === "header" && required) {
    const expected = { pointer, rule: "required" };
    parts.push({
      in: place,
      expected,
      bound: "",
      findings: [expected],
      request: withoutHeader(request, name),
    });
  }
  if (place === "query") {
    const query = [exampleOf(parameter), exampleOf(parameter)].map(
      (one) => `${name}=${textOf(one)}`,
    );
    const expected = { pointer, rule: "repeated" };
    const twice = validRequest(operation, { query: query.join("&") });
    parts.push({ in: place, expected, bound: "", findings: [expected], request: twice });
  }
  return parts;
}

function withText(
  request: ContractRequest,
  parameter: ParameterPlace,
  text: string,
): ContractRequest {
  const { name } = parameter;
  if (parameter.in === "header") return withHeader(request, name, text);
  if (parameter.in === "path") return { ...request, path: { ...request.path, [name]: text } };
  return { ...request, query: `${name}=${encodeURIComponent(text)}` };
}

/** Texts that stand for no integer (RFC 8259 section 6 has none of these forms). */
const notIntegers = ["ten", "", " 5", "0x10", "1e1", "+5", "05", "true", "٥"];

interface BrokenText {
  readonly rule: string;
  readonly bound: string;
  readonly text: string;
  readonly findings: readonly Finding[];
}

function brokenTexts(parameter: ParameterPlace): readonly BrokenText[] {
  const example = exampleOf(parameter);
  const pointer = `/${parameter.name}`;
  const isNumber = typeof example === "number";
  const texts = brokenValues(`${parameter.pointer}/schema`, example)
    // every text is a text, and there is no path with an empty segment
    .filter(({ rule, value }) => rule !== "type" && !(parameter.in === "path" && value === ""))
    .map(({ rule, bound, value, findings }): BrokenText => {
      return {
        rule,
        bound,
        text: textOf(value),
        findings: findings.map((one) => ({ ...one, pointer })),
      };
    });
  const finding = { pointer, rule: "type" };
  const forms = isNumber
    ? notIntegers.map((text) => ({ rule: "type", bound: "integer", text, findings: [finding] }))
    : [];
  return [...texts, ...forms];
}

function unknownParameter(operation: Operation): Part {
  const expected = { pointer: "/undeclared", rule: "unknown" };
  const request = validRequest(operation, { query: "undeclared=1" });
  return { in: "query", expected, bound: "", findings: [expected], request };
}

/** Which code a part has, and which comes first, as the document describes it. */
export function codeOfBroken({
  in: part,
  pointer,
  rule,
}: Finding & { readonly in: string }): string {
  if (part === "header") return rule === "required" ? "missing_header" : "invalid_header";
  if (rule === "unknown") return "unknown_parameter";
  if (part === "query" && pointer === "/limit") return "invalid_limit";
  if (part === "query" && pointer === "/cursor") return "invalid_cursor";
  return "invalid_request";
}
