// The library's types with one by name for every component, as ours have them.

import ts from "typescript";

/** The library's nodes with types by name in front; `identifiers`: component to TypeScript name. */
export function withTypeAliases(
  nodes: readonly ts.Node[],
  identifiers: ReadonlyMap<string, string>,
): ts.Node[] {
  const nameOf = (node: ts.TypeNode): string | undefined => {
    const component = componentOf(node);
    return component === undefined ? undefined : identifiers.get(component);
  };
  const named = ts.transform(
    [...nodes],
    [
      (context) => {
        const visit = (node: ts.Node): ts.Node => {
          if (isTextType(node)) return ts.factory.createTypeReferenceNode(node);
          const name = ts.isTypeNode(node) ? nameOf(node) : undefined;
          if (name !== undefined) return ts.factory.createTypeReferenceNode(name);
          return ts.visitEachChild(node, visit, context);
        };
        return visit;
      },
    ],
  ).transformed;
  const aliases: ts.Node[] = [];
  const rest = named.map((node) =>
    ts.isInterfaceDeclaration(node) && node.name.text === "components"
      ? withoutTypes(node, identifiers, aliases)
      : node,
  );
  return [...aliases, ...rest];
}

/**
 * The library writes the type of one text as an identifier in quotation marks, which is no type: with
 * `NODE_ENV=development` the compiler refuses to go on from there.
 */
function isTextType(node: ts.Node): node is ts.Identifier {
  return ts.isIdentifier(node) && node.text.startsWith('"');
}

/** The component that `components["schemas"]["Name"]` names. */
function componentOf(node: ts.TypeNode): string | undefined {
  const [outer, name] = step(node);
  const [inner, folder] = outer === undefined ? [] : step(outer);
  const isComponents =
    inner !== undefined && ts.isTypeReferenceNode(inner) && textOf(inner.typeName) === "components";
  return isComponents && folder === "schemas" ? name : undefined;
}

function step(node: ts.TypeNode): [from?: ts.TypeNode, name?: string] {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isLiteralTypeNode(node.indexType)) return [];
  const { literal } = node.indexType;
  return ts.isStringLiteral(literal) ? [node.objectType, literal.text] : [];
}

function textOf(name: ts.EntityName): string | undefined {
  return ts.isIdentifier(name) ? name.text : undefined;
}

/** `schemas: { Name: { ... } }` becomes `schemas: { Name: Name }`; `aliases` receives the types. */
function withoutTypes(
  components: ts.InterfaceDeclaration,
  identifiers: ReadonlyMap<string, string>,
  aliases: ts.Node[],
): ts.Node {
  const { factory } = ts;
  const property = (member: ts.TypeElement): ts.TypeElement => {
    if (!ts.isPropertySignature(member) || member.type === undefined) return member;
    const isText = ts.isStringLiteral(member.name) || ts.isNumericLiteral(member.name);
    const name = ts.isIdentifier(member.name) || isText ? member.name.text : undefined;
    const identifier = name === undefined ? undefined : identifiers.get(name);
    if (identifier === undefined) return member;
    const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
    const alias = factory.createTypeAliasDeclaration(modifiers, identifier, undefined, member.type);
    aliases.push(ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(member)));
    const type = factory.createTypeReferenceNode(identifier);
    return factory.createPropertySignature(undefined, member.name, undefined, type);
  };
  const members = components.members.map((member) => {
    const isSchemas =
      ts.isPropertySignature(member) &&
      ts.isIdentifier(member.name) &&
      member.name.text === "schemas";
    if (!isSchemas || member.type === undefined || !ts.isTypeLiteralNode(member.type))
      return member;
    const type = factory.createTypeLiteralNode(member.type.members.map(property));
    return factory.createPropertySignature(undefined, member.name, undefined, type);
  });
  const { modifiers, name, typeParameters, heritageClauses } = components;
  return factory.createInterfaceDeclaration(
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    members,
  );
}
