// The subcommand diff: revisions from files, what it prints in each format, and how it ends.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { api, diff, document, newFolders, parts, rule } from "./diff-folders.ts";
import { command, writeFile } from "./work-folder.ts";

const folderWith = newFolders();
const more = "  /news: { get: { operationId: news, responses: {} } }\n";
const twoFolders = {
  "old/api.yaml": document(),
  "old/parts.yaml": parts(20),
  "new/api.yaml": document("parts.yaml#/Note", more),
  "new/parts.yaml": parts(10),
};

describe("two files", () => {
  test("are told apart by rule, with the place in both, and what either party does", async () => {
    const { code, output, errors } = await diff(
      folderWith(twoFolders),
      "old/api.yaml",
      "new/api.yaml",
    );
    expect({ code, errors }).toEqual({ code: 1, errors: "" });
    expect(output).toBe(
      `new/parts.yaml:1:34  /Note/maxLength
    breaks clients: ${rule}: maxLength 20 became 10
    in write
    before: old/parts.yaml:1:34
    for clients: keep the bound, or make it wider
new/api.yaml:9:17  /paths/~1news/get
    breaks servers: operation-added: GET /news is new
    in news
    before: old/api.yaml:4:3
    for servers: write it before clients are told of it
from old/api.yaml to new/api.yaml: clients: 1 breaking, 0 warnings; servers: 1 breaking, 0 warnings; 0 changes harm nobody
`,
    );
  });

  test("fail the run by whom they break", async () => {
    const root = folderWith(twoFolders);
    const codes = async (base: string, head: string) =>
      Promise.all(
        ["clients", "servers", "any", "none"].map(
          async (party) => (await diff(root, base, head, "--fail-on", party)).code,
        ),
      );
    // there, the bound breaks clients, and the operation servers
    expect(await codes("old/api.yaml", "new/api.yaml")).toEqual([1, 1, 1, 0]);
    expect(await codes("old/api.yaml", "old/api.yaml")).toEqual([0, 0, 0, 0]);
    const wider = folderWith({ ...api, "wide.yaml": document("wide-parts.yaml#/Note") });
    writeFile(join(wider, "wide-parts.yaml"), parts(30));
    expect((await diff(wider, "api.yaml", "wide.yaml")).code).toBe(0);
    expect((await diff(wider, "api.yaml", "wide.yaml", "--fail-on", "servers")).code).toBe(1);
  });

  test("may be a pipe, as the shell makes one of what another program prints", async () => {
    const root = folderWith({ ...api, "new.yaml": document("short.yaml#/Note") });
    writeFile(join(root, "short.yaml"), parts(10));
    const piped = async (...names: readonly string[]) => {
      execFileSync("mkfifo", ["piped.yaml"], { cwd: root });
      const writer = spawn("sh", ["-c", "cat api.yaml > piped.yaml"], { cwd: root });
      const ended = once(writer, "close");
      const { output } = await diff(root, ...names);
      await ended;
      rmSync(join(root, "piped.yaml"));
      return output;
    };
    expect(await piped("piped.yaml", "new.yaml")).toContain("maxLength 20 became 10");
    expect(await piped("new.yaml", "piped.yaml", "--all")).toContain("maxLength 10 became 20");
  });

  test("that the shell opened for another program are asked for in another way", async () => {
    const { code, errors } = await diff(folderWith(api), "/dev/fd/9999", "api.yaml");
    expect({ code, errors }).toMatchObject({
      code: 2,
      errors: expect.stringContaining("pipe it in and name /dev/stdin") as string,
    });
  });

  test("have what harms nobody with --all", async () => {
    const root = folderWith({
      "a.yaml": document("parts.yaml#/Note"),
      "b.yaml": document("parts.yaml#/Note").replace(
        "Written. }",
        "Written., headers: { X-A: {} } }",
      ),
      "parts.yaml": parts(20),
    });
    expect((await diff(root, "a.yaml", "b.yaml")).output).not.toContain("response-header-added");
    const { code, output } = await diff(root, "a.yaml", "b.yaml", "--all");
    expect(code).toBe(0);
    expect(output).toContain("harms nobody: response-header-added: the header x-a is new");
    expect(output).toContain("1 change harms nobody");
  });

  test("end an operation with the notice that is asked for", async () => {
    const ending = document().replace(
      "operationId: write",
      'operationId: write\n      deprecated: true\n      x-sunset: "9000-01-01"',
    );
    const root = folderWith({ ...api, "b.yaml": ending.replace("9000", "1999") });
    const { output } = await diff(root, "api.yaml", "b.yaml", "--notice", "12");
    expect(output).toContain("sunset-too-soon: it ends on 1999-01-01, and 12 months of notice end");
    writeFile(join(root, "b.yaml"), ending);
    expect((await diff(root, "api.yaml", "b.yaml", "--notice", "12")).code).toBe(0);
  });
});

test.each([
  ["nothing to compare", [], "diff compares OLD with NEW"],
  ["three documents", ["a", "b", "c"], "diff compares OLD with NEW"],
  ["an unknown format", ["a", "--format", "xml"], "write text, json, markdown, github"],
  ["an unknown party", ["a", "--fail-on", "me"], "write clients, servers, any, none"],
  ["no number of months", ["a", "--notice", "soon"], "a whole number of months"],
  ["an unknown option", ["a", "--quick"], "--quick"],
])("refuses %s", async (_what, args, message) => {
  const { code, output, errors } = await diff(folderWith(api), ...args);
  expect({ code, output }).toEqual({ code: 2, output: "" });
  expect(errors).toContain(message);
});

test("tells how it is used", async () => {
  const { code, output } = await diff(folderWith({}), "--help");
  expect(code).toBe(0);
  expect(output).toContain("diff OLD [NEW] [options]");
  expect((await command(["--help"], folderWith({}))).output).toContain("diff OLD [NEW] [options]");
});

describe("for others", () => {
  test("all of it as JSON, on one line", async () => {
    const root = folderWith(twoFolders);
    const { code, output } = await diff(root, "old/api.yaml", "new/api.yaml", "--format", "json");
    expect(code).toBe(1);
    expect(output.trimEnd()).not.toContain("\n");
    const place = { pointer: "/Note/maxLength", line: 1, column: 34 };
    expect(JSON.parse(output)).toEqual({
      exitCode: 1,
      base: "old/api.yaml",
      head: "new/api.yaml",
      changes: [
        {
          rule,
          message: "maxLength 20 became 10",
          breaks: ["clients"],
          clients: { severity: "breaking", advice: "keep the bound, or make it wider" },
          servers: { severity: "info", advice: "" },
          operations: ["write"],
          place: { file: "new/parts.yaml", ...place },
          base: { file: "old/parts.yaml", ...place },
          head: { file: "new/parts.yaml", ...place },
        },
        expect.objectContaining({ rule: "operation-added", breaks: ["servers"] }),
      ],
    });
  });

  test("annotations of GitHub, at the newer revision also of what is gone", async () => {
    const root = folderWith(twoFolders);
    const there = await diff(root, "old/api.yaml", "new/api.yaml", "--format", "github");
    expect(there.output).toContain(
      `::error file=new/parts.yaml,line=1,col=34,title=${rule}::breaks clients: maxLength 20 became 10 (in write)%0Afor clients: keep the bound, or make it wider\n` +
        "::warning file=new/api.yaml,line=9,col=17,title=operation-added::breaks servers: GET /news is new (in news)%0Afor servers: write it before clients are told of it\n",
    );
    const back = await diff(root, "new/api.yaml", "old/api.yaml", "--format", "github");
    expect(back.output).toContain("::error file=old/api.yaml,line=4,col=3,title=operation-removed");
  });

  test("a table of Markdown", async () => {
    const root = folderWith(twoFolders);
    const { output } = await diff(root, "old/api.yaml", "new/api.yaml", "--format", "markdown");
    expect(output).toBe(
      `From \`old/api.yaml\` to \`new/api.yaml\`: clients: 1 breaking, 0 warnings; servers: 1 breaking, 0 warnings; 0 changes harm nobody.

| whom | what | where | what to do |
| --- | --- | --- | --- |
| breaks clients | \`${rule}\`: \`maxLength 20 became 10\` in \`write\` | \`new/parts.yaml:1:34\` \`/Note/maxLength\` | for clients: keep the bound, or make it wider |
| breaks servers | \`operation-added\`: \`GET /news is new\` in \`news\` | \`new/api.yaml:9:17\` \`/paths/~1news/get\` | for servers: write it before clients are told of it |
`,
    );
    const same = await diff(root, "old/api.yaml", "old/api.yaml", "--format", "markdown");
    expect(same.output).not.toContain("|");
  });

  test("Markdown in which nothing of a document is markup", async () => {
    const hostile = "a|b`c\\|d @someone #1 <b> [x](y) \n* _z_";
    const text = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: { "/a|b": { get: { operationId: hostile, responses: {} } } },
    });
    const root = folderWith({ "a.json": text, "b.json": text.replace('"get"', '"put"') });
    const { output } = await diff(root, "a.json", "b.json", "--format", "markdown");
    const rows = output.trimEnd().split("\n").slice(4);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.replaceAll(String.raw`\|`, "").split("|")).toHaveLength(6);
      const outside = row.replaceAll(/`[^`]*`|<code>[^<]*<\/code>/g, "");
      expect(outside).not.toMatch(/[@#<[*]|someone/);
      expect(row).toContain("<code>a&#124;b&#96;c&#92;&#124;d &#64;someone &#35;1");
    }
    expect(rows.join("\n")).toContain(String.raw`GET /a\|b is gone`);
  });
});

describe("languages and versions", () => {
  const paths = {
    "/notes/{id}": {
      get: {
        operationId: "read",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          "200": {
            description: "A note.",
            content: { "application/json": { schema: { type: "string", nullable: true } } },
          },
        },
      },
    },
  };
  const info = { title: "T", version: "1.0.0" };
  const withNull = JSON.stringify(paths).replace(
    '"type":"string","nullable":true',
    '"type":["string","null"]',
  );
  const swagger = {
    swagger: "2.0",
    info,
    produces: ["application/json"],
    paths: {
      "/notes/{id}": {
        get: {
          operationId: "read",
          parameters: [{ name: "id", in: "path", required: true, type: "string" }],
          responses: {
            "200": { description: "A note.", schema: { type: "string", "x-nullable": true } },
          },
        },
      },
    },
  };
  const documents = {
    "2.0.json": JSON.stringify(swagger),
    "3.0.json": JSON.stringify({ openapi: "3.0.3", info, paths }),
    "3.1.json": `{"openapi":"3.1.0","info":${JSON.stringify(info)},"paths":${withNull}}`,
    "3.2.yaml": `openapi: 3.2.0\ninfo: ${JSON.stringify(info)}\npaths: ${withNull}\n`,
  };
  const names = Object.keys(documents);

  test.each(names)("%s says what the others say", async (name) => {
    const root = folderWith(documents);
    for (const other of names) {
      const { code, output, errors } = await diff(root, name, other, "--all");
      expect({ other, code, errors, lines: output.split("\n") }).toEqual({
        other,
        code: 0,
        errors: "",
        lines: [expect.stringContaining("0 changes harm nobody"), ""],
      });
    }
  });
});
