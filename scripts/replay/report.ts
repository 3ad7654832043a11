// What was met, for people and for programs. Nothing in it is secret: problems and commands were freed of
// secrets when they were noted.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cellsOf, type JudgedCell, nameOf } from "../../generator/suite/cells.ts";
import { htmlReport } from "../../generator/suite/report-html.ts";
import { junitReport } from "../../generator/suite/report-junit.ts";
import { textReport } from "../../generator/suite/report-text.ts";
import type { Checked } from "./check.ts";
import type { Options } from "./options.ts";

const shownMax = 20;

export function textOf(checked: Checked, { url, isWhole }: Options): string {
  const { matrix, requests, notes, brokenOff } = checked;
  const wrong = [...cellsOf(matrix, "failed"), ...cellsOf(matrix, "undocumented")];
  const rest = wrong.length - shownMax;
  const problems = wrong.slice(0, shownMax).flatMap(problemLines);
  const more = rest > 0 ? [`and ${rest} more: --report DIR has them all`] : [];
  const verdict = checked.isSound ? "keeps the contract" : "does not keep the contract";
  const part = isWhole ? "with everything that a merchant can make" : "reads and refusals only";
  return [
    textReport(matrix),
    ...problems,
    ...more,
    "",
    ...notes,
    ...(brokenOff === undefined ? [] : [`broken off: ${brokenOff}`]),
    `${url} ${verdict}, as far as it was tried (${part}, ${requests} requests)`,
  ].join("\n");
}

function problemLines({ met, ...cell }: JudgedCell): readonly string[] {
  const [first] = met;
  if (first === undefined) return [];
  const { by, problem = "was never promised", repeat = "" } = first;
  return [
    "",
    `${nameOf(cell)}, at "${by}"${met.length > 1 ? ` and ${met.length - 1} more` : ""}:`,
    ...problem.split("\n").map((line) => `  ${line}`),
    ...(repeat === ""
      ? []
      : ["  again, with MERCHANT_API_KEY and MERCHANT_API_SECRET set:", repeat]),
  ];
}

export function jsonOf(checked: Checked, { url, key, environment, isWhole }: Options): string {
  const { matrix, isSound, requests, notes, brokenOff } = checked;
  const count = (state: JudgedCell["state"]): number => cellsOf(matrix, state).length;
  const counts = {
    met: count("met"),
    failed: count("failed"),
    undocumented: count("undocumented"),
    empty: count("empty"),
    untried: count("untried"),
  };
  const about = { url, key, environment, isWhole, isSound, requests, notes, brokenOff, counts };
  return JSON.stringify({ ...about, cells: cellsOf(matrix) }, null, 2);
}

/** The page's path. */
export function writeReport({ matrix }: Checked, options: Options, folder: string): string {
  const { url, key, isWhole } = options;
  mkdirSync(folder, { recursive: true });
  const page = join(folder, "index.html");
  const part = isWhole ? "Everything that a merchant can make" : "Reads and refusals";
  const about =
    `${part}, asked of ${url} with the key ${key}. Commands take the key and its secret from ` +
    "MERCHANT_API_KEY and MERCHANT_API_SECRET.";
  writeFileSync(page, htmlReport(matrix, { title: "Contract", about }));
  writeFileSync(join(folder, "junit.xml"), junitReport(matrix));
  return page;
}
