// Handlers that answer what the document allows: each documented status in turn, with a body and headers that are
// drawn from their schemas.

import { Answers, type Made } from "../../generator/mock/answers.ts";
import { wireOf } from "../../generator/mock/wire.ts";
import type { Contract, Operation } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import type { JsonObject } from "../../generator/suite/json.ts";

export { type Made, wireOf };

/** What the edge answers itself is no handler's business. */
const ofTheEdge = new Set([400, 405, 413, 415, 422, 501]);

export class Mock {
  readonly contract: Contract;
  readonly #answers: Answers;
  readonly #counts = new Map<Operation, number>();
  /** of each operation and status, some to choose from */
  readonly #made = new Map<string, readonly Made[]>();

  constructor(document: JsonObject) {
    this.#answers = new Answers(document);
    this.contract = this.#answers.contract;
  }

  /** Of all statuses in turn. */
  answer(method: string, path: string): Made {
    const operation = this.contract.operations.find(
      (one) => one.method === method && one.path === path,
    );
    const none = { operationId: "", headers: {}, body: undefined, contentType: undefined };
    // a server that reads another document may have other operations
    if (operation === undefined) return { ...none, status: 200 };
    const statuses = statusesOf(operation);
    const count = this.#counts.get(operation) ?? 0;
    this.#counts.set(operation, count + 1);
    const [status] = statuses.slice(count % Math.max(1, statuses.length));
    const all = status === undefined ? [] : this.#answersOf(operation, status);
    const one = all[Math.floor(count / Math.max(1, statuses.length)) % Math.max(1, all.length)];
    return one ?? { ...none, operationId: operation.operationId, status: 200 };
  }

  #answersOf(operation: Operation, key: string): readonly Made[] {
    const name = `${operation.operationId} ${key}`;
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const response = operation.responses.get(key);
    if (response === undefined) throw new Error(`${name} is not in the document`);
    const status = Number(key.replace("XX", "00"));
    const dice = new Dice(name.length + 1);
    const made = (["all", "some", "some"] as const).map((optional) =>
      this.#answers.make({ operation, response, status, optional, isDynamic: true, dice }),
    );
    this.#made.set(name, made);
    return made;
  }
}

function statusesOf({ responses }: Operation): readonly string[] {
  const all = [...responses.keys()].filter((status) => /^[2-4]\d\d$/.test(status));
  const own = all.filter((status) => !ofTheEdge.has(Number(status)));
  if (own.length > 0) return own;
  return [...responses.keys()].filter((status) => status === "2XX");
}
