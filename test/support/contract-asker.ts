// Asks for an operation by its name. Every answer goes through one door, which checks all of it against
// the written document and notes it for the matrix at the end of the run.

import { type Answer, readAnswer } from "./contract-answers.ts";
import {
  type Change,
  type PlainRequest,
  send,
  sendByNode,
  sendPlain,
} from "./contract-requests.ts";
import { type Signer, targetOf, validRequest } from "./contract-requests.ts";
import { operationBy } from "./contract-resources.ts";

export interface Asker {
  /** A valid request of the operation, changed at will. */
  readonly ask: (signer: Signer, operationId: string, change?: Change) => Promise<Answer>;
  /** With headers and the bytes of a body handed in as they are. */
  readonly askPlainly: (
    signer: Signer,
    operationId: string,
    change: Partial<PlainRequest> & Pick<Change, "path">,
  ) => Promise<Answer>;
}

export function buildAsker(): Asker {
  return {
    ask: async (signer, operationId, change) => {
      const operation = operationBy(operationId);
      return readAnswer(await send(signer, validRequest(operation, change)), operation);
    },
    askPlainly: async (signer, operationId, { path, ...change }) => {
      const operation = operationBy(operationId);
      const { headers, ...request } = validRequest(operation, path === undefined ? {} : { path });
      const plain = {
        method: operation.method,
        target: targetOf({ ...request, headers }),
        ...change,
        headers: { ...headers, ...change.headers },
      };
      const isOdd = operation.method === "GET" && change.body !== undefined;
      return readAnswer(await (isOdd ? sendByNode : sendPlain)(signer, plain), operation);
    },
  };
}
