import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importProblems } from "./import-rules.ts";
import { projectRoot, readSourceFiles } from "./source-files.ts";

/** Forbidden imports, one for each side of each row of the table. */
const planted = [
  ["generator/planted.ts", "../service/errors.ts"],
  ["generator/emit/planted.ts", "../../handlers/errors.ts"],
  ["generator/planted-2.ts", "../generated/app.ts"],
  ["generated/planted.ts", "../handlers/errors.ts"],
  ["generated/operations/planted.ts", "../../service/errors.ts"],
  ["generated/planted-2.ts", "../adapters/clock.ts"],
  ["service/planted.ts", "../generated/app.ts"],
  ["service/payments/planted.ts", "../../handlers/errors.ts"],
  ["service/planted-2.ts", "../adapters/clock.ts"],
  ["service/planted-3.ts", "hono"],
  ["service/planted-4.ts", "zod"],
  ["service/planted-5.ts", "node:process"],
  ["service/planted-6.ts", "pg"],
  ["service/planted-7.ts", "node:http"],
  ["service/planted-8.ts", "@hono/zod-openapi"],
  ["handlers/planted.ts", "../adapters/clock.ts"],
  ["handlers/planted-2.ts", "node:sqlite"],
  ["handlers/planted-3.ts", "postgres"],
  ["adapters/planted.ts", "../handlers/errors.ts"],
  ["adapters/database/planted.ts", "../../handlers/errors.ts"],
] as const;

/** Broken rules of other kinds, so that a slip in the configuration cannot switch them off. */
const broken = [
  ["no-explicit-any", "export const a: any = 1;"],
  ["no-floating-promises", "Promise.resolve();"],
  ["no-misused-promises", "export const a = [1].map((n) => n); if (Promise.resolve()) a.pop();"],
  ["no-non-null-assertion", "export const a = (b: string | null): string => b!;"],
  ["no-unnecessary-condition", "export const a = (b: string): string => b ?? '';"],
  [
    "switch-exhaustiveness-check",
    "export function a(b: 'x' | 'y') { switch (b) { case 'x': return 1; } return 2; }",
  ],
  ["no-unsafe-member-access", "export const a: unknown = JSON.parse('{}').b;"],
  ["max-params", "export const a = (b: 1, c: 1, d: 1, e: 1) => [b, c, d, e];"],
  ["max-lines", "export const a = 1;\n".padEnd(420, "//\n").concat("//\n".repeat(400))],
  ["no-barrel-file", "export * from './planted.ts';"],
] as const;

test("the import graph follows the table", () => {
  expect(importProblems(readSourceFiles())).toEqual([]);
});

test("the real graph is what was read", () => {
  const main = new Map([
    ["service/x.ts", readSourceFiles("adapters/main.ts").get("adapters/main.ts") ?? ""],
  ]);
  expect(importProblems(main)).toContain("service/x.ts imports ../handlers/handlers.ts");
});

test.each(planted)("a planted import is seen: %s from %s", (path, imported) => {
  const files = new Map([[path, `import type { A } from "${imported}";\nexport type B = A;\n`]]);
  expect(importProblems(files)).toEqual([`${path} imports ${imported}`]);
});

describe("the linter", () => {
  let folder: string;
  let report: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tidy-"));
    for (const name of [".oxlintrc.json", "tsconfig.json", "package.json"]) {
      cpSync(join(projectRoot, name), join(folder, name));
    }
    symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    for (const [path, imported] of planted) write(path, `import "${imported}";\n`);
    for (const [rule, text] of broken) write(`handlers/broken/${rule}.ts`, `${text}\n`);
    const oxlint = join(projectRoot, "node_modules", "oxlint", "bin", "oxlint");
    // Named folders: it would walk through the linked node_modules else.
    const folders = ["adapters", "generated", "generator", "handlers", "service"];
    const parameters = [oxlint, "--type-aware", "--format", "unix", ...folders];
    report = spawnSync(process.execPath, parameters, { cwd: folder, encoding: "utf8" }).stdout;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const reported = (path: string): readonly string[] =>
    report.split("\n").filter((line) => line.startsWith(`${path}:`));

  test.each(planted)("sees it too: %s from %s", (path) => {
    expect(reported(path).join("\n")).toContain("no-restricted-imports");
  });

  test.each(broken)("has the rule %s", (rule) => {
    expect(reported(`handlers/broken/${rule}.ts`).join("\n")).toContain(`(${rule})`);
  });
});
