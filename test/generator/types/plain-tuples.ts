// Tuples as the library writes them: each place is there, and nothing more. Ours say how many have to be.

import ts from "typescript";

export function withPlainTuples(text: string): string {
  const source = ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest, true);
  const plain = ts.transform(source, [
    (context) => {
      const visit = (node: ts.Node): ts.Node => {
        const inner = ts.visitEachChild(node, visit, context);
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
