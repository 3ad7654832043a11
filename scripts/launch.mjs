#!/usr/bin/env node
// @ts-check
// Every npm script starts here, so that each of them works alone on a fresh clone:
//
//   node scripts/launch.mjs [--generate] <file.ts | tool> [arguments]
//
// 1. installs the dependencies when node_modules is not what package-lock.json says (never in
//    production, nor for what runs beside a server: see `mayInstall`);
// 2. finds the pinned Node 24 (an optional dependency for each system, whose content npm holds against
//    package-lock.json), since the machine's own Node may be too old to run TypeScript;
// 3. with --generate, brings generated/ up to date with the contract (never in production);
// 4. becomes the named program: arguments, input, output, signals and exit code are its own.
//
// "npm start" says `exec`: npm sends the signals it gets to its shell, and a shell that waits for
// us would die of them and leave the server running without anyone to stop it.
//
// Plain JavaScript that Node 20 can run with nothing installed: keep it free of imports from
// packages and of syntax newer than that.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const isProduction = process.env["NODE_ENV"] === "production";
const installWaitSecondsMax = 600;
const system = process.platform === "win32" ? "win" : process.platform;
/** The package with the pinned Node, where there is one for this system. */
const pinnedName = `node-${system}-${process.arch}`;
/** This Node runs TypeScript, too. */
const isNewEnough = Number(process.versions.node.split(".")[0]) >= 24;

/** The JavaScript file that starts a tool. @type {Readonly<Record<string, string>>} */
const tools = {
  vitest: "vitest/vitest.mjs",
  oxlint: "oxlint/bin/oxlint",
  knip: "knip/bin/knip.js",
  prettier: "prettier/bin/prettier.cjs",
  typecheck: "typescript-7/bin/tsc",
};

const path = (process.env["PATH"] ?? "").split(delimiter);
/** Without our own node_modules on the PATH, which an install is about to remove. */
const machine = {
  ...process.env,
  PATH: path.filter((entry) => !entry.startsWith(modules + sep)).join(delimiter),
};
/** Standard output belongs to the program: all that is said before it goes to standard error. */
const aside = /** @type {import("node:child_process").StdioOptions} */ (["ignore", 2, 2]);

const words = process.argv.slice(2);
const wantsGenerate = words[0] === "--generate";
const [name, ...parameters] = wantsGenerate ? words.slice(1) : words;
if (!name) fail("say what to run: a file, or a tool");
/**
 * An install takes the packages away from under a server that runs, as the user that owns its keys:
 * in production people decide when, and a command beside a server never does it.
 */
const besideServer = ["adapters/admin.ts", "adapters/migrate.ts", "adapters/signer/main.ts"];
const needsNoTools = isProduction || besideServer.includes(name);
/** Somebody left the packages of development out: a server may run from here, whatever we are told. */
const isDeployed = lacksAllTools();
const mayInstall = !needsNoTools && !isDeployed;
const missing = missingPackages();
if (missing.length > 0 && !mayInstall) {
  const others = missing.length > 1 ? ` and ${missing.length - 1} more` : "";
  const way = needsNoTools ? "" : " A server is started there with NODE_ENV=production.";
  fail(
    `node_modules lacks ${missing[0]}${others} of package-lock.json, and nothing is installed ` +
      `${isProduction ? "in production" : "beside a server"}.${way} Stop what runs from this folder, run ` +
      `"${isProduction ? "npm ci --omit=dev" : "npm ci"}", and start again.`,
  );
}
if (missing.length > 0) await install();
const node = findNode();
if (wantsGenerate && !isProduction) {
  const code = await run(node, [join(root, "generator", "main.ts")], { stdio: aside });
  if (code !== 0) fail("the contract has problems, listed above: not started");
}
await become(name);

/**
 * Compares the lock file with the copy that npm leaves in node_modules as its last act: an
 * interrupted install has none. No marker of ours, so an `npm ci` by hand counts as well.
 * @returns {readonly string[]} the packages that are absent or of another version
 */
function missingPackages() {
  const present = packagesOf(join(modules, ".package-lock.json"));
  const lock = packagesOf(join(root, "package-lock.json")) ?? {};
  // The first entry is this project.
  const packages = Object.entries(lock).filter(([place]) => place !== "");
  const optionalNames = Object.keys(lock[""]?.optionalDependencies ?? {});
  const own = new Set(optionalNames.map((one) => `node_modules/${one}`));
  const differing = packages.filter(([place, { version, optional, dev, os }]) => {
    // Absent optional packages are those of other platforms, or of trials where a server was installed without; what
    // may not install needs no tools.
    const isForTrials = own.has(place) && os === undefined && mayInstall;
    const isNeeded = isForTrials || (place === `node_modules/${pinnedName}` && !isNewEnough);
    const mayBeAbsent = (optional && !isNeeded) || (needsNoTools && dev);
    const found = present?.[place];
    return found ? found.version !== version : !present || !mayBeAbsent;
  });
  return differing.map(([place, { version }]) =>
    `${place.split("node_modules/").at(-1)} ${version ?? ""}`.trim(),
  );
}

/** @returns {boolean} what `npm ci --omit=dev` leaves */
function lacksAllTools() {
  const present = packagesOf(join(modules, ".package-lock.json"));
  const wanted = packagesOf(join(root, "package-lock.json")) ?? {};
  const places = Object.keys(wanted).filter((place) => wanted[place]?.dev);
  return present !== undefined && places.length > 0 && !places.some((place) => present[place]);
}

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, os?: unknown, optionalDependencies?: object }} Package
 * @typedef {{ packages?: Record<string, Package> }} LockFile
 * @param {string} file
 * @returns {LockFile["packages"]} undefined when the file is absent or broken
 */
function packagesOf(file) {
  try {
    const { packages } = /** @type {LockFile} */ (JSON.parse(readFileSync(file, "utf8")));
    return packages;
  } catch {
    return undefined;
  }
}

async function install() {
  const lock = await lockInstallation();
  if (missingPackages().length > 0) {
    say("installing dependencies, once; this takes about a minute");
    const options = [
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    const code = await run("npm", ["ci", ...options], { stdio: aside, env: machine });
    if (code !== 0) {
      fail(
        `"npm ci" ended with ${code}; its own messages stand above. Check that the package ` +
          "registry can be reached (npm ping). When package.json was edited by hand, run " +
          '"npm install" and commit package-lock.json.',
      );
    }
    // npm goes on without an optional package that it could not fetch, and says nothing.
    const [absent] = missingPackages();
    if (absent)
      fail(
        `"npm ci" has not brought ${absent}; start this again when the registry can be reached.`,
      );
  }
  lock.close();
}

/**
 * Two launches at once (npm start beside npm test) must not install into one folder: whoever
 * installs listens on a port of that folder, and the system takes it back however it ends.
 */
async function lockInstallation() {
  const port = 20_000 + (createHash("sha256").update(root).digest().readUInt16BE() % 10_000);
  for (let second = 0; second < installWaitSecondsMax; second++) {
    try {
      const lock = createServer().listen({ port, host: "127.0.0.1" });
      await once(lock, "listening");
      return lock;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
      if (second === 0) say("waiting for another launch that is installing");
      await wait(1000);
    }
  }
  return fail(`another launch, or another program, holds port ${port} for too long`);
}

/** @returns {string} path of a Node that runs TypeScript */
function findNode() {
  const file = process.platform === "win32" ? "node.exe" : "node";
  const pinned = join(modules, pinnedName, "bin", file);
  // Not one of another system; and nobody need be asked who runs this.
  if (process.execPath === pinned || spawnSync(pinned, ["--version"]).status === 0) return pinned;
  if (isNewEnough) {
    say(`using this machine's Node ${process.versions.node} in place of the pinned one`);
    return process.execPath;
  }
  return fail(
    `no pinned Node is installed for ${process.platform}-${process.arch}, and this machine's is ` +
      `${process.versions.node}. Start this again with Node 24.`,
  );
}

/**
 * Node keeps what it made of our TypeScript, and of packages: a program starts in two thirds of the time.
 * Not in production, where nothing that a server may write becomes its code at the next start.
 * @returns {Readonly<Record<string, string>>}
 */
function compileCache() {
  if (isProduction || isDeployed) return {};
  return { NODE_COMPILE_CACHE: join(modules, ".cache", "node-compile") };
}

/**
 * Outside of production V8 does without 64 MB for new objects, which it takes while it loads and never gives back.
 * @returns {readonly string[]}
 */
function serverFlags() {
  const isServer = name === "adapters/main.ts" || name === "adapters/signer/main.ts";
  if (!isServer || isProduction || isDeployed) return [];
  // Of two V8 would take ours.
  const isSaid = /semi[-_]space/.test(process.env["NODE_OPTIONS"] ?? "");
  return isSaid ? [] : ["--max-semi-space-size=4"];
}

/** @param {string} name */
async function become(name) {
  const tool = tools[name];
  const file = tool ? join(modules, tool) : join(root, name);
  const known = Object.keys(tools).join(", ");
  if (!existsSync(file)) fail(`"${name}" is no file here and no tool (${known})`);
  const own = [dirname(node), join(modules, ".bin"), ...path].join(delimiter);
  const env = { ...compileCache(), ...process.env, PATH: own };
  // Nobody opens the inspector of a process with keys by a signal; a tool has none.
  const all = [...(tool ? [] : ["--disable-sigusr1"]), ...serverFlags(), file, ...parameters];
  // Node 24 can turn into the program: no process of ours stays between it and its signals.
  if (typeof process.execve === "function") {
    process.chdir(root);
    process.execve(node, [node, ...all], env);
  }
  process.exitCode = await run(node, all, { stdio: "inherit", env });
}

/**
 * Runs a child to its end, hands the signals that reach us on to it, and dies of what it dies of.
 * @param {string} file
 * @param {readonly string[]} parameters
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>} its exit code
 */
async function run(file, parameters, options) {
  const child = spawn(file, parameters, { cwd: root, ...options });
  const signals = /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"]);
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group: the child has it already.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  await once(child, "exit");
  const { exitCode, signalCode } = child;
  for (const each of signals) process.removeAllListeners(each);
  if (signalCode) process.kill(process.pid, signalCode);
  return exitCode ?? 1;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`launch: ${text}\n`);
}

/** For what the person at the keyboard can act on. @param {string} text @returns {never} */
function fail(text) {
  say(text);
  process.exit(1);
}
