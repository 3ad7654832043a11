// A run of Vitest with the reporter: what it prints and writes, and when it fails.

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const folder = join(import.meta.dirname, "run");
const program = join(import.meta.dirname, "..", "..", "node_modules", "vitest", "vitest.mjs");

async function run(answers: string, ...words: readonly string[]) {
  const reports = mkdtempSync(join(tmpdir(), "reports-"));
  onTestFinished(() => rmSync(reports, { recursive: true }));
  const config = join(folder, "vitest.config.ts");
  const arguments_ = [program, "run", "--config", config, ...words];
  // What this run says of itself to its tests is none of the other's.
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name),
  );
  const env = { ...Object.fromEntries(others), ANSWERS: answers, REPORTS: reports, NO_COLOR: "1" };
  return new Promise<{ code: number; out: string; files: Record<string, string> }>((resolve) => {
    execFile(process.execPath, arguments_, { cwd: folder, env }, (error, stdout) => {
      const names = readdirSync(reports);
      const files = names.map((name) => [name, readFileSync(join(reports, name), "utf8")] as const);
      const out = stdout.replace(/file:\S+/, "PAGE").trim();
      resolve({ code: Number(error?.code ?? 0), out, files: Object.fromEntries(files) });
    });
  });
}

const table = `1 operations x status x code: 3 of 3 answers met as they are promised

           201  409
makeThing    1    2

PAGE`;

test("prints the whole matrix, the same each time, and passes", async () => {
  const first = await run("full");
  expect([first.out, first.code]).toEqual([table, 0]);
  expect(Object.keys(first.files).toSorted()).toEqual(["index.html", "junit.xml"]);
  expect(await run("full")).toEqual(first);
});

test("fails when a cell is empty, though every test passes", async () => {
  const { code, out } = await run("");
  expect(code).toBe(1);
  expect(out).toContain("2 of 3 answers");
  expect(out).toContain("Promised, and never met:\n  makeThing 409 full\n");
});

test("fails when an answer was never promised, also in a part", async () => {
  for (const words of [[], ["two"]]) {
    const { code, out } = await run("full odd", ...words);
    expect(code).toBe(1);
    expect(out).toContain(
      "Met, and never promised:\n  makeThing 409 odd\n    two.cells.ts > answers",
    );
  }
});

test("shows what is not as promised, with the commands that repeat it", async () => {
  const { code, out, files } = await run("full bad");
  expect(code).toBe(1);
  expect(out).toContain(
    "Met, and not what is promised:\n  makeThing 201\n    two.cells.ts > answers",
  );
  expect(files["index.html"]).toContain("<pre>curl things</pre>");
  expect(files["junit.xml"]).toContain("two.cells.ts &gt; answers&#10;no id&#10;curl things");
});

test("says nothing of the rest when a part was asked for", async () => {
  for (const words of [["one"], ["-t", "makes"]]) {
    const { code, out, files } = await run("", ...words);
    expect([code, out]).toEqual([0, ""]);
    expect(files["junit.xml"]).not.toContain("empty");
  }
});
