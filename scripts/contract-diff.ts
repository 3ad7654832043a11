// Names what breaks clients between two revisions of a contract: npm run contract:diff [-- BASE [HEAD]]

import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Change, compareRevisions } from "../generator/changes/compare.ts";
import type { Judgement, Severity } from "../generator/changes/judgement.ts";
import { readRevision } from "../generator/changes/revision.ts";
import { operationsOf } from "../generator/command/changes/verdict.ts";
import { UsageError } from "../generator/command/terminal.ts";
import { DocumentError, positionOf } from "../generator/problems.ts";
import { displayPath } from "../generator/write/plan.ts";
import { type Override, overrideOf, readOverrides } from "./contract/overrides.ts";
import { extensions, noticeMonths } from "./contract/promises.ts";
import { pathOf } from "./command-line.ts";
import { lastReleased, openNamed, ownContract } from "./contract/revisions.ts";

const help = `Names what breaks clients between two revisions of an OpenAPI document.

  npm run contract:diff                        our contract against the last released one
  npm run contract:diff -- BASE [HEAD] [options]

BASE and HEAD are a file, a released version (0.1.0), a git revision (main~3: the same file in it) or
REV:path. HEAD is spec/openapi.yaml when it is left out.

  --format text|json    text names what breaks and warnings, json everything
  --all                 in text, what harms nobody as well
  --changelog FILE      where breaking changes are allowed (CHANGELOG.md for our own contract)
  --help

A breaking change is allowed by a line below "## Unreleased" of the changelog:

  - Breaks clients: \`rule\` at \`/pointer\`: why, and what clients do
  - Breaks clients: \`rule\` at \`/components/schemas/*/pattern\` (3 places): why, and what clients do

Exit code 0: nothing breaks that is not allowed. 1: something does, or a line allows what is not there.
2: the command line or a document is wrong.`;

interface Verdict {
  readonly base: string;
  readonly head: string;
  readonly changes: readonly JudgedChange[];
  /** lines of the changelog that do not allow what they say */
  readonly wrong: readonly WrongOverride[];
}

/** In the eyes of clients alone. */
interface JudgedChange
  extends Pick<Change, "rule" | "place" | "message" | "operations">, Judgement {
  readonly allowed: Override | undefined;
}

interface WrongOverride {
  readonly override: Override;
  /** how many changes it is about */
  readonly found: number;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        format: { type: "string", default: "text" },
        all: { type: "boolean", default: false },
        changelog: { type: "string" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Arguments = ReturnType<typeof readArguments>;

function compared({ values, positionals }: Arguments): Verdict {
  const [givenBase, givenHead, ...more] = positionals;
  if (more.length > 0) throw new UsageError("name one BASE and one HEAD at most");
  if (values.format !== "text" && values.format !== "json") {
    throw new UsageError(`--format is text or json, not ${values.format}`);
  }
  const headFile = givenHead === undefined ? ownContract : pathOf(givenHead);
  const base = givenBase ?? lastReleased();
  const pair = {
    base: openNamed(base, headFile),
    head: givenHead === undefined ? readRevision(ownContract) : openNamed(givenHead, ownContract),
  };
  const notice = { today: new Date().toISOString().slice(0, 10), months: noticeMonths };
  const found = compareRevisions(pair, { extensions, notice });
  const overrides = overridesFor(values, givenHead);
  const changes = found.map((change): JudgedChange => {
    const { rule, place, message, operations, clients } = change;
    return { rule, ...clients, place, message, operations, allowed: overrideOf(change, overrides) };
  });
  // against another base than the released one, a line may well be about something older
  const mustMatch = givenBase === undefined || values.changelog !== undefined;
  const counted = overrides.map((override) => ({
    override,
    found: new Set(
      changes.filter(({ allowed }) => allowed === override).map(({ place }) => place.pointer),
    ).size,
  }));
  return {
    base: displayPath(base),
    head: givenHead ?? displayPath(ownContract),
    changes,
    wrong: mustMatch ? counted.filter(({ override, found }) => found !== override.count) : [],
  };
}

function overridesFor(values: Arguments["values"], head: string | undefined): readonly Override[] {
  if (values.changelog === undefined && head !== undefined) return [];
  const own = join(import.meta.dirname, "../CHANGELOG.md");
  const file = values.changelog === undefined ? own : pathOf(values.changelog);
  return readOverrides(file, "Unreleased");
}

function lineOf({ place, rule, severity, message, advice, operations, allowed }: JudgedChange) {
  const { position, where } = positionOf(place);
  const lines = [`${position}  ${where}`, `    ${severity}: ${rule}: ${message}`];
  const names = operationsOf({ operations });
  if (names !== "") lines.push(`    in ${names}`);
  if (allowed !== undefined) lines.push(`    allowed by ${allowed.where}: ${allowed.reason}`);
  else if (advice !== "") lines.push(`    ${advice}`);
  return lines.join("\n");
}

function textOf({ base, head, changes, wrong }: Verdict, isAll: boolean): string {
  const shown = changes.filter(({ severity }) => isAll || severity !== "info");
  const count = (severity: Severity): number =>
    changes.filter((change) => change.severity === severity).length;
  const allowed = changes.filter((change) => change.allowed !== undefined).length;
  const lines = wrong.map(
    ({ override: { where, rule, pointer, count }, found }) =>
      `${where}  ${pointer}\n    allows ${rule} in ${count} places, and it is found in ${found} there\n` +
      `    take the line away, or mend its rule, place or number`,
  );
  const some = allowed === 0 ? "" : ` (${allowed} allowed by the changelog)`;
  return [
    ...shown.map(lineOf),
    ...lines,
    `from ${base} to ${head}: ${count("breaking")} breaking${some}, ${count("warning")} warnings, ` +
      `${count("info")} that harm nobody`,
  ].join("\n");
}

function main(): number {
  const given = readArguments();
  const { values } = given;
  if (values.help === true) {
    console.log(help);
    return 0;
  }
  const verdict = compared(given);
  if (values.format === "json") console.log(JSON.stringify(verdict, null, 2));
  else console.log(textOf(verdict, values.all));
  const isBroken = verdict.changes.some(
    ({ severity, allowed }) => severity === "breaking" && allowed === undefined,
  );
  return isBroken || verdict.wrong.length > 0 ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof DocumentError)) throw error;
  console.error(error.message);
  if (error instanceof UsageError) console.error("npm run contract:diff -- --help says more");
  process.exitCode = 2;
}
