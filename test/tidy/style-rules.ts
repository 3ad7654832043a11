// Rules of style that a linter cannot say, or cannot say here. Each takes files and gives problems.

import type { SourceFiles } from "./source-files.ts";

export type StyleRule = (files: SourceFiles) => readonly string[];

const linesMax = 400;

/** Words of this service. The generator must work for any other contract just as well. */
const serviceWord =
  /payment|merchant|withdraw|payout|wallet|blockchain|currenc|subscription|x402|settlement|refund|ledger|checkout|invoice|stablecoin/i;

function linesMatching(files: SourceFiles, where: RegExp, what: RegExp): readonly string[] {
  const problems: string[] = [];
  for (const [path, text] of files) {
    if (!where.test(path)) continue;
    for (const [index, line] of text.split("\n").entries()) {
      if (what.test(line)) problems.push(`${path}:${index + 1} ${line.trim()}`);
    }
  }
  return problems;
}

/** Long files hide their story. What the generator writes is as long as the contract. */
export const filesAreShort: StyleRule = (files) =>
  Array.from(files)
    .filter(([path]) => !path.startsWith("generated/"))
    .map(([path, text]) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${linesMax}`);

/** A test that is switched off, or the only one switched on, is forgotten the same day. */
export const testsAreOn: StyleRule = (files) =>
  linesMatching(
    files,
    /\.test\.ts$/,
    /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:only|skip|todo|skipIf|fails)\b/,
  );

/**
 * A limit only ends what hangs, and one is enough for all: a test's own is met on a busy machine. How quick
 * something is, is compared with the machine.
 */
export const testsHaveNoTimeLimits: StyleRule = (files) =>
  linesMatching(
    files,
    /^test\/.*\.ts$/,
    /\b(?:timeout|testTimeout|hookTimeout): [\d_]{4,}|^\s*\}, [\d_]{5,}\);|performance\.now\(\) - .*toBeLess/,
  );

/** A folder of a test is gone after it: a machine that runs the tests every day fills up. */
export const foldersAreRemoved: StyleRule = (files) =>
  Array.from(files)
    .filter(([path]) => path.endsWith(".test.ts"))
    .filter(([, text]) =>
      /\b(?:make(?:Folder|DataDirectory)|start(?:ServerChild|Child|AsPlainUser))\(/.test(text),
    )
    .filter(([, text]) => !/\bendChildren\b/.test(text))
    .map(([path]) => `${path} makes folders and never calls endChildren`);

export const generatorIsGeneral: StyleRule = (files) =>
  linesMatching(files, /^generator\//, serviceWord);

/** Rules are tested with times and ids of the test's choice: nobody there asks the machine. */
export const timeIsHandedIn: StyleRule = (files) =>
  linesMatching(
    files,
    /^(?:service|handlers)\//,
    /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/,
  );

/** A file is named after its one subject. */
export const namesSaySomething: StyleRule = (files) =>
  Array.from(files.keys()).filter((path) => {
    const [name = ""] = path.split("/").at(-1)?.split(".") ?? [];
    return (
      !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ||
      /^(?:utils?|helpers?|misc|common|index)$/.test(name)
    );
  });

/** Whoever switches a rule off says why, after two dashes. */
export const exceptionsHaveReasons: StyleRule = (files) =>
  linesMatching(
    files,
    /./,
    /(?:oxlint|eslint)-disable(?!.*\s--\s\S)|@ts-(?:ignore|nocheck)|@ts-expect-error(?!.*\S)/,
  );

/** A path in a comment is wrong after the next move; the name of a function moves with it. */
export const commentsNameNoFiles: StyleRule = (files) =>
  linesMatching(
    files,
    /^(?:service|handlers|adapters)\/.*\.ts$/,
    /(?:^\s*(?:\/\/|\/?\*).*|;\s*\/\/.*)\b[a-z0-9-]+\.(?:sql\.)?ts\b/,
  );
