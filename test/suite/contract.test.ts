// What the suite reads out of a document.

import { expect, test } from "vitest";
import { Contract } from "../../generator/suite/contract.ts";

const responses = { "204": { description: "Fine." } };

test("operations of every method, with the parameters of their path (OpenAPI 3.2, section 4.9)", () => {
  const { operations } = new Contract({
    openapi: "3.2.0",
    paths: {
      "/pages/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: {} }],
        query: { operationId: "search", responses },
        additionalOperations: {
          PURGE: { responses, parameters: [{ name: "deep", in: "query", schema: {} }] },
          Copy: { responses },
        },
        get: { responses },
      },
    },
  });
  const found = operations.map(({ operationId, method, path, pointer, parameters }) => [
    operationId,
    `${method} ${path}`,
    pointer.replace("/paths/~1pages~1{id}", ""),
    parameters.map(({ name }) => name),
  ]);
  expect(found).toEqual([
    ["search", "QUERY /pages/{id}", "/query", ["id"]],
    ["PURGE /pages/{id}", "PURGE /pages/{id}", "/additionalOperations/PURGE", ["id", "deep"]],
    ["Copy /pages/{id}", "Copy /pages/{id}", "/additionalOperations/Copy", ["id"]],
    ["GET /pages/{id}", "GET /pages/{id}", "/get", ["id"]],
  ]);
});
