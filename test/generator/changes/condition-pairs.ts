// Pairs of what is compared as a whole.

import { type SchemaPair, text, when, whole, withProperties } from "./schema-parts.ts";

export const conditions: readonly SchemaPair[] = [
  ["one or none", { contains: text, minContains: 0 }, { contains: text }],
  ["one, and at least one", { contains: text }, { contains: text, minContains: 1 }],
  [
    "a place of a tuple that two parts say",
    { allOf: [{ prefixItems: [text] }, { prefixItems: [{ maxLength: 5 }] }] },
    { allOf: [{ prefixItems: [whole] }, { prefixItems: [{ maxLength: 5 }] }] },
  ],
  [
    "a name that has to be there, and what it is",
    { type: "object", required: ["a"] },
    withProperties({ a: whole }, { required: ["a"] }),
  ],
  ["what one must be", { contains: text }, { contains: whole }],
  ["a condition", {}, { not: text }],
  ["a condition, and another one", { not: text }, { not: whole }],
  ["a condition more", { not: text }, { allOf: [{ not: text }, { not: whole }] }],
  [
    "conditions in another order",
    { allOf: [{ not: text }, { not: whole }] },
    { allOf: [{ not: whole }, { not: text }] },
  ],
  [
    "what follows from the second condition",
    { allOf: [when("a", 1), when("b", 1)] },
    { allOf: [when("a", 1), when("b", 2)] },
  ],
  [
    "what follows from which condition",
    { allOf: [when("a", 1), when("b", 2)] },
    { allOf: [when("a", 2), when("b", 1)] },
  ],
  [
    "steps of two parts",
    { allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
    { allOf: [{ multipleOf: 2 }] },
  ],
  [
    "a condition in other words",
    { not: { type: "string" } },
    { not: { $ref: "#/components/schemas/Text" } },
  ],
  [
    "a condition of a property that is called like what is told",
    { not: withProperties({ title: { const: "a" } }) },
    { not: withProperties({ title: { const: "b" } }) },
  ],
  [
    "a condition of a value that refers to nothing",
    { not: { const: { $ref: "#/components/schemas/Text" } } },
    { not: { const: text } },
  ],
  [
    "what stands beside a reference in a condition",
    { not: { $ref: "#/components/schemas/Text", maxLength: 5 } },
    { not: { $ref: "#/components/schemas/Text", maxLength: 6 } },
  ],
  [
    "a condition in another order",
    { not: { required: ["a", "b"] }, dependentRequired: { title: ["a", "b"] } },
    { not: { required: ["b", "a"] }, dependentRequired: { title: ["b", "a"] } },
  ],
  [
    "what a property asks for",
    { dependentRequired: { title: ["a"] } },
    { dependentRequired: { title: ["b"] } },
  ],
  [
    "a circle in a condition",
    { not: { $ref: "#/components/schemas/Tree" } },
    { not: { $ref: "#/components/schemas/Bush" } },
  ],
];
