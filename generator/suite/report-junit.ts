// A matrix as JUnit XML: a suite for each operation, a case for each cell.

import { cellsOf, type JudgedCell, type Matrix, type MatrixRow, nameOf } from "./cells.ts";
import { markupSigns } from "./report-html.ts";

export function junitReport(matrix: Matrix): string {
  const suites = matrix.rows.flatMap(suiteOf);
  const attributes = { name: "contract", ...counts(cellsOf(matrix)) };
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    opening("testsuites", attributes),
    ...suites,
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function counts(cells: readonly JudgedCell[]) {
  const untried = cells.filter(({ state }) => state === "untried").length;
  const failures = cells.filter(({ state }) => state !== "met").length - untried;
  const skipped = untried === 0 ? {} : { skipped: String(untried) };
  return { tests: String(cells.length), failures: String(failures), errors: "0", ...skipped };
}

function suiteOf({ operation, cells }: MatrixRow): readonly string[] {
  return [
    opening("testsuite", { name: operation, ...counts(cells) }),
    ...cells.flatMap(caseOf),
    "</testsuite>",
  ];
}

function caseOf(cell: JudgedCell): readonly string[] {
  const { operation, status, code, state, met } = cell;
  const name = code === undefined ? String(status) : `${status} ${code}`;
  const attributes = { classname: `contract.${operation}`, name };
  if (state === "met") return [opening("testcase", attributes, "/")];
  if (state === "untried") {
    const skipped = opening("skipped", { message: cell.reason ?? "" }, "/");
    return [opening("testcase", attributes), skipped, "</testcase>"];
  }
  const messages = {
    empty: "is promised, and was never met",
    undocumented: "was met, and is not promised",
    failed: "is not what is promised",
  };
  const text = met
    .filter(({ problem }) => problem !== undefined || state === "undocumented")
    .map(({ by, problem, repeat }) => [by, problem, repeat].filter(Boolean).join("\n"))
    .join("\n\n");
  const failure = { type: state, message: `${nameOf(cell)} ${messages[state]}` };
  return [
    opening("testcase", attributes),
    `${opening("failure", failure)}${escapeXml(text)}</failure>`,
    "</testcase>",
  ];
}

function opening(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  end: "" | "/" = "",
): string {
  const texts = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  return `<${tag}${texts.join("")}${end}>`;
}

/** What XML 1.0 has no way to write at all: controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const signs: Readonly<Record<string, string>> = {
  ...markupSigns,
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** For text and for attributes; line breaks stay, also in an attribute. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unwritable, "\ufffd")
    .replaceAll(/[&<>"'\r\n\t]/g, (sign) => signs[sign] ?? sign);
}
