// Once for a run of the tests: a real browser for those that need one. On a Debian machine where we
// are root it is installed if it is missing; elsewhere those tests say in one line what to do.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** the path of a Chromium; empty: there is none */
    readonly chromium: string;
  }
}

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const installMillisecondsMax = 300_000;
/** the files that need it */
const users = ["test/checkout/browser.test.ts", "test/checkout/browser-chain.test.ts"];

export default function setup(project: TestProject): void {
  project.provide("chromium", isNeeded() ? (find() ?? install() ?? "") : "");
}

/** Vitest takes each word that is no option for a part of a file's path. */
function isNeeded(): boolean {
  const wanted = process.argv.slice(2).filter((word) => word.includes("/") || word.endsWith(".ts"));
  if (wanted.length === 0) return true;
  return wanted.some((word) => users.some((file) => file.includes(word.replace(/^\.\//, ""))));
}

function find(): string | undefined {
  const given = process.env["CHROMIUM_PATH"];
  return [...(given === undefined ? [] : [given]), ...places].find((path) => existsSync(path));
}

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return undefined;
  process.stderr.write("installing chromium for the tests of the checkout page\n");
  const command =
    "apt-get update -q && apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core";
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, timeout: installMillisecondsMax, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("sh", ["-c", command], options);
  if (status !== 0) process.stderr.write(`apt-get failed: ${stderr.slice(-500)}\n`);
  return find();
}
