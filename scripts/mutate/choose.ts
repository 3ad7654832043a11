// Which of the many mutants are tried, and in which order.

import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { sep } from "node:path";
import { areaOf, areas } from "./areas.ts";
import type { ChangedLines } from "./changed.ts";
import { findMutants } from "./find.ts";
import type { Mutant } from "./mutant.ts";

export interface Wish {
  /** names of areas; empty: all */
  readonly areas: readonly string[];
  /** parts of paths; empty: all */
  readonly files: readonly string[];
  /** empty: all */
  readonly ids: readonly string[];
  readonly changed: ChangedLines | undefined;
  /** of each area; undefined: all */
  readonly sample: number | undefined;
  readonly seed: string;
}

/** In an order that the seed alone decides, the areas taking turns. */
export function chooseMutants(root: string, wish: Wish): readonly Mutant[] {
  const byArea = new Map<string, Mutant[]>(areas.map(({ name }) => [name, []]));
  for (const path of pathsOf(root, wish)) {
    const own = findMutants(root, path).filter(
      ({ id, line }) =>
        isChanged(wish.changed, path, line) && (wish.ids.length === 0 || wish.ids.includes(id)),
    );
    byArea.get(areaOf(path)?.name ?? "")?.push(...own);
  }
  const drawn = [...byArea.values()].map((own) => {
    const shuffled = own.toSorted((a, b) => (lot(wish.seed, a) < lot(wish.seed, b) ? -1 : 1));
    return shuffled.slice(0, wish.sample);
  });
  const rounds = Math.max(0, ...drawn.map((own) => own.length));
  return Array.from({ length: rounds }, (_, round) =>
    drawn.flatMap((own) => own[round] ?? []),
  ).flat();
}

/** Of what a declaration file says nothing runs. */
const exclude = ["**/*.d.ts"];
const patterns = ["{service,handlers,adapters,generator}/**/*.ts", "spec/openapi.yaml"];

function pathsOf(root: string, wish: Wish): readonly string[] {
  const found = globSync(patterns, { cwd: root, exclude });
  return found
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => {
      const area = areaOf(path)?.name;
      if (area === undefined || (wish.areas.length > 0 && !wish.areas.includes(area))) return false;
      if (wish.changed !== undefined && !wish.changed.has(path)) return false;
      return wish.files.length === 0 || wish.files.some((part) => path.includes(part));
    })
    .toSorted();
}

function isChanged(changed: ChangedLines | undefined, path: string, line: number): boolean {
  if (changed === undefined) return true;
  return (changed.get(path) ?? []).some(([first, last]) => line >= first && line <= last);
}

function lot(seed: string, { id }: Mutant): string {
  return createHash("sha256").update(`${seed} ${id}`).digest("hex");
}
