// The names that generated code uses, read sign by sign, are those that the compiler finds.

import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { usedNames } from "../../generator/emit/used-names.ts";
import { cases, isWrong, outputOf } from "./cases.ts";
import { projectFolder } from "./work-folder.ts";

/** Identifiers that are no names of properties, nor parts of an import. */
function namesOf(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && !isProperty(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.ts", code, ts.ScriptTarget.Latest, true));
  return names;
}

function isProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  const isNamed =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent);
  return isNamed && parent.name === node;
}

/** Imported by generated code under these names. */
function importsOf(code: string): readonly string[] {
  const { statements } = ts.createSourceFile("a.ts", code, ts.ScriptTarget.Latest, true);
  return statements.filter(ts.isImportDeclaration).flatMap(({ importClause }) => {
    const bindings = importClause?.namedBindings;
    if (bindings === undefined) return [];
    if (ts.isNamespaceImport(bindings)) return [bindings.name.text];
    return bindings.elements.map(({ name }) => name.text);
  });
}

/** Written as they are, with imports of their own. */
const whole = new Set(["types.ts", "document.ts"]);

const right = cases.filter((one) => !isWrong(one));
const ours = { name: "our own", document: join(projectFolder, "spec/openapi.yaml"), out: "/out" };

test.each([...right, ours])("$name imports what it uses, and nothing else", ({ document, out }) => {
  for (const { path, text, language } of outputOf(document, out).files) {
    if (language === "json" || path.startsWith("runtime/") || whole.has(path)) continue;
    const used = namesOf(text);
    const imported = importsOf(text);
    expect(imported.filter((name) => !used.has(name))).toEqual([]);
    // all the compiler knows are found, whatever they stand for
    const body = text.replaceAll(/^import .*$/gm, "");
    const found = usedNames(body);
    const lost = [...used].filter((name) => imported.includes(name) && !found.has(name));
    expect(lost).toEqual([]);
  }
});

test.each([
  ['const a = "b"; // c', ["const", "a"]],
  ["const a = /[/]b/u.test(c);", ["const", "a", "c"]],
  ["const a = { b: c, d, [e]: f.g, ...h };", ["const", "a", "c", "d", "e", "f", "h"]],
  ["interface A { readonly b?: C; readonly d: e.F }", ["interface", "A", "readonly", "C", "e"]],
  ["/* a */ const b = c ? d : e;", ["const", "b", "c", "d", "e"]],
])("in %s", (code, names) => {
  expect([...usedNames(code)]).toEqual(names);
});
