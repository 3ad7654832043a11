// Values inside values in a query: what is written with names in brackets is read as it was.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { ParameterPlan, Tree } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, z } from "./harness.ts";

const texts: Tree = { scalar: ["string"] };
const integers: Tree = { scalar: ["integer"] };
const tree: Tree = {
  object: {
    name: texts,
    count: { scalar: ["null", "boolean", "integer"] },
    list: { items: integers },
    rows: { items: { object: { a: integers, more: { items: texts } } } },
    either: { scalar: ["integer"], object: { from: integers } },
    inner: { object: { deep: { object: { deeper: texts } } }, others: integers },
    ["__proto__"]: texts,
  },
};

const parameterOf = (kind: Tree, more: Partial<ParameterPlan> = {}): ParameterPlan => ({
  in: "query",
  name: "p",
  style: "deepObject",
  explode: true,
  kind: { tree: kind },
  ...more,
});

async function read(query: string, parameter = parameterOf(tree)): Promise<unknown> {
  const schema = z.looseObject({ [parameter.name]: z.unknown().exactOptional() });
  const one = operation({
    id: "one",
    path: "/one",
    parameters: [parameter],
    request: { query: schema },
  });
  const response = await appOf({ operations: [one] }).app.request(`/one?${query}`);
  const body: unknown = await response.json();
  return response.status === 200
    ? (body as { readonly request: { readonly query: unknown } }).request.query
    : brief(body);
}

test.for([
  ["p[name]=x", { p: { name: "x" } }],
  ["p%5Bname%5D=x+y%2Fz", { p: { name: "x y/z" } }],
  ["p[count]=", { p: { count: null } }],
  ["p[count]=true", { p: { count: true } }],
  ["p[list]=1&p[list]=2", { p: { list: [1, 2] } }],
  ["p[list][]=1&p[list][]=2", { p: { list: [1, 2] } }],
  ["p[list][0]=1&p[list][1]=2", { p: { list: [1, 2] } }],
  [
    "p[rows][0][a]=1&p[rows][1][a]=2&p[rows][0][more][]=x",
    { p: { rows: [{ a: 1, more: ["x"] }, { a: 2 }] } },
  ],
  ["p[either]=5", { p: { either: 5 } }],
  ["p[either][from]=5", { p: { either: { from: 5 } } }],
  [
    "p[inner][deep][deeper]=x&p[inner][other]=3",
    { p: { inner: { deep: { deeper: "x" }, other: 3 } } },
  ],
  ["p[inner][constructor]=3", { p: { inner: { constructor: 3 } } }],
  ["p[__proto__]=x", { p: { ["__proto__"]: "x" } }],
] as const)("?%s", async ([query, expected]) => {
  expect(await read(query)).toEqual(expected);
  expect(Object.prototype).not.toHaveProperty("other");
});

test.for([
  ["p=1", ["query /p style"]],
  ["p[]=1", ["query /p/ unknown"]],
  ["p[other]=1", ["query /p/other unknown"]],
  ["p[name][x]=1", ["query /p/name/x unknown"]],
  ["p[name]=1&p[name]=2", ["query /p/name repeated"]],
  ["p[list][1]=1", ["query /p/list/1 style"]],
  ["p[list][999999999]=1", ["query /p/list/999999999 style"]],
  ["p[list][x]=1", ["query /p/list/x unknown"]],
  ["p[rows][][a]=1", ["query /p/rows//a style"]],
  ["p[rows]=1", ["query /p/rows style"]],
  ["p[either]=5&p[either][from]=5", ["query /p/either/from style"]],
  ["p[either][from]=5&p[either]=5", ["query /p/either repeated"]],
  ["p[name]=%zz", ["query /p/name encoding"]],
  ["p[name=1", ["query /p[name unknown"]],
  ["p[name]x=1", ["query /p[name]x unknown"]],
  ["q[name]=1", ["query /q[name] unknown"]],
  ["p[__proto__][x]=1", ["query /p/__proto__/x unknown"]],
  ["p[constructor][x]=1", ["query /p/constructor/x unknown"]],
] as const)("refuses ?%s", async ([query, expected]) => {
  expect(await read(query)).toEqual(expected);
});

test("a list by itself", async () => {
  const list = parameterOf({ items: integers });
  for (const query of ["p=1&p=2", "p[]=1&p[]=2", "p[0]=1&p[1]=2"]) {
    expect(await read(query, list)).toEqual({ p: [1, 2] });
  }
});

/** As qs writes it. */
function written(name: string, value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) {
    const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
    return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
  }
  return Object.entries(value).flatMap(([key, one]) => written(`${name}[${key}]`, one));
}

const nonEmpty = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 });
const row = fc.record({ a: fc.integer(), more: nonEmpty(fc.string()) }, { requiredKeys: ["a"] });
const values = fc.record(
  {
    name: fc.string(),
    count: fc.constantFrom(null, true, false, 0, -7),
    list: nonEmpty(fc.integer()),
    rows: nonEmpty(row),
    either: fc.oneof(fc.integer(), fc.record({ from: fc.integer() })),
    inner: fc.record({ deep: fc.record({ deeper: fc.string() }) }),
  },
  { requiredKeys: ["name"] },
);

test("what is written is read, in any order of names where no list is begun in its middle", async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      expect(await read(written("p", value).join("&"))).toEqual({ p: value });
    }),
    { numRuns: 300 },
  );
});

test.for([
  ["flag", z.boolean(), ["boolean"], "p=", {}],
  ["flag", z.boolean(), ["boolean"], "p", {}],
  ["flag", z.boolean(), ["boolean"], "p=true", { p: true }],
  ["text", z.string(), ["string"], "p=", { p: "" }],
  ["long text", z.string().min(1), ["string"], "p=", {}],
  ["number", z.int(), ["integer"], "p=", {}],
] as const)("allowEmptyValue of a %s", async ([, schema, scalar, query, expected]) => {
  const parameter = {
    in: "query",
    name: "p",
    style: "form",
    explode: true,
    kind: { scalar },
    allowEmptyValue: true,
  } as const;
  const setup = (allowEmptyValue: boolean) => ({
    operations: [
      operation({
        id: "one",
        path: "/one",
        parameters: [{ ...parameter, allowEmptyValue }],
        request: { query: z.looseObject({ p: schema.exactOptional() }) },
      }),
    ],
  });
  const taken = await appOf(setup(true)).app.request(`/one?${query}`);
  expect(await taken.json()).toEqual({ request: { query: expected } });
  const isFine = query === "p=true" || schema.safeParse("").success;
  const without = await appOf(setup(false)).app.request(`/one?${query}`);
  expect(without.status).toBe(isFine ? 200 : 400);
});
