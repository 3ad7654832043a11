// Handlers that answer what the document allows: each documented status in turn, with a body and headers that are
// drawn from their schemas.

import { Contract, type Operation, type Place } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { Drawing } from "../../generator/suite/drawing.ts";
import { type Json, type JsonObject, textOf } from "../../generator/suite/json.ts";
import { buildJudges } from "../../generator/suite/schemas.ts";
import { upgrade } from "../../generator/suite/upgrade.ts";
import type { WireAnswer } from "../../generator/runtime/runtime.ts";

/** What an answer is, before a fault is planted in it. */
export interface Made {
  readonly operationId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  readonly contentType: string | undefined;
}

/** What the edge answers itself is no handler's business. */
const ofTheEdge = new Set([400, 405, 413, 415, 422, 501]);

export class Mock {
  readonly contract: Contract;
  readonly #drawing: Drawing;
  readonly #counts = new Map<string, number>();
  /** of each operation and status, some to choose from */
  readonly #made = new Map<string, readonly Made[]>();

  constructor(document: JsonObject) {
    const written = upgrade(document);
    this.contract = new Contract(written);
    this.#drawing = new Drawing(this.contract, buildJudges(written));
  }

  /** Of all statuses in turn. */
  answer(operationId: string): Made {
    const operation = this.contract.operations.find((one) => one.operationId === operationId);
    const statuses = operation === undefined ? [] : statusesOf(operation);
    const count = this.#counts.get(operationId) ?? 0;
    this.#counts.set(operationId, count + 1);
    const [status = ""] = statuses.slice(count % Math.max(1, statuses.length));
    const all = operation === undefined || status === "" ? [] : this.#answersOf(operation, status);
    const one = all[Math.floor(count / Math.max(1, statuses.length)) % Math.max(1, all.length)];
    return (
      one ?? { operationId, status: 200, headers: {}, body: undefined, contentType: undefined }
    );
  }

  #answersOf(operation: Operation, status: string): readonly Made[] {
    const key = `${operation.operationId} ${status}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const dice = new Dice(key.length + 1);
    const made = (["all", "some", "some"] as const).map((optional) => {
      const response = operation.responses.get(status);
      if (response === undefined) throw new Error(`${key} is not in the document`);
      return this.#make({ operation, status, response }, optional, dice);
    });
    this.#made.set(key, made);
    return made;
  }

  #make(
    { operation, status, response }: { operation: Operation; status: string; response: Place },
    optional: "all" | "some",
    dice: Dice,
  ): Made {
    const headers = Array.from(this.contract.members(response, "headers"), ([name, place]) => {
      const drawn = this.#drawing.valueAt(`${place.pointer}/schema`, optional, dice);
      return [name, textOf(drawn?.value ?? "text")] as const;
    });
    const [content] = this.contract.members(response, "content");
    const own = {
      operationId: operation.operationId,
      status: status === "default" ? 500 : Number(status.replace("XX", "00")),
      headers: Object.fromEntries(headers),
    };
    if (content === undefined) return { ...own, body: undefined, contentType: undefined };
    const [contentType, media] = content;
    const isJson = /json/.test(contentType);
    const hasSchema = media.node["schema"] !== undefined;
    const drawn = hasSchema
      ? this.#drawing.valueAt(`${media.pointer}/schema`, optional, dice)
      : undefined;
    return { ...own, body: isJson ? (drawn?.value ?? {}) : "text", contentType };
  }
}

function statusesOf({ responses }: Operation): readonly string[] {
  const all = [...responses.keys()].filter((status) => /^[2-4]\d\d$/.test(status));
  const own = all.filter((status) => !ofTheEdge.has(Number(status)));
  if (own.length > 0) return own;
  return [...responses.keys()].filter((status) => status === "2XX");
}

export function wireOf({ status, headers, body, contentType }: Made): WireAnswer {
  return {
    status,
    headers,
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
  };
}
