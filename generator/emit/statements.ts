// The few kinds of statements that generated files are made of, as text; how they are laid out is decided later.

export interface Property {
  /** a comment, or "" */
  readonly doc: string;
  /** as it stands before the colon */
  readonly key: string;
  readonly type: string;
}

export function constant(name: string, type: string, initializer: string): string {
  return `\nexport const ${type === "" ? name : `${name}: ${type}`} = ${initializer};`;
}

/** @param name with its type parameters */
export function typeAlias(name: string, type: string): string {
  return `\nexport type ${name} = ${type};`;
}

/** @param name with its type parameters */
export function interfaceOf(name: string, properties: readonly Property[]): string {
  const lines = properties.map(({ doc, key, type }) => `${doc}readonly ${key}: ${type};`);
  return `\nexport interface ${name} {\n${lines.join("\n")}\n}`;
}

/** @param doc a comment as `docComment` makes it */
export function documented(doc: string, statement: string): string {
  return `\n${doc}${statement.trimStart()}`;
}
