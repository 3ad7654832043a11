// Requests drawn from the hand-written document alone, in which exactly one of its rules is broken: the
// answer says which and where, nothing else, and nothing has been written.

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, errorOf, ofContract, readAnswer } from "../support/contract-answers.ts";
import { operations } from "../support/contract-document.ts";
import {
  type BrokenRequest,
  brokenRequests,
  type ExpectedViolation,
  sendGenerated,
  shown,
} from "../support/contract-generated.ts";
import { useContractServer } from "../support/contract-server.ts";
import {
  changedTables,
  type Contents,
  type ContentsReader,
  readContentsOf,
} from "../support/database-contents.ts";
import { codeOfBroken } from "./broken-places.ts";
import { fillWorld, runs, type World } from "./generated-world.ts";

const server = useContractServer();
let world: World;
let contents: ContentsReader | undefined;
/** after the request before; nobody else writes */
let before: Contents | undefined;
beforeAll(async () => {
  world = await fillWorld(server);
  // elsewhere nobody can look
  if (server.query !== undefined) contents = await readContentsOf(server.query);
  before = await contents?.read();
});

/** Tables that the request has changed. */
async function changedByIt(): Promise<readonly string[]> {
  const after = await contents?.read();
  const changed = changedTables(before ?? new Map(), after ?? new Map());
  before = after;
  return changed;
}

/** What a request leaves behind by design, though it is refused: its nonce, which nobody may use again. */
const writtenAnyway: ReadonlySet<string> = new Set(["nonces"]);

function found({ body }: Answer): readonly ExpectedViolation[] {
  return ofContract(errorOf(body).details.violations).map(({ in: part, pointer, rule }) => ({
    in: part,
    pointer,
    rule,
  }));
}

/** Names of headers are the same in any case, and of long names there is their beginning. */
function nameOf({ in: part, pointer, rule }: ExpectedViolation): string {
  if (part === "header") return `${part} ${pointer.toLowerCase()} ${rule}`;
  return `${part} ${pointer.split("/").map(shortName).join("/")} ${rule}`;
}

/** A name of a body is cut, not its escaped form. */
function shortName(token: string): string {
  const name = Array.from(token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const short = name.length > 128 ? `${name.slice(0, 128).join("")}...` : name.join("");
  return short.replaceAll("~", "~0").replaceAll("/", "~1");
}

function expectRefusal(answer: Answer, { expected, isVague }: BrokenRequest): void {
  const [first] = expected;
  const { status, body } = answer;
  expect({ status, code: errorOf(body).code }).toEqual({ status: 400, code: codeOfBroken(first) });
  const said = found(answer).filter(
    ({ pointer }) => !isVague || !pointer.startsWith(`${first.pointer}/`),
  );
  expect(said.map(nameOf).toSorted()).toEqual(expected.map(nameOf).toSorted());
}

describe.each(operations)("$operationId", (operation) => {
  test("says which rule is broken and where, and writes nothing", async () => {
    const requests = shown(brokenRequests(operation, world.sound), (one) => one.request);
    await fc.assert(
      fc.asyncProperty(requests, async (broken) => {
        const answer = await readAnswer(await sendGenerated(server, broken.request), operation);
        const changed = await changedByIt();
        expectRefusal(answer, broken);
        expect(changed.filter((name) => !writtenAnyway.has(name))).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
});
