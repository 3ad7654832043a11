#!/usr/bin/env node
// @ts-check
// Every npm script starts here, so that each of them works alone on a fresh clone:
//
//   node scripts/launch.mjs [--generate] <file.ts | tool> [arguments]
//
// 1. installs the dependencies when node_modules is not what package-lock.json says;
// 2. finds the pinned Node 24 (a dependency), since the machine's own Node may be too old to run
//    TypeScript;
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
import {
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const isWindows = process.platform === "win32";
const pinnedNode = join(modules, "node", "bin", isWindows ? "node.exe" : "node");

/** Tools by name: the JavaScript file that starts them, and arguments they always get. */
const tools = new Map([
  ["vitest", ["vitest/vitest.mjs"]],
  ["oxlint", ["oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]],
  ["knip", ["knip/bin/knip.js"]],
  ["prettier", ["prettier/bin/prettier.cjs"]],
  ["typecheck", ["typescript-7/bin/tsc", "--noEmit"]],
]);

/** Node before this cannot run TypeScript files as they are. */
const nodeMajorMin = 24;
const installWaitSecondsMax = 600;
/** A lock file is filled right after it is made; older and still empty means its maker died. */
const emptyLockSecondsMax = 10;

/** A failure the person at the keyboard can act on: shown without a stack. */
class LaunchError extends Error {}

/** @param {string} text */
function say(text) {
  process.stderr.write(`launch: ${text}\n`);
}

/**
 * What we read of package.json, package-lock.json and npm's own record of an installation.
 * @typedef {{ dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Wishes
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean }} Package
 * @typedef {Wishes & Package & { packages?: Record<string, Wishes & Package> }} PackageFile
 */

/**
 * @param {string} path
 * @returns {PackageFile | undefined} undefined when the file is absent or broken
 */
function readJson(path) {
  try {
    return /** @type {PackageFile} */ (JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

/**
 * Compares the lock file with the copy that npm leaves in node_modules as its last act: an
 * interrupted install has none. No marker of ours, so an `npm ci` by hand counts as well.
 * @param {boolean} isProductionServer devDependencies may be missing there
 */
function isInstalled(isProductionServer) {
  const wanted = readJson(join(root, "package-lock.json"))?.packages;
  const present = readJson(join(modules, ".package-lock.json"))?.packages;
  const manifest = readJson(join(root, "package.json"));
  if (!wanted || !present || !manifest) return false;
  if (wishesOf(manifest) !== wishesOf(wanted[""])) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = present[path];
    // Absent optional packages are those of other platforms.
    if (!found) return Boolean(entry.optional || (isProductionServer && entry.dev));
    // The lock knows no integrity for a platform whose packages its maker could not fetch.
    const isSame = !entry.integrity || found.integrity === entry.integrity;
    return isSame && found.version === entry.version;
  });
}

/** @param {Wishes | undefined} wishes */
function wishesOf(wishes) {
  const all = [wishes?.dependencies, wishes?.devDependencies];
  return all
    .map((group) =>
      Object.entries(group ?? {})
        .map(String)
        .toSorted()
        .join(),
    )
    .join(";");
}

/**
 * Runs a child to its end. SIGTERM, SIGINT and SIGHUP that reach us are handed to it once; but a
 * terminal sends Ctrl-C to the whole group by itself, so then the child has it already.
 * @param {string} file
 * @param {readonly string[]} parameters
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null }>}
 */
function run(file, parameters, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, parameters, { cwd: root, ...options });
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      child.kill(signal);
    };
    /** @type {NodeJS.Signals[]} */
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
    for (const signal of signals) process.on(signal, forward);
    const finish = () => signals.forEach((signal) => process.off(signal, forward));
    child.once("error", (error) => {
      finish();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      finish();
      resolve({ code: code ?? 1, signal });
    });
  });
}

/** PATH without our own node_modules, which an install is about to remove. */
function machinePath() {
  const entries = (process.env["PATH"] ?? "").split(delimiter);
  return entries.filter((entry) => !entry.startsWith(modules + sep)).join(delimiter);
}

async function install() {
  const release = await lockInstallation();
  try {
    if (isInstalled(false)) return; // another launch did it while we waited
    say("installing dependencies, once; this takes about a minute");
    const parameters = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code, signal } = await run("npm", parameters, {
      stdio: ["ignore", 2, 2], // all of it to our stderr: stdout belongs to the program
      env: { ...process.env, PATH: machinePath() },
      shell: isWindows,
    });
    if (signal) process.kill(process.pid, signal);
    if (code !== 0) {
      throw new LaunchError(
        `"npm ci" ended with ${code}; its own messages stand above. Check that the package ` +
          "registry can be reached (npm ping). When package.json was edited by hand, run " +
          '"npm install" and commit package-lock.json.',
      );
    }
  } finally {
    release();
  }
}

/**
 * Two launches at once (npm start beside npm test) must not install into one folder. Waits until
 * the other is done; a lock whose owner is dead is taken over.
 * @returns {Promise<() => void>} gives the lock back
 */
async function lockInstallation() {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const path = join(tmpdir(), `install-${name}.lock`);
  let isWaiting = false;
  for (let second = 0; second < installWaitSecondsMax; second++) {
    if (takeLock(path)) return holdLock(path);
    if (isAbandoned(path)) removeAbandoned(path);
    else {
      if (!isWaiting) say("waiting for another launch that is installing");
      isWaiting = true;
      await wait(1000);
    }
  }
  throw new LaunchError(`another launch holds ${path} for too long; remove that file`);
}

/** @param {string} path of a lock file @returns {boolean} false when somebody holds it */
function takeLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    return false;
  }
}

/** @param {string} path of our lock file @returns {() => void} gives the lock back */
function holdLock(path) {
  const release = () => {
    process.off("exit", release);
    if (isOurs(path)) removeFile(path);
  };
  process.once("exit", release);
  return release;
}

/** @param {string} path of a lock file */
function isOurs(path) {
  try {
    return readFileSync(path, "utf8") === String(process.pid);
  } catch {
    return false;
  }
}

/**
 * Between our look at the file and its removal another launch may have taken the lock over, and
 * the file is that one's. So it is moved away first, which only one launch can do, and looked at
 * again: a lock that is alive goes back.
 * @param {string} path of a lock file
 */
function removeAbandoned(path) {
  const moved = `${path}.${process.pid}`;
  try {
    renameSync(path, moved);
    // Unlike a rename, this never replaces the file of a third launch.
    if (!isAbandoned(moved)) copyFileSync(moved, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (isCode(error, "EPERM") || isCode(error, "EACCES")) {
      throw new LaunchError(
        `${path} was left by a launch that is dead, and belongs to another user; ` +
          "remove that file, or have its owner do so",
      );
    }
    // Another launch was quicker: it has moved the file, or has the lock now.
    if (!isCode(error, "ENOENT") && !isCode(error, "EEXIST")) throw error;
  }
  removeFile(moved);
}

/** @param {string} path of a lock file */
function isAbandoned(path) {
  try {
    const owner = Number(readFileSync(path, "utf8"));
    if (!owner) return Date.now() - statSync(path).mtimeMs > emptyLockSecondsMax * 1000;
    process.kill(owner, 0); // throws when there is no such process
    return false;
  } catch (error) {
    return isCode(error, "ESRCH");
  }
}

/** @param {string} path */
function removeFile(path) {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

/** @param {unknown} error @param {string} code */
function isCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}

/** @returns {Promise<string>} path of a Node that runs TypeScript */
async function findNode() {
  if (isPinnedNodeUsable()) return pinnedNode;
  // npm did not run the package's install script (ignore-scripts, or a newer npm that asks first).
  say("fetching the pinned Node");
  await run(process.execPath, ["installArchSpecificPackage.js"], {
    cwd: join(modules, "node"),
    stdio: ["ignore", 2, 2],
    env: { ...process.env, PATH: machinePath(), npm_config_ignore_scripts: "false" },
  });
  if (isPinnedNodeUsable()) return pinnedNode;
  if (Number(process.versions.node.split(".")[0]) >= nodeMajorMin) {
    say(`using this machine's Node ${process.versions.node} in place of the pinned one`);
    return process.execPath;
  }
  throw new LaunchError(
    `the pinned Node could not be fetched for ${process.platform}-${process.arch}. ` +
      `Install Node ${nodeMajorMin} or newer yourself and start this again with it.`,
  );
}

function isPinnedNodeUsable() {
  if (!existsSync(pinnedNode)) return false;
  const version = `v${readJson(join(modules, "node", "package.json"))?.version}`;
  if (process.version === version) return true;
  const answer = spawnSync(pinnedNode, ["--version"], { encoding: "utf8" });
  return answer.status === 0 && answer.stdout.trim() === version; // fails on another system
}

/** @param {string} node @param {NodeJS.ProcessEnv} env */
async function generate(node, env) {
  const parameters = [join(root, "generator", "main.ts")];
  const { code, signal } = await run(node, parameters, { stdio: ["ignore", 2, 2], env });
  if (signal) process.kill(process.pid, signal);
  if (code !== 0) throw new LaunchError("the contract has problems, listed above: not started");
}

/**
 * @param {string} name of a tool, or a file of this project
 * @returns {string[]}
 */
function commandOf(name) {
  const [entry, ...always] = tools.get(name) ?? [];
  if (entry) return [join(modules, ...entry.split("/")), ...always];
  const path = join(root, name);
  if (existsSync(path)) return [path];
  throw new LaunchError(`"${name}" is no file here and no tool (${[...tools.keys()].join(", ")})`);
}

async function main() {
  const given = process.argv.slice(2);
  const wantsGenerate = given[0] === "--generate";
  const [name, ...parameters] = wantsGenerate ? given.slice(1) : given;
  if (!name) throw new LaunchError("say what to run: a file, or a tool");
  const isProduction = process.env["NODE_ENV"] === "production";
  if (!isInstalled(isProduction && wantsGenerate)) await install();
  const node = await findNode();
  const path = [dirname(node), join(modules, ".bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path };
  if (wantsGenerate && !isProduction) await generate(node, env);

  const command = [...commandOf(name), ...parameters];
  // Node 24 can turn into the program: no process of ours stays between it and its signals.
  if (typeof process.execve === "function" && !isWindows) {
    process.chdir(root);
    process.execve(node, [node, ...command], env);
  }
  const { code, signal } = await run(node, command, { stdio: "inherit", env });
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof LaunchError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
