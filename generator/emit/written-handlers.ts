// Which handlers people have written, read from the syntax of their modules: nothing is resolved, so that it
// takes a moment.

import { existsSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Where a handler stands. */
export interface Place {
  /** absolute path of the module */
  readonly path: string;
  /** from 1 */
  readonly line: number;
}

/**
 * Names of handlers: those that a module exports, and those of the members of an object, as a function that
 * builds handlers returns it. The assembly names every operation, written or not, so its members do not count.
 */
export function writtenNames(
  modules: readonly string[],
  assembly: string,
): ReadonlyMap<string, Place> {
  const names = new Map<string, Place>();
  for (const path of modules) {
    const file = parse(path);
    const add = (name: string, node: ts.Node): void => {
      if (!names.has(name)) names.set(name, placeOf(path, file, node));
    };
    for (const statement of file.statements) addExports(statement, add);
    if (path !== assembly) addMembers(file, add);
  }
  return names;
}

/** What the module names that puts handlers together. */
export interface Assembled {
  readonly names: ReadonlyMap<string, Place>;
  /** it spreads what other modules build, which may have any name; or it has yet to be written */
  readonly isOpen: boolean;
}

/** @param path absolute; undefined: there is no such module */
export function assembledNames(path: string | undefined): Assembled {
  const names = new Map<string, Place>();
  if (path === undefined) return { names, isOpen: true };
  const file = parse(path);
  addMembers(file, (name, node) => names.set(name, placeOf(path, file, node)));
  return { names, isOpen: hasSpread(file) };
}

function hasSpread(node: ts.Node): boolean {
  return ts.isSpreadAssignment(node) || ts.forEachChild(node, hasSpread) === true;
}

function placeOf(path: string, file: ts.SourceFile, node: ts.Node): Place {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { path, line: line + 1 };
}

/** Of the interface `Handlers` in a generated file; none: there is no such file yet. */
export function interfaceMembers(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return parse(path).statements.flatMap((statement) =>
    ts.isInterfaceDeclaration(statement) && statement.name.text === "Handlers"
      ? statement.members.flatMap(({ name }) => (name === undefined ? [] : textOf(name)))
      : [],
  );
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
}

type Add = (name: string, node: ts.Node) => void;

function addExports(statement: ts.Statement, add: Add): void {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    if (clause === undefined || !ts.isNamedExports(clause)) return;
    for (const specifier of clause.elements) add(specifier.name.text, specifier);
    return;
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return;
  if (ts.isFunctionDeclaration(statement)) add(statement.name?.text ?? "", statement);
  if (!ts.isVariableStatement(statement)) return;
  for (const declaration of statement.declarationList.declarations) {
    for (const name of boundNames(declaration.name)) add(name, declaration);
  }
}

function addMembers(node: ts.Node, add: Add): void {
  if (ts.isObjectLiteralExpression(node)) {
    for (const member of node.properties) {
      for (const name of member.name === undefined ? [] : textOf(member.name)) add(name, member);
    }
  }
  ts.forEachChild(node, (child) => addMembers(child, add));
}

/** None: it is computed. */
function textOf(name: ts.PropertyName): readonly string[] {
  return ts.isComputedPropertyName(name) ? [] : [name.text];
}

/** `a`, or every name that a pattern such as `{ a, b: [c] }` declares. */
function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : boundNames(one.name)));
}
