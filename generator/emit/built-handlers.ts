// A stub for a module that has a function which builds its handlers: one more member of the object that it
// returns, and one more name in its type.

import ts from "typescript";
import type { Operation } from "../model/model.ts";
import { propertyKey } from "./literals.ts";

/** Undefined: no function of the module returns an object with one of these names. */
export function withMembers(
  text: string,
  names: ReadonlySet<string>,
  missing: readonly Operation[],
): string | undefined {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  for (const statement of file.statements) {
    if (!ts.isFunctionDeclaration(statement)) continue;
    const object = returnedObject(statement, names);
    if (object === undefined) continue;
    const additions = [
      memberAddition(file, object, missing),
      ...typeAdditions(statement.type, file, missing),
    ];
    // from the end, so that the places before stay where they are
    return additions
      .toSorted((one, other) => other.at - one.at)
      .reduce((whole, { at, added }) => whole.slice(0, at) + added + whole.slice(at), text);
  }
  return undefined;
}

interface Addition {
  readonly at: number;
  readonly added: string;
}

function returnedObject(
  declaration: ts.FunctionDeclaration,
  names: ReadonlySet<string>,
): ts.ObjectLiteralExpression | undefined {
  for (const statement of declaration.body?.statements ?? []) {
    if (!ts.isReturnStatement(statement) || statement.expression === undefined) continue;
    const { expression } = statement;
    if (!ts.isObjectLiteralExpression(expression)) continue;
    const isOne = expression.properties.some(
      ({ name }) => name !== undefined && !ts.isComputedPropertyName(name) && names.has(name.text),
    );
    if (isOne) return expression;
  }
  return undefined;
}

/** Behind the last member, as far in as that one. */
function memberAddition(
  file: ts.SourceFile,
  object: ts.ObjectLiteralExpression,
  missing: readonly Operation[],
): Addition {
  const last = object.properties.at(-1) ?? object;
  const { character } = file.getLineAndCharacterOfPosition(last.getStart(file));
  const indent = " ".repeat(character);
  const members = missing.map(({ operationId, method, path }) => {
    const id = JSON.stringify(operationId);
    const title = `${method.toUpperCase()} ${path}`.replaceAll("*/", "*\\/");
    return `
${indent}/** ${title} */
${indent}${propertyKey(operationId)}: () => {
${indent}  throw new NotImplementedError(${id});
${indent}},`;
  });
  const hasComma = object.properties.hasTrailingComma;
  return { at: object.properties.end, added: (hasComma ? "" : ",") + members.join("") };
}

/**
 * `Pick<AllHandlers, "a" | "b">` names them one by one, also under a name that the module gives it, and so does
 * a `Pick` of that; any other type is left to the compiler.
 */
function typeAdditions(
  type: ts.TypeNode | undefined,
  file: ts.SourceFile,
  missing: readonly Operation[],
): readonly Addition[] {
  const added = missing.map(({ operationId }) => ` | ${JSON.stringify(operationId)}`).join("");
  const seen = new Set<ts.TypeNode>();
  const additions: Addition[] = [];
  let next = type;
  while (next !== undefined && ts.isTypeReferenceNode(next) && !seen.has(next)) {
    seen.add(next);
    const name = next.typeName.getText();
    const [from, names] = next.typeArguments ?? [];
    if (name === "Pick" && names !== undefined) additions.push({ at: names.end, added });
    next = name === "Pick" ? from : aliased(file, name);
  }
  return additions;
}

/** What the module says that a name of a type stands for. */
function aliased(file: ts.SourceFile, name: string): ts.TypeNode | undefined {
  return file.statements.filter(ts.isTypeAliasDeclaration).find((one) => one.name.text === name)
    ?.type;
}
