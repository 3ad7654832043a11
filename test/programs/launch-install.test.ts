// The installation before a program, in a project of its own whose "npm" only pretends.

import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath } from "node:fs/promises";
import { rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endChildren, projectRoot, startChild } from "./child.ts";
import type { Child } from "./child.ts";
import { patienceMilliseconds } from "../support/patience.ts";

/** Part of every Unix; Node has no call for it. */
const makePipe = "mkfifo";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "launch-install-")));
  for (const name of ["scripts", "bin"]) await mkdir(join(folder, name));
  await copyFile(join(projectRoot, "scripts/launch.mjs"), join(folder, "scripts/launch.mjs"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeLock("1.0.0");
  await writeFile(join(folder, "program.ts"), 'console.log("started");');
});
afterEach(async () => {
  await endChildren();
  await rm(folder, { recursive: true });
});

const writeLock = (version: string): Promise<void> =>
  writeFile(
    join(folder, "package-lock.json"),
    JSON.stringify({ packages: { "": {}, "node_modules/node": { version } } }),
  );

/** @param first a command in the shell, before what npm would do */
async function writeNpm(first: string): Promise<void> {
  const path = join(folder, "bin/npm");
  const lines = [
    "#!/bin/sh -e",
    "echo run >> runs",
    first,
    "mkdir -p node_modules/node",
    "cp package-lock.json node_modules/.package-lock.json",
    "echo said by npm",
  ];
  await writeFile(path, lines.join("\n"));
  await chmod(path, 0o755);
}

const runs = async (): Promise<number> =>
  (await readFile(join(folder, "runs"), "utf8")).split("run").length - 1;

function launch(environment: Readonly<Record<string, string>> = {}, program = "program.ts"): Child {
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  return startChild([join(folder, "scripts/launch.mjs"), program], {
    PATH: path,
    ...environment,
  });
}

const says = (child: Child, text: string): Promise<void> =>
  expect.poll(() => child.errors(), { timeout: patienceMilliseconds }).toContain(text);

test("installs when the lock file differs from what is there, and only then", async () => {
  await writeNpm("");
  for (const version of ["1.0.0", "1.0.0", "1.0.1"]) {
    await writeLock(version);
    const child = launch();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.output()).toBe("started\n"); // what npm says is none of the program's output
  }
  expect(await runs()).toBe(2);
});

test("packages for other platforms and, in production, for development may be absent", async () => {
  await writeNpm("");
  const before = {
    "": {},
    "node_modules/node": { version: "1.0.0" },
    "node_modules/for-all-tests": { version: "1.0.0", dev: true },
  };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages: before }));
  expect((await launch().ended).code).toBe(0);
  const packages = {
    ...before,
    "node_modules/of-another-system": { version: "1.0.0", optional: true },
    "node_modules/for-tests": { version: "1.0.0", dev: true },
  };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  expect((await launch({ NODE_ENV: "production" }).ended).code).toBe(0);
  expect(await runs()).toBe(1);
  expect((await launch().ended).code).toBe(0);
  expect(await runs()).toBe(2);
});

const withTrials = {
  "": { optionalDependencies: { "for-trials": "1.0.0", "of-another-system": "1.0.0" } },
  "node_modules/node": { version: "1.0.0" },
  "node_modules/for-trials": { version: "1.0.0", optional: true },
  "node_modules/of-another-system": { version: "1.0.0", optional: true, os: ["beos"] },
};

test("what the project has for trials comes with development, and may be absent in production", async () => {
  await writeNpm("");
  expect((await launch().ended).code).toBe(0);
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages: withTrials }));
  expect((await launch({ NODE_ENV: "production" }).ended).code).toBe(0);
  expect(await runs()).toBe(1);
  expect((await launch().ended).code).toBe(0);
  expect(await runs()).toBe(2);
});

test("an optional package that npm could not fetch is named, since npm does not", async () => {
  await writeNpm("exec mkdir -p node_modules");
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages: withTrials }));
  await mkdir(join(folder, "node_modules"));
  const { "node_modules/for-trials": _, ...others } = withTrials;
  const there = JSON.stringify({ packages: others });
  await writeFile(join(folder, "node_modules/.package-lock.json"), there);
  const child = launch();
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toContain('"npm ci" has not brought for-trials 1.0.0');
});

/** What "npm ci" would have put there. */
async function writePinned(script: string): Promise<string> {
  const path = join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin/node");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

test("the pinned Node is the package of this system, and nothing fetches another one", async () => {
  await writeNpm("");
  const path = await writePinned('[ "$1" = --version ] || echo "pinned: $(basename "$2")"');
  const child = launch();
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.output()).toBe("pinned: program.ts\n");
  // One that does not run here, or is not there: this machine's own, which is new enough.
  for (const spoil of [() => writePinned("exit 1"), () => rm(path)]) {
    await spoil();
    const other = launch();
    expect(await other.ended).toEqual({ code: 0, signal: null });
    expect(other.output()).toBe("started\n");
    expect(other.errors()).toMatch(/using this machine's Node 24\./);
  }
  expect(await runs()).toBe(1);
});

test("in production this machine's own Node will do, if it is new enough", async () => {
  await writeNpm("");
  expect((await launch().ended).code).toBe(0);
  const packages = {
    "": {},
    "node_modules/node": { version: "1.0.0" },
    [`node_modules/node-${process.platform}-${process.arch}`]: { version: "1.0.0", optional: true },
  };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  const child = launch({ NODE_ENV: "production" });
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.output()).toBe("started\n");
});

test("npm holds what it installs against the lock file, the pinned Node among it", async () => {
  const text = await readFile(join(projectRoot, "package-lock.json"), "utf8");
  // As npm writes it.
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
  const locked = Object.entries(packages).filter(([place]) => place !== "");
  for (const system of ["linux-x64", "linux-arm64", "win-x64"]) {
    expect(packages[`node_modules/node-${system}`]?.integrity).toMatch(/^sha512-/);
  }
  // What a server runs on has no script of its own that could fetch what no hash stands for.
  const scripted = locked.filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev);
  const { allowScripts } = JSON.parse(
    await readFile(join(projectRoot, "package.json"), "utf8"),
  ) as { allowScripts: Record<string, boolean> };
  const allowed = scripted.map(([place]) => allowScripts[place.replace("node_modules/", "")]);
  expect(allowed).toEqual(allowed.map(() => false));
  const unheld = locked.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"));
  const installable = unheld.filter(([, one]) => !isForOtherSystems(one));
  expect(installable.map(([place]) => place)).toEqual([]);
});

interface LockedPackage {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

/** Not Linux with glibc on x64, which this project is run and tested on. */
function isForOtherSystems({ optional, os, cpu, libc }: LockedPackage): boolean {
  const excludes = (wanted: string, value: string | readonly string[] | undefined): boolean =>
    value !== undefined && ![value].flat().includes(wanted);
  const isOther = excludes("linux", os) || excludes("x64", cpu) || excludes("glibc", libc);
  return optional === true && isOther;
}

const besideServers = ["adapters/admin.ts", "adapters/signer/main.ts"];

test.each(besideServers)("%s runs without the packages for development", async (program) => {
  await writeNpm("");
  expect((await launch().ended).code).toBe(0);
  const packages = {
    "": {},
    "node_modules/node": { version: "1.0.0" },
    "node_modules/for-tests": { version: "1.0.0", dev: true },
  };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  await mkdir(join(folder, dirname(program)), { recursive: true });
  await writeFile(join(folder, program), 'console.log("beside");');
  const child = launch({}, program);
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.output()).toBe("beside\n");
  expect(await runs()).toBe(1);
});

const production = {
  where: "in production",
  program: "program.ts",
  environment: { NODE_ENV: "production" },
  remedy: "npm ci --omit=dev",
};
const beside = besideServers.map((program) => ({
  where: "beside a server",
  program,
  environment: {},
  remedy: "npm ci",
}));

test.each([production, ...beside])(
  "$where nothing is installed: $program says what is missing",
  async ({ where, program, environment, remedy }) => {
    await writeNpm("");
    const packages = {
      "": {},
      "node_modules/node": { version: "1.0.0" },
      "node_modules/a/node_modules/@some/library": { version: "2.3.4" },
    };
    // Nothing is there; then one is missing; then it is of another version.
    await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
    const fresh = launch(environment, program);
    expect(await fresh.ended).toEqual({ code: 1, signal: null });
    expect(fresh.errors()).toContain("lacks node 1.0.0 and 1 more of package-lock.json");
    await mkdir(join(folder, "node_modules"));
    for (const other of [undefined, { version: "2.3.3" }]) {
      const there = {
        "node_modules/node": { version: "1.0.0" },
        ...(other === undefined ? {} : { "node_modules/a/node_modules/@some/library": other }),
      };
      await writeFile(
        join(folder, "node_modules/.package-lock.json"),
        JSON.stringify({ packages: there }),
      );
      const child = launch(environment, program);
      expect(await child.ended).toEqual({ code: 1, signal: null });
      expect(child.output()).toBe("");
      expect(child.errors()).toBe(
        `launch: node_modules lacks @some/library 2.3.4 of package-lock.json, and nothing is ` +
          `installed ${where}. Stop what runs from this folder, run "${remedy}", and start again.\n`,
      );
    }
    expect(existsSync(join(folder, "runs"))).toBe(false);
  },
);

test("beside a server that nobody said is in production nothing is installed by any program", async () => {
  await writeNpm("");
  const there = { "": {}, "node_modules/node": { version: "1.0.0" } };
  const packages = { ...there, "node_modules/for-tests": { version: "1.0.0", dev: true } };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  await mkdir(join(folder, "node_modules"));
  // What "npm ci --omit=dev" leaves.
  await writeFile(
    join(folder, "node_modules/.package-lock.json"),
    JSON.stringify({ packages: there }),
  );
  const child = launch();
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toContain("lacks for-tests 1.0.0");
  expect(child.errors()).toContain("NODE_ENV=production");
  expect(existsSync(join(folder, "runs"))).toBe(false);
});

test("two first launches at once install once, and both start", async () => {
  const gate = join(folder, "gate");
  execFileSync(makePipe, [gate]);
  await writeNpm(`cat ${gate}`);
  const first = launch();
  await says(first, "installing dependencies");
  const second = launch();
  await says(second, "waiting for another launch");
  await writeFile(gate, "");
  for (const child of [first, second]) {
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.output()).toBe("started\n");
  }
  expect(await runs()).toBe(1);
});

test("a launch that was killed while it installed is in nobody's way", async () => {
  const gate = join(folder, "gate");
  execFileSync(makePipe, [gate]);
  await writeNpm(`cat ${gate}`);
  const killed = launch();
  await expect
    .poll(() => existsSync(join(folder, "runs")), { timeout: patienceMilliseconds })
    .toBe(true);
  process.kill(-killed.pid, "SIGKILL");
  await killed.ended;
  await writeNpm("");
  const child = launch();
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.errors()).not.toContain("waiting");
});

test("an installation that fails is told in one line, with what to do", async () => {
  await writeNpm("exit 7");
  const child = launch();
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.output()).toBe("");
  expect(child.errors()).toMatch(/launch: "npm ci" ended with 7; .*npm ping.*npm install/);
});
