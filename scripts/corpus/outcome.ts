// What is told of one document.

export interface Agreement {
  /** schemas of which values were compared, and of how many */
  readonly schemas: number;
  readonly schemasAll: number;
  readonly values: number;
  /** values of which one side is known to judge otherwise: see set-aside.ts */
  readonly setAside: number;
  /** schemas that the other validator does not compile, with its reason */
  readonly uncompiled: readonly string[];
  readonly disagreements: readonly string[];
}

export interface Outcome {
  readonly kilobytes: number;
  /** of the generator alone, without formatting and writing */
  readonly milliseconds: number;
  /** the most memory that the process had, with everything that follows generating */
  readonly megabytes: number;
  readonly warnings: number;
  /** codes without which the document is refused */
  readonly allowed: readonly string[];
  /** why nothing was generated, and what went wrong afterwards */
  readonly problems: readonly string[];
  readonly operations: number;
  readonly reached: number;
  readonly agreement: Agreement;
}

export const nothingCompared: Agreement = {
  schemas: 0,
  schemasAll: 0,
  values: 0,
  setAside: 0,
  uncompiled: [],
  disagreements: [],
};

export function failed(problems: readonly string[], kilobytes: number): Outcome {
  const none = { milliseconds: 0, megabytes: 0, warnings: 0, operations: 0, reached: 0 };
  return { kilobytes, ...none, allowed: [], problems, agreement: nothingCompared };
}
