// The benchmarks over HTTP run: what they print is not judged here, since machines differ.

import { expect, test } from "vitest";
import { run } from "../generator/work-folder.ts";

const short = ["--rounds", "1", "--seconds", "1", "--warm-up", "1", "--clients", "4"];

function rowOf(label: string): RegExp {
  return new RegExp(String.raw`^\| ${label} \|(?: [\d.]+ %? *\|)+`, "m");
}

test("bench:requests measures kinds, and finds all of them there", async () => {
  const program = "scripts/bench/requests/main.ts";
  const only = ["--only", "replay,withdraw,endpoint"];
  const { output, errors, code } = await run([program, ...short, ...only]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  for (const kind of ["the same again, replayed", "request a withdrawal", "a webhook endpoint"]) {
    expect(output).toMatch(rowOf(`${kind}[^|]*`));
  }
  expect(output).toContain("Every answer was the right one");
});

test("bench:payments counts what it made, and says where the time went", async () => {
  const program = "scripts/bench/payments/main.ts";
  const { output, errors, code } = await run([program, ...short, "--profile"]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(output).toContain("Every payment that was answered is there, once");
  for (const part of ["sockets", "pg, the driver", "service rooms", "handlers", "at work"]) {
    expect(output).toMatch(rowOf(part));
  }
  expect(output).toMatch(/^\| all \| 100\.0 % \|/m);
});

test("bench:watcher follows a chain, and finds what was on it in the database", async () => {
  const sizes = ["--addresses", "300", "--blocks", "60", "--rounds", "1", "--nodes", "2"];
  const program = "scripts/bench/watcher/main.ts";
  const { output, errors, code } = await run([program, ...sizes, "--only", "1"]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(output).toMatch(/^\| nothing for us \| [\d]+ \|/m);
  expect(output).toMatch(/^\| 1 log for us \| [\d]+ \|/m);
  expect(output).toMatch(/^Catching up: 60 blocks, /m);
  expect(output).toContain("Every transfer to us is there, once and final");
});

test("a kind that there is none of is told", async () => {
  const { errors, code } = await run(["scripts/bench/requests/main.ts", "--only", "nobody"]);
  expect(code).toBe(1);
  expect(errors).toContain("there is no kind nobody");
});
