// Each promise that the document asks of a request, broken one at a time: the answer is 400 and
// names the place and the rule, neither more nor less.

import { expect, test } from "vitest";
import { errorOf, ofContract, readAnswer, type Violation } from "../support/contract-answers.ts";
import { send } from "../support/contract-requests.ts";
import type { Finding } from "../support/contract-schemas.ts";
import { useContractServer } from "../support/contract-server.ts";
import { codeOfBroken, listBrokenPlaces } from "./broken-places.ts";

const server = useContractServer();
const brokenPlaces = listBrokenPlaces();

test("no place went away and no new one came without being seen", async () => {
  const list = brokenPlaces.map(({ name }) => name);
  await expect(`${list.join("\n")}\n`).toMatchFileSnapshot("broken-places.txt");
});

test.each(brokenPlaces)("$name", async (place) => {
  const answer = await readAnswer(await send(server, place.request), place.operation);
  const { code, details } = errorOf(answer.body);
  expect({ status: answer.status, code }).toEqual({
    status: 400,
    code: codeOfBroken({ ...place.expected, in: place.in }),
  });
  // The contract has names of events as any text, and the example has one of them.
  const found = ofContract(details.violations)
    .filter(({ rule }) => rule !== "known")
    .map(findingOf);
  if (place.expected.rule === "propertyNames") {
    // long names are cut, and what is wrong with a name is not said
    const pointer = expect.stringMatching(`^${place.expected.pointer}/x+\\.\\.\\.$`) as string;
    expect(found).toEqual([{ in: place.in, pointer, rule: "propertyNames" }]);
    return;
  }
  const expected = inOurWords({ ...place.expected, in: place.in }, place.findings);
  expect(found).toContainEqual(expected);
  if (isAmbiguous(place.findings)) {
    // what else is wrong depends on the alternative that was meant
    for (const one of found) expect(isRelated(one.pointer, expected.pointer)).toBe(true);
    return;
  }
  const wanted = place.findings.map((one) => inOurWords({ ...one, in: place.in }, place.findings));
  expect(inOrder(found)).toEqual(inOrder(wanted));
});

type Found = Finding & { readonly in: string };

function findingOf({ in: part, pointer, rule }: Violation): Found {
  // names of headers are the same in any case
  return { in: part, pointer: part === "header" ? pointer.toLowerCase() : pointer, rule };
}

/** The few rules that we call otherwise than Ajv. */
function inOurWords(finding: Found, all: readonly Finding[]): Found {
  const { in: part } = finding;
  const pointer = part === "header" ? finding.pointer.toLowerCase() : finding.pointer;
  const also = (rule: string): boolean =>
    all.some((one) => one.pointer === finding.pointer && one.rule === rule);
  // an alternative that its tag has chosen is the only one that is asked
  if (pointer === "/splits/0/type" && finding.rule !== "required") {
    return { in: part, pointer, rule: "discriminator" };
  }
  if (pointer === "/splits/0" && finding.rule === "oneOf") {
    if (also("type")) return { in: part, pointer, rule: "type" };
    return { in: part, pointer: `${pointer}/type`, rule: "required" };
  }
  // a value that is none of those listed may have any type
  if (finding.rule === "type" && also("enum")) return { in: part, pointer, rule: "enum" };
  // what is no object fits none of several objects
  if (finding.rule === "type" && also("oneOf") && pointer === "/payment_payload") {
    return { in: part, pointer, rule: "oneOf" };
  }
  // without the member that tells the forms apart nobody knows which one was meant
  if (/^\/payment_payload\/\w*authorization$/.test(pointer) && finding.rule === "required") {
    return { in: part, pointer: "/payment_payload", rule: "oneOf" };
  }
  if (finding.rule !== "format") return { in: part, pointer, rule: finding.rule };
  // int32 and int64 are ranges of integers
  if (also("type")) return { in: part, pointer, rule: "type" };
  return { in: part, pointer, rule: pointer.endsWith("/bps") ? "maximum" : "format" };
}

function isAmbiguous(findings: readonly Finding[]): boolean {
  return findings.some(({ rule }) => rule === "oneOf");
}

function isRelated(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

function inOrder(list: readonly Found[]): readonly string[] {
  return [...new Set(list.map((one) => `${one.in} ${one.pointer} ${one.rule}`))].toSorted();
}
