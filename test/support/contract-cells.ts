// Every answer that the written document promises: operation, status, code.

import type { Cell, DocumentedOperation } from "../../generator/suite/cells.ts";
import { listAt, type Operation, operations, responseFor, textOf } from "./contract-document.ts";

/** Statuses that the document promises of an operation. */
function promisedStatuses({ responses, defaultStatuses }: Operation): readonly number[] {
  const named = [...responses.keys()].filter((status) => status !== "default").map(Number);
  return [...named, ...defaultStatuses].toSorted((one, other) => one - other);
}

/** Codes that the document promises of a status; none: its answer has no code. */
function promisedCodes(operation: Operation, status: number): readonly string[] {
  const response = responseFor(operation, status);
  return response === undefined ? [] : listAt(response.node, "x-error-codes").map(textOf);
}

export const documented: readonly DocumentedOperation[] = operations.map((operation) => ({
  operation: operation.operationId,
  title: `${operation.method} ${operation.path}`,
  cells: promisedStatuses(operation).flatMap((status) => cellsAt(operation, status)),
}));

function cellsAt(operation: Operation, status: number): readonly Cell[] {
  const { operationId } = operation;
  const codes = promisedCodes(operation, status);
  if (codes.length === 0) return [{ operation: operationId, status }];
  return codes.map((code) => ({ operation: operationId, status, code }));
}
