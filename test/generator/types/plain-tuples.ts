// Lists as the library writes them. Of a tuple each place is there, and nothing more: ours say how many have to be.
// Beside another list it says that it is a list of anything, too, which says nothing and which ours leave out.

import ts from "typescript";

export function withPlainTuples(text: string): string {
  const source = ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest, true);
  const plain = ts.transform(source, [
    (context) => {
      const visit = (node: ts.Node): ts.Node => {
        const inner = ts.visitEachChild(node, visit, context);
        if (ts.isIntersectionTypeNode(inner)) return withoutAnyList(inner);
        if (ts.isParenthesizedTypeNode(inner) && isList(inner.type)) return inner.type;
        if (!ts.isTupleTypeNode(inner)) return inner;
        const places = inner.elements.filter((one) => !ts.isRestTypeNode(one));
        const types = places.map((one) => (ts.isOptionalTypeNode(one) ? one.type : one));
        return ts.factory.updateTupleTypeNode(inner, ts.factory.createNodeArray(types));
      };
      return (file: ts.SourceFile) => ts.visitNode(file, visit, ts.isSourceFile);
    },
  ]).transformed[0];
  return plain === undefined ? text : ts.createPrinter().printFile(plain);
}

function isList(type: ts.TypeNode): boolean {
  return ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type);
}

function isAnyList(type: ts.TypeNode): boolean {
  return ts.isArrayTypeNode(type) && type.elementType.kind === ts.SyntaxKind.UnknownKeyword;
}

function withoutAnyList(type: ts.IntersectionTypeNode): ts.TypeNode {
  if (!type.types.some((one) => isList(one) && !isAnyList(one))) return type;
  const [first, ...others] = type.types.filter((one) => !isAnyList(one));
  if (first === undefined || others.length === 0) return first ?? type;
  return ts.factory.updateIntersectionTypeNode(
    type,
    ts.factory.createNodeArray([first, ...others]),
  );
}
