// The number that a contract gives itself. One that stays says nothing yet; one that changes says how much has changed
// (Semantic Versioning 2.0.0, sections 4, 8 and 11).

import { isObject, textOf } from "../json.ts";
import type { Both, Found, Pair } from "./found.ts";
import type { At, Revision } from "./revision.ts";

/** `breaks`: whether something breaks clients. Nothing is said of numbers that are not of three parts. */
export function compareVersions({ base, head }: Pair, breaks: boolean): readonly Found[] {
  const both: Both<string> = { base: versionIn(base), head: versionIn(head) };
  const before = numbersOf(both.base);
  const after = numbersOf(both.head);
  if (before === undefined || after === undefined) return [];
  const where = { base: placeOf(base), head: placeOf(head) };
  const message = `${both.base} became ${both.head}`;
  const step = before.findIndex((number, index) => number !== after[index]);
  if (step === -1) return [];
  if ((after[step] ?? 0) < (before[step] ?? 0)) {
    return [{ ...where, rule: "version-lowered", message }];
  }
  // below 1.0.0 the second number says what breaks
  const allowed = before[0] === 0 ? 1 : 0;
  if (!breaks || step <= allowed) return [];
  return [
    { ...where, rule: "version-raised-too-little", message: `${message}, and clients break` },
  ];
}

function versionIn({ document }: Revision): string {
  const { info } = document;
  return (isObject(info) ? textOf(info["version"]) : undefined) ?? "";
}

function numbersOf(version: string): readonly number[] | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version) ?? [];
  return parts.length === 0 ? undefined : parts.map(Number);
}

function placeOf(revision: Revision): At {
  const { info } = revision.document;
  return isObject(info)
    ? { revision, node: info, name: "version" }
    : { revision, node: revision.document };
}
