// The benchmarks over HTTP run: what they print is not judged here, since machines differ.

import { expect, test } from "vitest";
import { rowsOf } from "../database/looking.ts";
import { useQuietServer } from "../database/quiet-server.ts";
import { projectFolder, run } from "../generator/work-folder.ts";

const openQuiet = useQuietServer();

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

test("bench:servers lets servers share the clients, and finds what they made", async () => {
  const program = "scripts/bench/servers/main.ts";
  const { output, errors, code } = await run([program, ...short, "--servers", "1,2"]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  for (const servers of [1, 2])
    expect(output).toMatch(new RegExp(String.raw`^\| ${servers} \| [\d]+ \|`, "m"));
  expect(output).toContain("Every payment that was answered is there, once");
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

test("bench:fill gives an empty database a past, and no other one", async () => {
  const database = await openQuiet();
  const fill = (more: NodeJS.ProcessEnv) =>
    run(["scripts/bench/fill/main.ts", "--payments", "2000"], projectFolder, more);
  const { output, errors, code } = await fill({ DATABASE_URL: database.url });
  expect({ code, errors: errors.replace(/^fast-check seed.*\n/, "") }).toEqual({
    code: 0,
    errors: "",
  });
  expect(output).toMatch(/^2\d{3} payments, \d{5} rows, written at \d+ payments\/s$/m);
  const sums = `select (select count(*) from payments)::int as payments,
    (select count(*) from (select from ledger_postings group by deployment_id having sum(amount) <> 0) as one)::int
      as uneven`;
  const [row] = await rowsOf<{ payments: number; uneven: number }>(database, sums, []);
  expect(row?.payments).toBeGreaterThanOrEqual(2_000);
  expect(row?.uneven).toBe(0);
  const again = await fill({ DATABASE_URL: database.url });
  expect(again.code).toBe(1);
  expect(again.errors).toContain("give an empty one");
  const missing = await fill({ DATABASE_URL: "" });
  expect(missing.code).toBe(2);
  expect(missing.errors).toContain("DATABASE_URL is missing");
});

test("a kind that there is none of is told", async () => {
  const { errors, code } = await run(["scripts/bench/requests/main.ts", "--only", "nobody"]);
  expect(code).toBe(2);
  expect(errors).toContain("there is no kind nobody");
});
