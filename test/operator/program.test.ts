// npm run admin as a process: alone on its data folder, and beside a running server.

import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { adminSocketPath, askServer } from "../../adapters/operator/socket.ts";
import {
  endChildren,
  makeDataDirectory,
  makeFolder,
  projectRoot,
  startAsPlainUser,
  startChild,
  startServerChild,
} from "../programs/child.ts";
import { signedHeaders } from "../programs/start-server.ts";

// Each start opens a database of its own, on whatever machine has to run all tests at once.
afterEach(endChildren);

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

async function admin(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = startChild(["adapters/admin.ts", ...words], environment);
  const { code } = await child.ended;
  return { code, output: child.output(), errors: child.errors() };
}

const scopes = ["--scopes", "currencies:read"];

test("without a server: a key made here opens the server that starts afterwards", async () => {
  const DATA_DIR = await makeDataDirectory();
  const merchant = await admin(["merchant", "create", "--name", "Shop"], { DATA_DIR });
  expect(merchant).toMatchObject({ code: 0, errors: "" });
  const [id = ""] = /mer_\w+/.exec(merchant.output) ?? [];
  const made = await admin(["key", "create", "--merchant", id, ...scopes], { DATA_DIR });
  const [key = ""] = /mk_test_\w+/.exec(made.output) ?? [];
  const [secret = ""] = /sk_test_[\w-]+/.exec(made.output) ?? [];

  const server = await startServerChild({ DATA_DIR });
  const list = { method: "GET", target: "/v1/currencies" };
  const attempt = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${list.target}`, {
      headers: signedHeaders({ key, secret }, list),
    });
  expect((await attempt()).status).toBe(200);
  // There is a merchant: nobody is shown a demo.
  expect(server.output()).not.toContain("DEMO");

  // Beside the server, through its socket, which nobody else may open.
  expect(statSync(adminSocketPath(DATA_DIR)).mode & 0o777).toBe(0o600);
  const revoked = await admin(["key", "revoke", key, "--yes"], { DATA_DIR });
  expect(revoked).toMatchObject({ code: 0, errors: "" });
  expect((await attempt()).status).toBe(401);
  const refused = await admin(["key", "revoke", "mk_test_nobody", "--yes"], { DATA_DIR });
  expect(refused).toEqual({ code: 1, output: "", errors: "There is no key mk_test_nobody.\n" });
  const catalog = join(projectRoot, "adapters", "catalog", "catalog.json");
  const applied = await admin(["catalog", "apply", catalog], { DATA_DIR });
  expect(applied).toMatchObject({ code: 0, errors: "" });
  expect(applied.output).toMatch(/^Nothing to change: catalog version 1\.\n$/);
  expect(server.output()).not.toContain(secret);

  // A server that was killed leaves its socket behind, and that is in nobody's way.
  server.kill("SIGKILL");
  await server.ended;
  expect(await askServer(DATA_DIR, { words: ["merchant", "list"] })).toBeUndefined();
  expect((await admin(["merchant", "list"], { DATA_DIR })).output).toContain("Shop");
});

test("where no embedded database is, none is made, and it says what to give", async () => {
  const DATA_DIR = makeFolder();
  const made = await admin(["merchant", "create", "--name", "Shop"], { DATA_DIR });
  expect(made).toMatchObject({ code: 3, output: "" });
  expect(made.errors).toMatch(/^There is no embedded database in \S+, [^\n]*DATABASE_URL[^\n]*\n$/);
  expect(readdirSync(DATA_DIR)).toEqual([]);
  const status = await admin(["status", "--json"], { DATA_DIR: join(DATA_DIR, "away") });
  expect([status.code, status.output]).toEqual([3, ""]);
  expect(JSON.parse(status.errors)).toMatchObject({ error: { code: "unreachable" } });
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

test.each([
  ["may not look into", 0o000, "EACCES: permission denied"],
  ["may not write to", 0o555, "unable to open database file"],
])("a data folder that its user %s is a sentence", async (_, mode, reason) => {
  const DATA_DIR = await makeDataDirectory();
  chmodSync(DATA_DIR, mode);
  const child = startAsPlainUser(["adapters/admin.ts", "status"], { DATA_DIR });
  const { code } = await child.ended;
  chmodSync(DATA_DIR, 0o700);
  expect([code, child.output()]).toEqual([3, ""]);
  expect(child.errors()).toContain(reason);
  expect(child.errors()).toMatch(/^The data folder \S+ cannot be used by this user [^\n]+\n$/);
});

test("a data folder whose files another user has written is a sentence, and stays as it was", async () => {
  const DATA_DIR = await makeDataDirectory();
  for (const name of ["server.lock", "server.pid"]) writeFileSync(join(DATA_DIR, name), "");
  const files = readdirSync(DATA_DIR);
  chmodSync(DATA_DIR, 0o755);
  const child = startAsPlainUser(["adapters/admin.ts", "status"], { DATA_DIR });
  const { code } = await child.ended;
  expect([code, child.output()]).toEqual([3, ""]);
  expect(child.errors()).toMatch(/^The data folder \S+ cannot be used by this user [^\n]+\n$/);
  expect(readdirSync(DATA_DIR)).toEqual(files);
});

test("wrong words and wrong configuration end at once, with a text and a code", async () => {
  expect(await admin(["frobnicate"], { DATA_DIR: await makeDataDirectory() })).toMatchObject({
    code: 2,
    output: "",
    errors: expect.stringContaining("usage: npm run admin") as string,
  });
  expect(await admin(["merchant", "list"], { PORT: "x" })).toMatchObject({
    code: 3,
    errors: expect.stringContaining("The configuration has 1 mistake") as string,
  });
  // Nobody listens on that port.
  const away = {
    DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const status = await admin(["status", "--json"], away);
  expect([status.code, status.output]).toEqual([3, ""]);
  expect(JSON.parse(status.errors)).toEqual({
    error: {
      code: "unreachable",
      message: expect.stringContaining("The database of DATABASE_URL cannot be used") as string,
    },
  });
  expect(await admin(["catalog", "apply", "nowhere.json"], {})).toMatchObject({
    code: 1,
    errors: expect.stringContaining("nowhere.json cannot be read") as string,
  });
  expect(await admin(["--help"], { PORT: "x" })).toMatchObject({ code: 0, errors: "" });
});
