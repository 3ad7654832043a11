// The benchmark of the generator runs: what it prints is not judged here, since machines differ.

import { expect, test } from "vitest";
import { run } from "./work-folder.ts";

const program = "scripts/bench/generator/main.ts";

test("beside openapi-typescript, each contender with a ratio, and none fails", async () => {
  const { output, errors, code } = await run([program, "--rounds", "1"]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const labels = [
    String.raw`openapi-typescript \(types only\)`,
    "ours, cold",
    "ours, nothing changed",
    "ours, one line changed",
  ];
  for (const label of labels) {
    expect(output).toMatch(
      new RegExp(`^\\| ${label} \\| \\d+\\.\\d\\d \\| \\d+\\.\\d\\d \\| `, "m"),
    );
  }
});

test("ours as its tarball installs it", async () => {
  const { output, errors, code } = await run([program, "--rounds", "1", "--installed"]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(output).toMatch(/^\| ours, one line changed \| \d+\.\d\d \| /m);
});

test("of documents that grow, and of edits while it watches", async () => {
  const growth = await run([program, "--rounds", "1", "--growth"]);
  expect(growth).toMatchObject({ code: 0, errors: "" });
  expect(growth.output).toMatch(/^\| ours, cold \| 1000 \| \d+\.\d\d \| \d+\.\d \|$/m);
  const watch = await run([program, "--rounds", "1", "--watch"]);
  expect(watch).toMatchObject({ code: 0, errors: "" });
  expect(watch.output).toMatch(/^\| any other \| \d+ \| \d+ \|$/m);
});

test("an option that is none, and a file that is not there, are told", async () => {
  const unknown = await run([program, "--peers", "nobody"]);
  expect(unknown.code).toBe(2);
  expect(unknown.errors).toMatch(/^--peers: there is no nobody\n\nnpm run bench:generator /);
  const lost = await run([program, "lost.yaml"]);
  expect(lost.code).toBe(2);
  expect(lost.errors).toContain("lost.yaml is not there");
});
