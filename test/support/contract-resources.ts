// Operations by their names. What their requests name is put in place by `withThings`.

import { operations, type Operation } from "./contract-document.ts";

export function operationBy(operationId: string): Operation {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the document has no operation ${operationId}`);
  return found;
}
