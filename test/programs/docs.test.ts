// The site as "npm start" has it built: beside the server, without its secrets, and no longer than the server.

import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  endChildren,
  logLines,
  makeDataDirectory,
  makeFolder,
  projectRoot,
  startChild,
} from "./child.ts";
import type { Child } from "./child.ts";
import { patienceMilliseconds } from "../support/patience.ts";

const copied = ["adapters", "docs/.vitepress", "generated", "handlers", "package.json"].concat([
  "scripts",
  "service",
]);
/** A site of few words, which is built in a third of the time. */
const pages = ["client.md", "signing.md", "errors.md", "clients/README.md"].concat([
  "reference/index.md",
  "reference/events.md",
  "running/webhooks.md",
]);

let folder: string;
let site: string;
/** A project of its own, since its server has the site in its folder. */
beforeEach(() => {
  folder = makeFolder();
  site = join(folder, "dist", "docs");
  for (const name of copied) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  for (const page of ["index.md", ...pages]) {
    mkdirSync(dirname(join(folder, "docs", page)), { recursive: true });
    writeFileSync(join(folder, "docs", page), `# ${page}\n`);
  }
});
afterEach(endChildren);

const secrets = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") };

/** What "npm start" becomes. */
async function start(): Promise<Child> {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  // Our own file.
  const { scripts } = JSON.parse(text) as { readonly scripts: { readonly start: string } };
  const [, words = ""] = scripts.start.split("--generate ");
  const [program = "", ...parameters] = words.split(" ");
  const DATA_DIR = await makeDataDirectory();
  const flags = ["--disable-sigusr1", join(folder, program), ...parameters];
  const server = startChild(flags, { ...secrets, PORT: "0", DATA_DIR });
  await server.waitFor(/listening on/);
  return server;
}

const turn = () => new Promise(setImmediate);

async function buildBegun(): Promise<void> {
  while (!existsSync(`${site}.lock`)) await turn();
}

/** Process ids; only Linux tells them. */
function builders(): readonly string[] {
  return globSync("/proc/[0-9]*/cmdline")
    .filter((file) => readOrNothing(file).includes(join(folder, "scripts")))
    .map((file) => file.split("/")[2] ?? "");
}

/** Of a process that may be gone meanwhile. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("the build gets no secret, and ends with a server that is killed", async () => {
  const server = await start();
  await buildBegun();
  const ids = builders();
  const known = /^(?:HOME|NODE_COMPILE_CACHE|PATH|NODE_CHANNEL_\w+)=/;
  const given = ids.flatMap((id) => readOrNothing(`/proc/${id}/environ`).split("\0"));
  expect(given.filter((line) => line !== "" && !known.test(line))).toEqual([]);
  expect(ids).toHaveLength(process.platform === "linux" ? 1 : 0);
  const commands = ids.map((id) => readOrNothing(`/proc/${id}/cmdline`).split("\0"));
  // As README.md says.
  expect(commands.map((words) => words[1])).toEqual(ids.map(() => "--max-old-space-size=512"));
  server.kill("SIGKILL");
  while (builders().length > 0) await turn();
  expect(existsSync(site)).toBe(false);
});

test("Ctrl-C ends the build with the server, and is no failure of it", async () => {
  const server = await start();
  await buildBegun();
  // As a terminal does it: to all of the group.
  process.kill(-server.pid, "SIGINT");
  expect(await server.ended).toEqual({ code: 0, signal: null });
  while (builders().length > 0) await turn();
  expect(logLines(server).filter((line) => line["level"] !== "info")).toEqual([]);
  expect(existsSync(site)).toBe(false);
});

test("a site that is older than its pages is built anew, where its own base says", async () => {
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "sources.txt"), "older\n/pay/docs/\n");
  const server = await start();
  const [url = ""] = /http:\/\/[^"]+/.exec(server.output()) ?? [];
  const page = async () => (await fetch(`${url}/docs`)).text();
  expect(await page()).toContain("being built");
  await expect
    .poll(page, { timeout: patienceMilliseconds, interval: 200 })
    .toMatch(/<script[^>]* src="\/pay\/docs\/assets\//);
  expect(await page()).toContain('href="/pay/docs/errors"');
});

/** What an image has of the project where it builds the site. */
function foldersOfImage(): readonly string[] {
  const file = join(projectRoot, "docs", "running", "deploy", "Containerfile");
  const [, stage = ""] = / AS site\n(.*?)\nFROM /su.exec(readFileSync(file, "utf8")) ?? [];
  return [...stage.matchAll(/^COPY (\S+) \1$/gmu)].map(([, name = ""]) => name);
}

test("npm run docs names the package that it lacks, and a base that is none", async () => {
  const bare = makeFolder();
  for (const name of foldersOfImage()) {
    cpSync(join(projectRoot, name), join(bare, name), { recursive: true });
  }
  const program = join(bare, "scripts", "docs.ts");
  const lacking = startChild([program]);
  expect(await lacking.ended).toEqual({ code: 1, signal: null });
  expect(lacking.errors()).toMatch(
    /^The site is built with packages of development, and \S+ is not installed: .*\n$/,
  );
  const wrong = startChild([program, "--base", "pay/docs"]);
  expect(await wrong.ended).toEqual({ code: 2, signal: null });
  expect(wrong.errors()).toContain("--base pay/docs is no path that begins and ends with a slash");
});
