// What became of documents, as a table.

import type { Outcome } from "./outcome.ts";

export interface Told {
  readonly name: string;
  /** where it comes from, and of which revision it is; undefined: that is not known */
  readonly source: string | undefined;
  readonly outcome: Outcome;
  readonly typeErrors: readonly string[];
}

interface Column {
  readonly title: string;
  readonly isText?: true;
  readonly cell: (told: Told) => string | number;
}

const columns: readonly Column[] = [
  { title: "document", isText: true, cell: ({ name }) => name },
  { title: "source", isText: true, cell: ({ source = "" }) => source },
  { title: "kB", cell: ({ outcome }) => outcome.kilobytes.toFixed(0) },
  {
    title: "operations",
    cell: (told) => (isGenerated(told) ? told.outcome.operations : "refused"),
  },
  { title: "reached", cell: ({ outcome }) => outcome.reached },
  { title: "allowed", isText: true, cell: ({ outcome }) => outcome.allowed.join(" ") },
  { title: "warnings", cell: ({ outcome }) => outcome.warnings },
  { title: "type errors", cell: ({ typeErrors }) => typeErrors.length },
  {
    title: "schemas",
    cell: ({ outcome: { agreement } }) =>
      agreement.schemas < agreement.schemasAll
        ? `${agreement.schemas} of ${agreement.schemasAll}`
        : agreement.schemas,
  },
  { title: "values", cell: ({ outcome }) => outcome.agreement.values },
  { title: "set aside", cell: ({ outcome }) => outcome.agreement.setAside },
  { title: "disagreements", cell: ({ outcome }) => outcome.agreement.disagreements.length },
  { title: "MB", cell: ({ outcome }) => outcome.megabytes.toFixed(0) },
  { title: "seconds", cell: ({ outcome }) => (outcome.milliseconds / 1000).toFixed(1) },
];

/** What is told of a document that is refused, too. */
const always = new Set(["document", "source", "kB", "operations"]);

export function isGenerated({ outcome }: Pick<Told, "outcome">): boolean {
  return outcome.operations > 0 || outcome.problems.length === 0;
}

/** Whether everything is as it has to be. */
export function isWhole({ outcome, typeErrors }: Told): boolean {
  const { problems, agreement } = outcome;
  return problems.length + typeErrors.length + agreement.uncompiled.length === 0;
}

export function tableOf(all: readonly Told[]): readonly string[] {
  const shown = columns.filter(
    ({ title }) => title !== "source" || all.some(({ source }) => source !== undefined),
  );
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(shown.map(({ title }) => title)),
    line(shown.map(({ isText }) => (isText === true ? "---" : "--:"))),
    ...all.map((told) => {
      const isTold = isGenerated(told);
      return line(shown.map((one) => (isTold || always.has(one.title) ? one.cell(told) : "")));
    }),
  ];
}
