// The examples of the document are what people copy: each fits its schema, and none is missing.

import { describe, expect, test } from "vitest";
import {
  below,
  examplesOf,
  isObject,
  type Json,
  listAt,
  members,
  type Operation,
  operations,
  type Place,
  placeAt,
} from "../support/contract-document.ts";
import { judgeAnswerAt, judgeAt } from "../support/contract-schemas.ts";

interface Example {
  readonly name: string;
  readonly value: Json;
  /** JSON Pointer of the schema */
  readonly schema: string;
  readonly isAnswer: boolean;
}

const components = placeAt("/components");

function shownBy(operation: Operation): readonly Example[] {
  const { operationId, body, responses } = operation;
  const found: Example[] = [];
  const add = (name: string, media: Place, isAnswer: boolean): void => {
    const schema = below(media, "schema").pointer;
    for (const [title, value] of examplesOf(media)) {
      found.push({ name: `${operationId} ${name} ${title}`, value, schema, isAnswer });
    }
  };
  if (body !== undefined) add("request", body, false);
  for (const [status, response] of responses) {
    for (const media of members(response, "content").values()) add(status, media, true);
  }
  return found;
}

/** The one example of a parameter or header. */
function singleExamples(kind: string): readonly Example[] {
  return Array.from(members(components, kind)).flatMap(([name, { node, pointer }]) => {
    const { example } = node;
    if (example === undefined) return [];
    const schema = `${pointer}/schema`;
    return [{ name: `${kind} ${name}`, value: example, schema, isAnswer: false }];
  });
}

function schemaExamples(): readonly Example[] {
  return Array.from(members(components, "schemas")).flatMap(([name, { node, pointer }]) =>
    listAt(node, "examples").map((value) => {
      return { name: `schema ${name}`, value, schema: pointer, isAnswer: false };
    }),
  );
}

const examples = [
  ...operations.flatMap(shownBy),
  ...singleExamples("parameters"),
  ...singleExamples("headers"),
  ...schemaExamples(),
];

test.each(examples)("$name fits", ({ value, schema, isAnswer }) => {
  const judge = isAnswer ? judgeAnswerAt(schema) : judgeAt(schema);
  expect({ value, findings: judge(value) }).toEqual({ value, findings: [] });
});

describe.each(operations)("$operationId", ({ body, responses, parameters, operationId }) => {
  test("shows every parameter", () => {
    const without = parameters.filter(({ node }) => node["example"] === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test("shows a request, if it takes one", () => {
    if (body !== undefined) expect(examplesOf(body).size).toBeGreaterThan(0);
  });

  test.each([...responses])("shows what %s looks like", (status, response) => {
    for (const media of members(response, "content").values()) {
      expect(examplesOf(media).size).toBeGreaterThan(0);
    }
    const codes = listAt(response.node, "x-error-codes");
    const shown = Array.from(members(response, "content").values()).flatMap((media) =>
      Array.from(examplesOf(media).values(), (value) => (isObject(value) ? value["code"] : null)),
    );
    // an example must not show an error that this answer can never be
    if (codes.length > 0) expect(shown.filter((code) => !codes.includes(code ?? null))).toEqual([]);
    expect({ operationId, status, described: response.node["description"] }).not.toMatchObject({
      described: undefined,
    });
  });
});
