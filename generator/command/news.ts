// What a run has to tell, whoever hears it: people at a terminal, or a program.

import type { Problem } from "../problems.ts";

/** Files are named as people know them: relative to the working directory where they lie below it. */
export type News =
  | { readonly kind: "warnings"; readonly problems: readonly Problem[] }
  /** nothing was written; `contract`: its name, where there are others */
  | {
      readonly kind: "refused";
      readonly problems: readonly Problem[];
      readonly contract: string | undefined;
      /** there are no errors, and warnings count as some */
      readonly isStrict: boolean;
    }
  | {
      readonly kind: "file";
      readonly file: string;
      readonly change: "wrote" | "rewrote" | "removed";
    }
  /** by hand; `copy`: where that is kept */
  | { readonly kind: "edited"; readonly file: string; readonly copy: string }
  | {
      readonly kind: "stub";
      readonly operationId: string;
      readonly file: string;
      readonly line: number;
      /** where it has to be named by hand */
      readonly nameIn: string | undefined;
    }
  | {
      readonly kind: "orphan";
      readonly operationId: string;
      readonly file: string;
      readonly line: number;
      /** where it is named besides */
      readonly named: string | undefined;
    }
  | { readonly kind: "fresh"; readonly folder: string }
  | { readonly kind: "stale"; readonly files: readonly string[]; readonly diff: string }
  /** somebody else is at it */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "watching"; readonly files: readonly string[] };

export interface Teller {
  readonly tell: (news: News) => void;
  /** what is being done, for those who wait */
  readonly progress: (doing: string) => void;
  /** a run has ended with this exit code */
  readonly end: (code: number) => void;
}
