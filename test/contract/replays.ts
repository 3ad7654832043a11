// What an Idempotency-Key promises, the same for every operation that writes.

import { describe, expect } from "vitest";
import { type Answer } from "../support/contract-answers.ts";
import type { JsonObject } from "../support/contract-document.ts";
import { type Change, newKey } from "../support/contract-requests.ts";
import type { Merchant } from "../support/service.ts";
import { type Subject, testRefusals } from "./refusals.ts";
import { outcome, type Scene } from "./scene.ts";

export interface Replayed extends Subject {
  /** the same key with these is another request; another one that `prepare` makes, when left out */
  readonly others?: (
    merchant: Merchant,
  ) => Promise<readonly OtherRequest[]> | readonly OtherRequest[];
  /** how often the operation had an effect on what the change is about; undefined: it has none that counts */
  readonly countEffects: (merchant: Merchant, change: Change) => Promise<number>;
}

export interface OtherRequest {
  readonly name: string;
  readonly operationId: string;
  readonly change: Change;
}

function isReplay({ headers }: Answer): boolean {
  return headers.get("Idempotent-Replayed") === "true";
}

/** Headers that are about this one answer, not about the request. */
const ownHeaders = new Set(["date", "x-request-id", "ratelimit", "idempotent-replayed"]);

function lasting({ headers }: Answer): JsonObject {
  return Object.fromEntries([...headers].filter(([name]) => !ownHeaders.has(name)));
}

/** All that an operation which writes has in common with the others. */
export function testWriting(scene: Scene, subject: Replayed): void {
  testRefusals(scene, subject);
  testReplays(scene, subject);
}

function testReplays(scene: Scene, subject: Replayed): void {
  const { service, asker, test } = scene;
  const { operationId, prepare } = subject;
  const keyed = async (merchant: Merchant): Promise<Change> => ({
    ...(await prepare(merchant)),
    headers: { "Idempotency-Key": newKey() },
  });

  describe("an Idempotency-Key", () => {
    test("gets the answer of the first time, word for word", async ({ merchant }) => {
      const change = await keyed(merchant);
      const first = await asker.ask(merchant, operationId, change);
      expect(first.status).toBeLessThan(300);
      expect(first.headers.has("Idempotent-Replayed")).toBe(false);
      for (const signer of [merchant, await service.newKey(merchant, {})]) {
        const again = await asker.ask(signer, operationId, change);
        expect(isReplay(again)).toBe(true);
        expect(again.status).toBe(first.status);
        expect(again.body).toEqual(first.body);
        expect(lasting(again)).toEqual(lasting(first));
        expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
      }
      expect(await subject.countEffects(merchant, change)).toBe(1);
    });

    test("belongs to one merchant", async () => {
      const [one, other] = [await service.newMerchant(), await service.newMerchant()];
      const headers = { "Idempotency-Key": newKey() };
      for (const merchant of [one, other]) {
        const answer = await asker.ask(merchant, operationId, {
          ...(await prepare(merchant)),
          headers,
        });
        expect([answer.status < 300, isReplay(answer)]).toEqual([true, false]);
      }
    });

    test("is 422 with another request", async ({ merchant }) => {
      const change = await keyed(merchant);
      expect((await asker.ask(merchant, operationId, change)).status).toBeLessThan(300);
      const another = async () => [
        { name: "another", operationId, change: await prepare(merchant) },
      ];
      for (const other of await (subject.others ?? another)(merchant)) {
        const { name } = other;
        const answer = await asker.ask(merchant, other.operationId, {
          ...other.change,
          headers: change.headers ?? {},
        });
        expect([name, ...outcome(answer)]).toEqual([name, 422, "idempotency_key_reused"]);
      }
      const again = await asker.ask(merchant, operationId, change);
      expect([again.status < 300, isReplay(again)]).toEqual([true, true]);
    });

    test("is not burnt by a request that was refused", async ({ merchant }) => {
      const change = await keyed(merchant);
      const refused = [
        { ...change, query: "undeclared=1" },
        ...(subject.badBody === undefined ? [] : [{ ...change, body: subject.badBody.body }]),
      ];
      for (const bad of refused) {
        expect((await asker.ask(merchant, operationId, bad)).status).toBe(400);
      }
      const answer = await asker.ask(merchant, operationId, change);
      expect([answer.status < 300, isReplay(answer)]).toEqual([true, false]);
    });

    test("is 409 while the first request runs, which then ends as if nothing had been", async () => {
      const merchant = await service.newMerchant();
      const change = await keyed(merchant);
      const hold = service.holdEffects();
      const first = asker.ask(merchant, operationId, change);
      await hold.reached;
      const second = await asker.ask(merchant, operationId, change);
      hold.release();
      expect(outcome(second)).toEqual([409, "idempotency_in_progress"]);
      expect(second.headers.get("Retry-After")).toBe("1");
      expect((await first).status).toBeLessThan(300);
      expect(isReplay(await asker.ask(merchant, operationId, change))).toBe(true);
      expect(await subject.countEffects(merchant, change)).toBe(1);
    });

    test("has one effect, however many requests come at once", async ({ merchant }) => {
      const change = await keyed(merchant);
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => asker.ask(merchant, operationId, change)),
      );
      const done = answers.filter(({ status }) => status < 300);
      const waiting = answers.filter(({ status }) => status >= 300);
      expect(done.filter((one) => !isReplay(one))).toHaveLength(1);
      expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(new Set(waiting.map((one) => outcome(one).join(" ")))).toEqual(
        new Set(waiting.length === 0 ? [] : ["409 idempotency_in_progress"]),
      );
      expect(await subject.countEffects(merchant, change)).toBe(1);
    });
  });
}
