// Requests drawn from the hand-written document alone: whatever it allows is never refused as invalid, and
// every answer is what it promises.

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, errorOf, readAnswer } from "../support/contract-answers.ts";
import { operations } from "../support/contract-document.ts";
import { allowedRequests, sendGenerated, shown } from "../support/contract-generated.ts";
import { useContractServer } from "../support/contract-server.ts";
import { fillWorld, runs, type World } from "./generated-world.ts";

const server = useContractServer();
let world: World;
beforeAll(async () => {
  world = await fillWorld(server);
});

/** Said of a value in words, with a code of its own: the rules refuse it, not the contract. */
const wordedCodes = new Set(["webhook_url_not_allowed", "unknown_event_type", "invalid_cursor"]);

/** Undefined: the contract is kept. */
function complaintOf({ status, body }: Answer): unknown {
  if (status < 400) return undefined;
  const { code, details } = errorOf(body);
  const isRule = [402, 404, 409, 422].includes(status) || (status === 400 && wordedCodes.has(code));
  return isRule ? undefined : { status, code, details };
}

describe.each(operations)("$operationId", (operation) => {
  test("takes whatever the contract allows", async () => {
    const requests = shown(allowedRequests(operation, world.known), (one) => one);
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await readAnswer(await sendGenerated(server, request), operation);
        expect(complaintOf(answer)).toBeUndefined();
      }),
      { numRuns: runs },
    );
  });
});
