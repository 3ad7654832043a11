// News for programs: one JSON document for each run, on one line.

import { diagnostics } from "../diagnostics/codes.ts";
import type { Place, Problem } from "../problems.ts";
import type { News, Teller } from "./news.ts";
import type { Terminal } from "./terminal.ts";

/** What `--format json` prints. */
export interface Report {
  readonly exitCode: number;
  readonly problems: readonly object[];
  readonly files: readonly object[];
  readonly edited: readonly object[];
  readonly stubs: readonly object[];
  readonly orphans: readonly object[];
  readonly upToDate: readonly string[];
  readonly failures: readonly string[];
}

export function jsonTeller({ say }: Terminal): Teller {
  let news: News[] = [];
  return {
    tell: (one) => void news.push(one),
    progress: () => {},
    end(exitCode) {
      say(JSON.stringify(reportOf(news, exitCode)));
      news = [];
    },
  };
}

function reportOf(news: readonly News[], exitCode: number): Report {
  const all = <Kind extends News["kind"]>(kind: Kind) =>
    news.filter((one): one is Extract<News, { kind: Kind }> => one.kind === kind);
  return {
    exitCode,
    problems: [
      ...all("warnings").flatMap(({ problems }) => problems.map((one) => problemOf(one))),
      ...all("refused").flatMap(({ problems, contract }) =>
        problems.map((one) => ({ ...problemOf(one), contract })),
      ),
    ],
    files: [
      ...all("file").map(({ file, change }) => ({ file, change })),
      ...all("stale").flatMap(({ files }) => files.map((file) => ({ file, change: "stale" }))),
    ],
    edited: all("edited").map(({ file, copy }) => ({ file, copy })),
    stubs: all("stub").map(({ operationId, file, line, nameIn = null }) => {
      return { operationId, file, line, nameIn };
    }),
    orphans: all("orphan").map(({ operationId, file, line, named = null }) => {
      return { operationId, file, line, named };
    }),
    upToDate: all("fresh").map(({ folder }) => folder),
    failures: all("failed").map(({ message }) => message),
  };
}

function problemOf({ place, also, ...problem }: Problem): object {
  const { code, severity, message, advice, allowed } = problem;
  const { title } = diagnostics[code];
  const others = also === undefined ? {} : { also: also.map(placeOf) };
  return { code, severity, title, message, advice, allowed, ...placeOf(place), ...others };
}

function placeOf({ file, line, column, pointer }: Place): object {
  return { file, line: line ?? null, column: column ?? null, pointer };
}
