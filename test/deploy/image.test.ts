// The service with what the image holds and nothing else: it starts, and says what to do where something is asked for that
// is not in it. The image itself is built by hand.

import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startPostgresServer } from "../support/postgres-server.ts";
import { reachableFrom } from "../tidy/reachable-modules.ts";
import { readSourceFiles } from "../tidy/source-files.ts";
import {
  endChildren,
  giveToPlainUser,
  logLines,
  makeFolder,
  projectRoot,
  startAsPlainUser,
} from "../programs/child.ts";
import type { Child } from "../programs/child.ts";
import { copiedIntoImage, imageCommand, readDeployFile } from "./files.ts";
import { fillImageFolder } from "./image.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "image-"));
  fillImageFolder(folder);
});
afterEach(endChildren);
afterAll(() => rmSync(folder, { recursive: true }));

const production = {
  NODE_ENV: "production",
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: "https://pay.example.com",
  TRUSTED_PROXIES: "none",
};

/** As the image's entry point, with its Node: the one of the tests has the pinned version. */
function start(
  [program = "", ...words]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Child {
  const [, ...flags] = imageCommand("ENTRYPOINT");
  return startAsPlainUser([...flags, join(folder, program), ...words], environment);
}

/** As production asks for it: one that forces writes to the disk, and a role that is no superuser. */
async function makeDatabase(): Promise<string> {
  const server = await startPostgresServer({ isDurable: true });
  onTestFinished(server.remove);
  await server.execute("create role payments login");
  await server.execute("create database payments owner payments");
  return `postgres://payments@127.0.0.1:${server.port}/payments`;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  server.close();
  await once(server, "close");
  return String(port);
}

describe("what the image holds", () => {
  test("is enough for a migration and a server, and the site of the docs is not in it", async () => {
    const [DATABASE_URL, PORT] = [await makeDatabase(), await freePort()];
    const migration = start(["adapters/migrate.ts"], { DATABASE_URL });
    expect([(await migration.ended).code, migration.errors()]).toEqual([0, ""]);
    const environment = { ...production, DATABASE_URL, METRICS_LISTEN: "127.0.0.1:0" };
    // Nothing is built in production, whatever it is told.
    const server = start([...imageCommand("CMD"), "--build-docs"], { ...environment, PORT });
    await server.waitFor(/listening on/);
    const get = (path: string) => fetch(`http://127.0.0.1:${PORT}${path}`, { redirect: "manual" });
    expect((await get("/readyz")).status).toBe(200);
    expect((await get("/openapi.json")).status).toBe(200);
    expect(await (await get("/docs")).text()).toMatch(/not available here.*href="openapi\.json"/s);
    const refused = await get("/docs/reference/payments");
    expect(refused.status).toBe(404);
    expect(refused.headers.get("link")).toBe('</docs/errors#not_found>; rel="help"');
    expect(await (await get("/docs/errors")).text()).toContain('<section id="not_found">');
    // The health check, as the image has it.
    const [, ...words] = imageCommand("HEALTHCHECK");
    expect((await startAsPlainUser(words, { PORT }).ended).code).toBe(0);
    server.kill("SIGTERM");
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const aboutSite = logLines(server).filter(({ msg }) => String(msg).includes("/docs"));
    expect(aboutSite).toHaveLength(1);
    expect(aboutSite[0]?.["msg"]).toContain("there is no site at /docs");
    expect((await startAsPlainUser(words, { PORT }).ended).code).toBe(1);
  });

  test("is enough for the signer and the operator's commands", async () => {
    const SIGNER_DIR = giveToPlainUser(makeFolder());
    const signer = start(["adapters/signer/main.ts", "init"], {
      ...production,
      SIGNER_DIR,
    });
    expect((await signer.ended).code).toBe(0);
    expect(signer.output()).toMatch(/^Hot +0x[0-9A-Fa-f]{40}$/m);
    const admin = start(["adapters/admin.ts", "--help"], production);
    expect((await admin.ended).code).toBe(0);
    expect(admin.output()).toContain("merchant create");
  });

  test("has no embedded database, and says so", async () => {
    const server = start(imageCommand("CMD"), production);
    expect((await server.ended).code).toBe(1);
    expect(server.errors()).toBe(
      "Without DATABASE_URL the embedded database is used: name a PostgreSQL server in DATABASE_URL, or install the " +
        "package @electric-sql/pglite, which is not there: npm ci --include=optional\n",
    );
  });

  test("has no local chain, and says so", async () => {
    const server = start(imageCommand("CMD"), {
      ...production,
      NODE_ENV: "development",
      DATABASE_URL: await makeDatabase(),
      LOCAL_CHAIN: "on",
      PORT: "0",
    });
    expect((await server.ended).code).toBe(1);
    expect(server.errors()).toMatch(
      /^The local chain is for development and needs the package \S+: install with "npm ci"/,
    );
  });
});

test("the pages of the image are where DOCS_BASE says, and at /docs without it", () => {
  const stage = readDeployFile("Containerfile").split(/^FROM .* AS site$/m)[1] ?? "";
  expect(stage).toContain("\nARG DOCS_BASE=/docs/\n");
  expect(stage).toContain('/opt/node scripts/docs.ts --base "${DOCS_BASE}"\n');
});

test("every program of the image finds its modules and packages there", () => {
  const files = readSourceFiles("{adapters,generated,handlers,service}/**/*.ts");
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const copied = copiedIntoImage();
  for (const program of [
    "adapters/main.ts",
    "adapters/admin.ts",
    "adapters/migrate.ts",
    "adapters/signer/main.ts",
  ]) {
    const { builtins, packages } = reachableFrom(program, files);
    const folders = new Set(Array.from(builtins.keys(), (path) => path.split("/")[0]));
    expect([...folders].filter((one) => !copied.includes(one ?? ""))).toEqual([]);
    // The embedded database is looked for before it is imported.
    const absent = [...packages].filter((one) => !Object.hasOwn(dependencies, one));
    expect(absent.filter((one) => one !== "@electric-sql/pglite")).toEqual([]);
  }
});
