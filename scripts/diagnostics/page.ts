// docs/generator/diagnostics.md as it has to be: the table of codes, and what the generator says of an example
// of each.

import { frameOf } from "../../generator/command/frame.ts";
import {
  type Code,
  codes,
  type Diagnostic,
  diagnostics,
  isCode,
} from "../../generator/diagnostics/codes.ts";
import { formatProblem, type Problem } from "../../generator/problems.ts";
import type { Example } from "./documents.ts";
import { examples } from "./examples.ts";
import { toldOf } from "./told.ts";
import { asPage } from "./write-page.ts";

const areas: readonly (readonly [first: string, title: string])[] = [
  ["1", "Reading files"],
  ["2", "References and names"],
  ["3", "Shapes of objects"],
  ["4", "Schemas"],
  ["5", "Parameters, bodies and answers"],
  ["6", "Paths and operations"],
  ["7", "Security"],
  ["8", "Defaults and examples"],
];

const introduction = `# Problems and their codes

For everybody whose document the generator finds fault with: what each code means, what to do, and what happens
when it is allowed.

Made by \`npm run diagnostics\` from the table of codes and from what the generator says of an example of each. Do not
edit it: a test compares it. How problems are printed, allowed and read by programs stands in
[the generator](../generator.md#problems-of-a-document).

An **error** stops the generator, and nothing is written. A **warning** does not. \`--allow CODE\` allows one by its
name: a warning is not said any more, an error becomes a warning and what stands here happens. Some errors cannot be
allowed, since nobody could say what is meant, or since an operation could be open to anybody by it.
`;

export async function renderDiagnosticsPage(): Promise<string> {
  const all = Object.keys(codes).filter(isCode);
  const sections = areas.map(([first, title]) => {
    const own = all.filter((code) => code.startsWith(`OAG${first}`));
    const rows = own.map((code) => row(code, diagnostics[code]));
    const table = ["| code | what | |", "| --- | --- | --- |", ...rows].join("\n");
    return [`## ${title}`, table, ...own.map(section)].join("\n\n");
  });
  const text = [introduction, ...sections].join("\n\n");
  return asPage(text);
}

function row(code: Code, one: Diagnostic): string {
  const kind =
    one.severity === "warning" ? "warning" : "allowed" in one ? "error, can be allowed" : "error";
  return `| [${code}](#${code.toLowerCase()}) | ${one.title} | ${kind} |`;
}

function section(code: Code): string {
  const one = diagnostics[code];
  const [problem] = toldOf(examples[code]).problems;
  if (problem === undefined) throw new Error(`nothing is said of the example of ${code}`);
  return [
    `### ${code}`,
    `${capitalised(one.title)}. ${consequence(code, one)}`,
    "```text\n" +
      [...linesOf(examples[code], problem), formatProblem(problem)].join("\n") +
      "\n```",
  ].join("\n\n");
}

function consequence(code: Code, one: Diagnostic): string {
  if (one.severity === "warning") return `A warning: with \`--allow ${code}\` it is not said.`;
  if ("allowed" in one) return `An error; with \`--allow ${code}\`: ${one.allowed}.`;
  return `An error that cannot be allowed: ${one.never}.`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What stands around it, where there is something. */
function linesOf({ files }: Example, { place }: Problem): readonly string[] {
  const text = files[place.file];
  if (place.line === undefined || text === undefined) return [];
  const lines = Buffer.from(text).toString("utf8").split("\n");
  const spot = { line: place.line, column: place.column ?? 1 };
  const look = { columns: 110, paint: (_: string, word: string): string => word, around: 3 };
  return [...frameOf(lines, spot, look), ""];
}
