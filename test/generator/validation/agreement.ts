// What must hold of the generated validation of any schema and any value.

import fc from "fast-check";
import { isObject, type Json } from "../../../generator/json.ts";
import type { Problem } from "../../../generator/runtime/checking.ts";
import { compileSchema, sourceOf, type Subject } from "../../../generator/conformance/compile.ts";
import { compileOracle } from "./oracle.ts";
import { valuesFor } from "./value-arbitraries.ts";

const rules = new Set(
  (
    "type required enum const pattern format minLength maxLength minimum maximum exclusiveMinimum " +
    "exclusiveMaximum multipleOf minItems maxItems uniqueItems contains minProperties " +
    "maxProperties additionalProperties unevaluatedProperties propertyNames dependentRequired " +
    "anyOf oneOf not discriminator"
  ).split(" "),
);

/** Checks one value after another; each call says whether the value is valid. */
export function agreementOn(subject: Subject): (value: Json) => boolean {
  const check = compileSchema(subject);
  const oracle = compileOracle(subject);
  const schemaText = JSON.stringify(subject);
  return (value) => {
    const fail = (what: string, problems?: readonly Problem[]): never => {
      const shown = problems === undefined ? "" : `\nproblems ${JSON.stringify(problems)}`;
      throw new Error(`${what}\nvalue ${show(value)}${shown}\n${schemaText}\n${sourceOf(subject)}`);
    };
    const before = JSON.stringify(value);
    const valid = check.valid(value);
    if (valid !== (oracle(value) ?? valid))
      fail(`Ajv says ${!valid}, the generated schema ${valid}`);
    const problems = check.problems(value);
    if (valid !== (problems.length === 0)) fail("the verdict and the problems disagree", problems);
    const complaint = problems.map((one) => complaintOf(one, value, schemaText)).find(Boolean);
    if (complaint !== undefined) fail(complaint, problems);
    if (JSON.stringify(value) !== before) fail(`the value was changed, it was ${before}`);
    return valid;
  };
}

/** Draws values for the subject; gives the number of valid and of invalid ones. */
export function checkAgreement(subject: Subject, runs: number): { valid: number; invalid: number } {
  const judge = agreementOn(subject);
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(valuesFor(subject), (value) => {
      seen[judge(value) ? "valid" : "invalid"] += 1;
    }),
    { numRuns: runs },
  );
  return seen;
}

/** JSON, except that it tells -0 from 0. */
function show(value: Json): string {
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

function complaintOf(problem: Problem, value: Json, schemaText: string): string | undefined {
  if (!rules.has(problem.rule)) return `"${problem.rule}" is not a keyword`;
  if (!isPlace(problem.path, value)) return `${JSON.stringify(problem.path)} is not in the value`;
  const echoed = textsOf(value).find(
    (text) => text.length > 5 && !schemaText.includes(text) && problem.message.includes(text),
  );
  return echoed === undefined ? undefined : `the message repeats ${JSON.stringify(echoed)}`;
}

/** Every step but the last must be there; the last may be what is missing. */
function isPlace(path: readonly (string | number)[], value: Json): boolean {
  let here: Json | undefined = value;
  for (const step of path) {
    const isIn = Array.isArray(here)
      ? typeof step === "number" && step < here.length
      : isObject(here);
    if (!isIn) return false;
    here = Array.isArray(here) ? here[Number(step)] : ownMember(here, String(step));
  }
  return true;
}

function ownMember(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Names and texts anywhere in a value. */
function textsOf(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsOf(item)]);
}
