// Schemas that nobody thought of: the generated validation and Ajv agree on them too.

import fc from "fast-check";
import { expect, test } from "vitest";
import { agreementOn } from "./agreement.ts";
import { subjects } from "./schema-arbitrary.ts";
import { valuesFor } from "./value-arbitraries.ts";

const schemas = 400;
const valuesEach = 16;

test("the generated validation of random schemas agrees with Ajv", () => {
  const seen = { valid: 0, invalid: 0 };
  const cases = subjects.chain((subject) => {
    const values = fc.array(valuesFor(subject), { minLength: valuesEach, maxLength: valuesEach });
    return fc.tuple(fc.constant(subject), values);
  });
  fc.assert(
    fc.property(cases, ([subject, values]) => {
      const judge = agreementOn(subject);
      for (const value of values) seen[judge(value) ? "valid" : "invalid"] += 1;
    }),
    { numRuns: schemas },
  );
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan((schemas * valuesEach) / 10);
});
