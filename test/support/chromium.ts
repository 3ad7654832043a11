// A real browser for the tests that need one. On a Debian machine where we are root it is installed if it is
// missing; elsewhere those tests say in one line what to do.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const installMillisecondsMax = 300_000;

/** @returns its path; empty: there is none */
export async function findChromium(): Promise<string> {
  return find() ?? (await install()) ?? "";
}

function find(): string | undefined {
  const given = process.env["CHROMIUM_PATH"];
  return [...(given === undefined ? [] : [given]), ...places].find((path) => existsSync(path));
}

async function install(): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return undefined;
  process.stderr.write("installing chromium for the tests of the checkout page\n");
  const command =
    "apt-get update -q && apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core";
  const child = spawn("sh", ["-c", command], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: installMillisecondsMax,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [errors] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) process.stderr.write(`apt-get failed: ${errors.slice(-500)}\n`);
  return find();
}
