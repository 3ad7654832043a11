// The subcommand itself: what it says, and how it ends where there is nothing to serve.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../../generator/command.ts";
import { textOfLine } from "../../../generator/command/mock.ts";
import { documentOf } from "./serving.ts";

let folder = "";
let taken: Server;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mock-command-"));
  writeFileSync(join(folder, "right.json"), JSON.stringify(documentOf({})));
  writeFileSync(
    join(folder, "wrong.json"),
    JSON.stringify(documentOf({ "/a": { get: { responses: { "20": {} } } } })),
  );
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => taken.close(resolve));
});

async function run(...args: readonly string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runCommand(["mock", ...args], {
    say: (line) => void said.push(line),
    complain: (line) => void complained.push(line),
  });
  return { code, said: said.join("\n"), complained: complained.join("\n") };
}

test("tells its options", async () => {
  const { code, said } = await run("--help");
  expect(code).toBe(0);
  for (const word of ["--state", "--latency", "--faults", "--cors", "--watch", "Prefer"]) {
    expect(said).toContain(word);
  }
});

test.each([
  ["--port", "70000", "--port is a whole number from 0 to 65535"],
  ["--faults", "101", "--faults is a whole number from 0 to 100"],
  ["--latency", "9-3", "--latency MIN-MAX: the first is the smaller one"],
  ["--latency", "soon", "--latency is a whole number from 0 to 60000"],
  ["--host", "", "--host: name an address"],
  ["--cors", "http://☃.example", '--cors: write "*", or an origin'],
  ["--sed", "1", "Unknown option '--sed'"],
])("ends with 2: %s %s", async (...[flag, word, message]) => {
  const { code, complained } = await run("--spec", join(folder, "right.json"), flag, word);
  expect(code).toBe(2);
  expect(complained).toContain(message);
});

test("ends with 1 where the document is wrong, with its problems", async () => {
  const { code, complained } = await run("--spec", join(folder, "wrong.json"), "--port", "0");
  expect(code).toBe(1);
  expect(complained).toMatch(/wrong\.json:\d+:\d+ {2}\/paths\/~1a\/get\/responses/);
});

test("ends with 1 where the port is taken", async () => {
  const { port } = taken.address() as AddressInfo;
  const { code, complained } = await run(
    "--spec",
    join(folder, "right.json"),
    "--port",
    String(port),
  );
  expect([code, complained]).toEqual([1, `port ${port} is taken: name another --port`]);
});

test("ends with 1 where the address is none of this machine", async () => {
  const spec = join(folder, "right.json");
  // of a network for documentation (RFC 5737)
  const { code, complained } = await run("--spec", spec, "--port", "0", "--host", "192.0.2.1");
  expect([code, complained]).toEqual([
    1,
    "192.0.2.1 and port 0 are nothing to listen on here (EADDRNOTAVAIL): name another --host or --port",
  ]);
});

test("hands no control characters of a request on to the terminal", () => {
  const line = { method: "POST", target: "/a", operationId: "a\u001b[2J", milliseconds: 1 };
  const violations = [
    { in: "body", pointer: "/\u001b]0;x\u0007\u202e", rule: "type", message: "wrong" },
  ] as const;
  const refusal = { status: 400, code: "x", message: "wrong", violations, headers: {} };
  const said = textOfLine({ ...line, status: 400, refusal });
  expect(said).toBe("400 POST /a a\\u001b[2J 1 ms  wrong; body /\\u001b]0;x\\u0007\\u202e type");
});

test("says of a request what became of it, in one line", () => {
  const line = { method: "POST", target: "/a?b=1", operationId: "makeA", milliseconds: 3.4 };
  expect(textOfLine({ ...line, status: 201, refusal: undefined })).toBe(
    "201 POST /a?b=1 makeA 3 ms",
  );
  const violations = Array.from({ length: 7 }, (_, at) => {
    return { in: "body", pointer: `/${at}`, rule: "type", message: "must be text" } as const;
  });
  const refusal = { status: 400, code: "x", message: "wrong", violations, headers: {} };
  expect(textOfLine({ ...line, status: 400, refusal })).toBe(
    "400 POST /a?b=1 makeA 3 ms  wrong; body /0 type; body /1 type; body /2 type; body /3 type; " +
      "body /4 type; 2 more",
  );
  expect(textOfLine({ ...line, status: 0, refusal: undefined })).toContain("connection broken");
});
