// Holds answers against all relations of values, and remembers what they said.

import type { Answer } from "../../../generator/suite/answer-judge.ts";
import { isObject, type Json, textOf } from "../../../generator/suite/json.ts";
import type { Operation } from "../contract-document.ts";
import type { Asked } from "./asked.ts";
import { catalogRelations } from "./catalog.ts";
import { errorRelations } from "./errors.ts";
import { headerRelations } from "./headers.ts";
import { namedRelations } from "./named.ts";
import { isBefore, itemsOf, pageRelations } from "./pages.ts";
import { paymentRelations } from "./payments.ts";
import { payoutRelations, standardSpans } from "./payouts.ts";
import { type Claim, holds, type Relation, same, Seen } from "./relation.ts";
import { pageEnd, type Remembered, rememberedRelations } from "./remembered.ts";
import { webhookRelations } from "./webhooks.ts";

/** Of any server that keeps the contract. */
const relations: readonly Relation[] = [
  ...headerRelations,
  ...pageRelations,
  ...namedRelations,
  ...paymentRelations,
  ...payoutRelations,
  ...webhookRelations,
  ...catalogRelations,
  ...errorRelations,
];

const pagesGoOn = "a page goes on where the one before has ended";

export const relationNames: readonly string[] = [
  ...relations.map(({ name }) => name),
  ...standardSpans.map(({ name }) => name),
  ...rememberedRelations.map(({ name }) => name),
  pagesGoOn,
];

export interface Related extends Claim {
  readonly relation: string;
}

export interface RelationsWish {
  /** nothing was set otherwise by the operator */
  readonly isStandard?: boolean;
}

export class RelationJudge {
  readonly #relations: readonly Relation[];
  /** by relation and what it is about */
  readonly #said = new Map<string, Json>();

  constructor({ isStandard = false }: RelationsWish = {}) {
    this.#relations = isStandard ? [...relations, ...standardSpans] : relations;
  }

  /** All that the relations say of an answer; from now on it is remembered. */
  judge(answer: Answer, operation: Operation, asked: Asked | undefined): readonly Related[] {
    const seen = new Seen(operation, answer, asked);
    const found = this.#claimsOf(seen);
    this.#remember(seen);
    return found;
  }

  /** The same, and it leaves nothing behind. */
  try(answer: Answer, operation: Operation, asked: Asked | undefined): readonly Related[] {
    return this.#claimsOf(new Seen(operation, answer, asked));
  }

  #claimsOf(seen: Seen): readonly Related[] {
    const claims = this.#relations.flatMap(({ name, claims }) =>
      claims(seen).map((claim) => ({ relation: name, ...claim })),
    );
    const recalled = rememberedRelations.flatMap((one) => this.#recalled(one, seen));
    return [...claims, ...recalled, ...this.#pageClaims(seen)];
  }

  #recalled({ name, kind, facts }: Remembered, seen: Seen): readonly Related[] {
    return facts(seen).flatMap(({ about, place, value }) => {
      if (about === undefined) return [];
      const known = this.#said.get(`${name} ${about}`);
      if (kind === "new") {
        const claim = holds(place, known === undefined, `is ${about}, which was given before`);
        return [{ relation: name, ...claim }];
      }
      return known === undefined ? [] : [{ relation: name, ...same(place, value, known) }];
    });
  }

  #pageClaims(seen: Seen): readonly Related[] {
    const known = this.#said.get(`${pagesGoOn} ${textOf(seen.query.get("cursor") ?? "")}`);
    const [first] = itemsOf(seen);
    if (first === undefined || !isObject(known)) return [];
    const isRight = first["id"] !== known["id"] && isBefore(seen.operationId, known, first);
    const problem = `begins with ${textOf(first["id"])}, after ${textOf(known["id"])}`;
    return [{ relation: pagesGoOn, ...holds("body", isRight, problem) }];
  }

  #remember(seen: Seen): void {
    for (const { name, facts } of rememberedRelations) {
      for (const { about, value } of facts(seen)) {
        if (about === undefined) continue;
        const key = `${name} ${about}`;
        if (!this.#said.has(key)) this.#said.set(key, value);
      }
    }
    const end = pageEnd(seen);
    if (end !== undefined) this.#said.set(`${pagesGoOn} ${end.cursor}`, end.last);
  }
}
