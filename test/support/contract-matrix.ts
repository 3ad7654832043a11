// Operation x status: what the document promises, against what was really answered. Every answer
// goes through one door, which checks all of it against the written document and notes its status.

import { afterAll, expect } from "vitest";
import { type Answer, readAnswer } from "./contract-answers.ts";
import type { Operation } from "./contract-document.ts";
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

/** Statuses that the document promises of an operation. */
export function promisedStatuses({ responses, defaultStatuses }: Operation): readonly number[] {
  const named = [...responses.keys()].filter((status) => status !== "default").map(Number);
  return [...named, ...defaultStatuses].toSorted((one, other) => one - other);
}

/** For one file: at its end every promised status has been met, and no other one. */
export function useMatrix(operationIds: readonly string[]): Asker {
  const met = new Map(operationIds.map((id) => [id, new Set<number>()]));
  const note = async (operation: Operation, response: Response): Promise<Answer> => {
    const answer = await readAnswer(response, operation);
    met.get(operation.operationId)?.add(answer.status);
    return answer;
  };
  afterAll(() => {
    const rows = operationIds.map((id) => {
      const found = [...(met.get(id) ?? [])].toSorted((one, other) => one - other);
      return [id, found] as const;
    });
    const promised = operationIds.map((id) => [id, promisedStatuses(operationBy(id))] as const);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(promised));
  });
  return {
    ask: async (signer, operationId, change) => {
      const operation = operationBy(operationId);
      return note(operation, await send(signer, validRequest(operation, change)));
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
      return note(operation, await (isOdd ? sendByNode : sendPlain)(signer, plain));
    },
  };
}
