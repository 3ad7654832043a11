// The files of a site at /docs: each under its address, kept by browsers as long as its name says, and nothing else of
// the disk.

import { hash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { DocsSite } from "../../adapters/http/docs-routes.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { startServer } from "../programs/start-server.ts";
import { refusalBody } from "./answers.ts";

const script = "document.title='a';";
const page = (text: string) =>
  `<!doctype html><script type="module" src="/docs/assets/app.js"></script><script id="x">${script}</script><p>${text}</p>`;

let folder: string;
beforeEach(() => {
  folder = join(makeFolder(), "docs");
  const files: Readonly<Record<string, string>> = {
    "index.html": page("first"),
    "errors.html": page("errors"),
    "404.html": page("nothing here".padEnd(1_000)),
    "clients/index.html": page("clients"),
    "running/webhooks.html": page("webhooks"),
    "assets/app.js": "export {};",
    "assets/chunks/more.js": "export {};",
    "assets/picture.png": "x",
    "hashmap.json": "{}",
    ".env": "SECRET=1",
  };
  for (const [name, text] of Object.entries(files)) put(name, text);
  list();
});
afterEach(endChildren);

function put(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** All files that are there now, as a build lists them. */
function list(): void {
  const entries = globSync("**/*", { cwd: folder, withFileTypes: true });
  const lines = entries.flatMap((entry) => {
    if (!entry.isFile()) return [];
    const place = join(entry.parentPath, entry.name);
    return [`${hash("sha256", readFileSync(place), "hex")} ${relative(folder, place)}`];
  });
  writeFileSync(join(folder, "sources.txt"), ["hash", "/docs/", ...lines, ""].join("\n"));
}

async function start(site = new DocsSite(folder)) {
  const server = await startServer({ docs: site });
  onTestFinished(server.close);
  const get = (path: string, init?: RequestInit) =>
    fetch(`${server.url}${path}`, { redirect: "manual", ...init });
  return { get, url: server.url };
}

const forEver = "public, max-age=31536000, immutable";
const html = "text/html; charset=utf-8";
const javaScript = "text/javascript; charset=utf-8";

test.each([
  { path: "/docs", text: "first", type: html },
  { path: "/docs/", text: "first", type: html },
  { path: "/docs/errors", text: "errors", type: html },
  { path: "/docs/errors?a=b", text: "errors", type: html },
  { path: "/docs/clients/", text: "clients", type: html },
  { path: "/docs/running/webhooks", text: "webhooks", type: html },
  { path: "/docs/assets/app.js", text: "export", type: javaScript },
  { path: "/docs/assets/chunks/more.js", text: "export", type: javaScript },
  { path: "/docs/assets/picture.png", text: "x", type: "image/png" },
  { path: "/docs/hashmap.json", text: "{}", type: "application/json" },
])("$path is $type, and kept as long as its name says", async ({ path, text, type }) => {
  const kept = path.startsWith("/docs/assets/") ? forEver : "no-cache";
  const { get } = await start();
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(text);
  expect(answer.headers.get("Content-Type")).toBe(type);
  expect(answer.headers.get("Cache-Control")).toBe(kept);
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  const tag = answer.headers.get("ETag") ?? "";
  expect((await get(path, { headers: { "If-None-Match": tag } })).status).toBe(304);
  const head = await get(path, { method: "HEAD" });
  expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, tag, ""]);
});

test("a page's policy names its own scripts, and no other host", async () => {
  const { get } = await start();
  const policy = (await get("/docs/errors")).headers.get("Content-Security-Policy") ?? "";
  const directives = new Map(policy.split("; ").map((one) => [one.split(" ")[0], one]));
  expect(directives.get("default-src")).toBe("default-src 'none'");
  const own = hash("sha256", script, "base64");
  expect(directives.get("script-src")).toBe(`script-src 'self' 'sha256-${own}'`);
  expect(directives.get("style-src")).toBe("style-src 'self'");
  expect(policy.match(/'unsafe-[^']+'/g)).toEqual(["'unsafe-inline'"]);
  expect(directives.get("style-src-attr")).toContain("'unsafe-inline'");
  expect(policy).not.toMatch(/https?:|\*/);
});

test("who leaves out the slash of a folder is led there", async () => {
  const { get, url } = await start();
  const answer = await get("/docs/clients");
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "clients/"]);
  expect((await fetch(`${url}/docs/clients`)).url).toBe(`${url}/docs/clients/`);
});

describe("what is not there", () => {
  test.each(["/docs/nothing", "/docs/a/b/c", "/docs/assets/other.js"])("%s", async (path) => {
    const { get } = await start();
    expect((await refusalBody(await get(path), 404)).code).toBe("not_found");
    const shown = await get(path, { headers: { Accept: "text/html,*/*" } });
    expect([shown.status, shown.headers.get("Content-Type")]).toEqual([404, html]);
    expect(await shown.text()).toContain("nothing here");
    expect(shown.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  });

  test.each(["*", '"other"'])("is told to whoever has %s, and is kept by nobody", async (tags) => {
    const { get } = await start();
    const headers = { Accept: "text/html", "If-None-Match": tags };
    const answer = await get("/docs/nothing", { headers });
    expect([answer.status, answer.headers.get("ETag")]).toEqual([404, null]);
    expect(await answer.text()).toContain("nothing here");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Vary")).toBe("Accept, Accept-Encoding");
  });

  test.each([
    "/docs/.env",
    "/docs/sources.txt",
    "/docs/index.html",
    "/docs/404",
    "/docs/errors.html",
    "/docs/assets/",
    "/docs/__proto__",
  ])("%s, though something like it lies on the disk", async (path) => {
    const { get } = await start();
    expect((await get(path)).status).toBe(404);
  });

  test("a file that comes later, and one that is gone is still there", async () => {
    const { get } = await start();
    expect((await get("/docs/errors")).status).toBe(200);
    put("later.html", "x");
    rmSync(folder, { recursive: true });
    expect((await get("/docs/later")).status).toBe(404);
    expect((await get("/docs/running/webhooks")).status).toBe(200);
  });
});

test("until a first site is built the page says so and comes again; then the site is there", async () => {
  rmSync(folder, { recursive: true });
  const site = new DocsSite(folder);
  const { get } = await start(site);
  site.isBuilding = true;
  const page = await get("/docs");
  expect(await page.text()).toMatch(/http-equiv="refresh" content="\d+".*being built/s);
  expect(await (await get("/docs/errors")).text()).toContain('<section id="not_found">');
  put("index.html", "there now");
  put("errors.html", "the errors of the site");
  list();
  site.isBuilding = false;
  site.reload();
  expect(await (await get("/docs")).text()).toBe("there now");
  expect(await (await get("/docs/errors")).text()).toBe("the errors of the site");
});

describe("a folder that is no site", () => {
  const spoils: Readonly<Record<string, () => void>> = {
    "is not there": () => rmSync(folder, { recursive: true }),
    "has no first page": () => {
      rmSync(join(folder, "index.html"));
      list();
    },
    "lacks a listed file": () => rmSync(join(folder, "assets", "app.js")),
    "has a file of another site": () => put("assets/app.js", "import 'another';"),
    "has a folder in the place of a file": () => {
      rmSync(join(folder, "errors.html"));
      mkdirSync(join(folder, "errors.html"));
    },
    "is a file": () => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "");
    },
  };

  test.each(Object.keys(spoils))("since it %s: /docs and /docs/errors are there", async (name) => {
    spoils[name]?.();
    const told: unknown[] = [];
    const site = new DocsSite(folder, { onMissing: (error) => told.push(error) });
    const { get } = await start(site);
    for (let round = 0; round < 2; round += 1) {
      expect((await get("/docs")).status).toBe(200);
      expect(await (await get("/docs/errors")).text()).toContain('<section id="not_found">');
    }
    expect(told).toHaveLength(1);
    expect(String(told[0])).toContain(folder);
    // What is put there later is not served, until somebody says so.
    rmSync(folder, { recursive: true, force: true });
    put("index.html", "there now");
    list();
    expect(await (await get("/docs")).text()).not.toContain("there now");
    site.reload();
    expect(await (await get("/docs")).text()).toBe("there now");
  });

  test.each([
    { isForBuilders: true, text: "npm run docs" },
    { isForBuilders: false, text: "not available here" },
  ])("says $text where isForBuilders is $isForBuilders", async ({ isForBuilders, text }) => {
    const { get } = await start(new DocsSite(join(folder, "none"), { isForBuilders }));
    const page = await (await get("/docs")).text();
    expect(page).toContain(text);
    expect(page.includes("npm run")).toBe(isForBuilders);
  });
});

test("what is not listed is left out, and the others are served", async () => {
  symlinkSync(join(folder, "nowhere.html"), join(folder, "dangling.html"));
  symlinkSync(join(folder, ".env"), join(folder, "secret.json"));
  symlinkSync("/", join(folder, "disk"));
  put("folder.html/inner.html", "inner");
  list();
  put("extra.html", "extra");
  const { get } = await start();
  expect((await get("/docs")).status).toBe(200);
  expect(await (await get("/docs/folder.html/inner")).text()).toBe("inner");
  for (const name of ["dangling", "secret.json", "disk/etc", "folder", "extra"]) {
    expect([name, (await get(`/docs/${name}`)).status]).toEqual([name, 404]);
  }
});
