// Which faults are made of which code.

import { describe, expect, test } from "vitest";
import { mutantsIn } from "../../scripts/mutate/find.ts";
import { applied } from "../../scripts/mutate/mutant.ts";

function mutated(source: string, path = "service/one.ts"): readonly string[] {
  return mutantsIn(path, source).map((mutant) => applied(source, mutant).replaceAll(/\s+/g, " "));
}

describe.each([
  ["a comparison", "f(a <= b);", ["f(a < b);", "f(a > b);"]],
  ["an equality", "f(a === b);", ["f(a !== b);"]],
  ["both of two", "f(a && b);", ["f(a);", "f(b);", "f(a || b);"]],
  ["a fallback", "f(a ?? b);", ["f((b));"]],
  ["a condition", "if (a) f(b);", ["if (true) f(b);", "if (false) f(b);", "if (a) ;"]],
  ["two branches", "f(a ? b : c);", ["f((b));", "f((c));"]],
  ["a negation", "f(!a);", ["f(a);"]],
  ["a sum", "f(a + b);", ["f(a - b);"]],
  ["numbers", "f(7, 7_000n);", ["f(8, 7_000n);", "f(7, 7001n);"]],
  ["a truth", "f(true);", ["f(false);"]],
  ["a name", 'f("queued");', ['f("queued_");']],
  ["a sorted list", "f(a.toSorted());", ["f(a);"]],
  ["some of a list", "f(a.some(g));", ["f(a.every(g));"]],
  ["elements", "f([a, b]);", ["f([b]);", "f([a]);"]],
  ["what is spread", "f({ ...a });", ["f({ ...{} });"]],
  ["a throw", "throw a;", [";"]],
] as const)("%s", (_, source, expected) => {
  test("has these faults", () => {
    const found = mutated(source).filter((text) => text !== ";" || source.startsWith("throw"));
    expect(found.toSorted()).toEqual([...expected].toSorted());
  });
});

test("a call whose result nobody wants is left out", () => {
  expect(mutated("await f(a);")).toEqual([";"]);
});

test.each([
  'throw new Error("it is not there");',
  'this.#logger.info("done");',
  'import { a } from "./b.ts";',
  'type A = "b" | 1;',
  "export interface A { readonly b: 7 }",
])("nothing is made of what only people read, nor of types: %s", (source) => {
  expect(mutated(source).filter((text) => text !== ";")).toEqual([]);
});

test("text is joined, not added", () => {
  expect(mutated('f("a b" + c);').filter((text) => text !== ";")).toEqual([]);
});

describe("a query", () => {
  const source = 'const q = t.where("a", "<=", p).orderBy("b").set({ c: 1, d: p }).forUpdate();';

  test("loses its conditions, its order, its lock and a column", () => {
    const found = mutated(source, "service/one.sql.ts");
    expect(found).toContain('const q = t.orderBy("b").set({ c: 1, d: p }).forUpdate();');
    expect(found).toContain('const q = t.where("a", "<=", p).set({ c: 1, d: p }).forUpdate();');
    expect(found).toContain('const q = t.where("a", "<=", p).orderBy("b").set({ c: 1, d: p });');
    expect(found).toContain(
      'const q = t.where("a", "<=", p).orderBy("b").set({ d: p }).forUpdate();',
    );
  });

  test("compares otherwise", () => {
    const found = mutated(source, "service/one.sql.ts").join("\n");
    expect(found).toContain('where("a", "<", p)');
    expect(found).toContain('where("a", ">", p)');
    expect(found).not.toContain('"a_"');
  });
});

describe("a mutant", () => {
  const before = "function f(a) { return a < 1; }";
  const [first] = mutantsIn("service/one.ts", before);

  test("keeps its id when other places of its file change", () => {
    const [moved] = mutantsIn("service/one.ts", `// more\n${before}`);
    expect(moved).toMatchObject({ id: first?.id, line: 2, within: "f" });
    expect(first).toMatchObject({ line: 1, rule: "operator", original: "<" });
  });

  test("of the same text elsewhere is another one", () => {
    const all = [
      ...mutantsIn("service/one.ts", `${before} function g(a) { return a < 1; }`),
      ...mutantsIn("service/two.ts", before),
      ...mutantsIn("service/one.ts", "function f(a) { return a < 1 || (a < 1 && a); }"),
    ];
    const ids = all.map(({ id }) => id).filter((id) => id !== first?.id);
    expect(new Set(ids).size).toBeGreaterThan(10);
    const twice = mutantsIn("service/one.ts", "function f(a) { return a < 1 || (a < 1 && a); }");
    expect(new Set(twice.map(({ id }) => id)).size).toBe(twice.length);
  });
});
