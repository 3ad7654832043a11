// The subcommand diff: revisions from files and from git, what it prints in each format, and how it ends.

import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { command, type Ended, temporaryFolder, writeFile } from "./work-folder.ts";

const folder = temporaryFolder();
let count = 0;

const document = (parts = "parts.yaml#/Note", more = ""): string => `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: write
      requestBody: { content: { application/json: { schema: { $ref: "${parts}" } } } }
      responses: { "204": { description: Written. } }
${more}`;
const parts = (maxLength: number): string => `Note: { type: string, maxLength: ${maxLength} }\n`;
const more = "  /news: { get: { operationId: news, responses: {} } }\n";

function folderWith(files: Readonly<Record<string, string>>): string {
  count += 1;
  const root = join(folder, String(count));
  for (const [name, text] of Object.entries(files)) writeFile(join(root, name), text);
  return root;
}

function git(root: string, ...args: readonly string[]): void {
  const name = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  execFileSync("git", [...name, ...args], { cwd: root, stdio: "ignore" });
}

function commit(root: string): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "notes");
}

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const root = folderWith(files);
  git(root, "init", "--quiet");
  commit(root);
  return root;
}

const diff = (root: string, ...args: readonly string[]): Promise<Ended> =>
  command(["diff", ...args], root);

const api = { "api.yaml": document(), "parts.yaml": parts(20) };
const twoFolders = {
  "old/api.yaml": document(),
  "old/parts.yaml": parts(20),
  "new/api.yaml": document("parts.yaml#/Note", more),
  "new/parts.yaml": parts(10),
};
const rule = "request-bound-tightened";

test("a link in git leads to its file, as on the disk", async () => {
  const root = folderWith({
    "spec/api.yaml": document("../parts.yaml#/Note"),
    "parts.yaml": parts(20),
  });
  symlinkSync("spec", join(root, "linked"));
  symlinkSync("spec/api.yaml", join(root, "api.yaml"));
  symlinkSync("nowhere.yaml", join(root, "lost.yaml"));
  git(root, "init", "--quiet");
  commit(root);
  writeFile(join(root, "parts.yaml"), parts(10));
  const ended = await diff(root, "HEAD:linked/api.yaml", "linked/api.yaml");
  expect(ended.errors).toBe("");
  expect(ended.output).toContain(`${rule}: maxLength 20 became 10`);
  const lost = await diff(root, "HEAD:lost.yaml", "linked/api.yaml");
  expect(lost.code).toBe(2);
  expect(lost.errors).toContain("there is no such file");
  const tree = await diff(root, "HEAD:spec", "linked/api.yaml");
  expect(tree.code).toBe(2);
  expect(tree.errors).toContain("it is no file in git: tree");
});

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

describe("git", () => {
  const configuration = (contracts: object): string => JSON.stringify({ contracts });
  const one = { spec: "api.yaml", out: "generated" };

  test("has the same document in an older revision, with the files beside it", async () => {
    const root = repositoryWith({
      "spec/api.yaml": document("parts.yaml#/Note"),
      "spec/parts.yaml": parts(20),
    });
    writeFile(join(root, "spec/parts.yaml"), parts(10));
    const inSpec = join(root, "spec");
    for (const [cwd, ...args] of [
      [root, "HEAD", "spec/api.yaml"],
      [root, "HEAD:spec/api.yaml", "spec/api.yaml"],
      [inSpec, "HEAD", "api.yaml"],
      [inSpec, "HEAD:./api.yaml", "api.yaml"],
      [inSpec, "HEAD:../spec/api.yaml", "api.yaml"],
      [folder, "HEAD", `${count}/spec/api.yaml`],
      [root, "HEAD", "--spec", "spec/api.yaml"],
    ] as const) {
      const { code, output, errors } = await diff(cwd, ...args);
      expect({ args, code, errors }).toEqual({ args, code: 1, errors: "" });
      expect(output).toContain("parts.yaml:1:34  /Note/maxLength\n");
      expect(output).toContain("    before: HEAD:spec/parts.yaml:1:34\n");
    }
  });

  test("is asked for the contract of the configuration, now or then", async () => {
    const root = repositoryWith({ ...api, "generator.config.json": configuration({ one }) });
    writeFile(join(root, "parts.yaml"), parts(10));
    commit(root);
    const clean = await diff(root, "HEAD");
    expect(clean).toMatchObject({ code: 0, errors: "" });
    expect(clean.output).toMatch(/^from HEAD to api\.yaml: /);
    expect((await diff(root, "HEAD~1")).output).toContain(`breaks clients: ${rule}`);
    const { code, output } = await diff(root, "HEAD~1", "HEAD");
    expect(code).toBe(1);
    expect(output).toContain("HEAD:parts.yaml:1:34  /Note/maxLength\n");
    expect((await diff(root, "HEAD", "HEAD~1")).code).toBe(0);
    const byPath = await diff(root, "HEAD~1", "HEAD:api.yaml");
    expect(byPath.output).toContain("before: HEAD~1:parts.yaml:1:34");
  });

  test("is asked for one contract of several, by its name", async () => {
    const two = { spec: "other.yaml", out: "other" };
    const root = repositoryWith({
      ...api,
      "other.yaml": document(),
      "generator.config.json": configuration({ one, two }),
    });
    const { code, errors } = await diff(root, "HEAD");
    expect(code).toBe(2);
    expect(errors).toContain("the configuration has several contracts: name one with --contract");
    expect(await diff(root, "HEAD", "--contract", "two")).toMatchObject({ code: 0, errors: "" });
    expect(await diff(root, "HEAD", "other.yaml")).toMatchObject({ code: 0, errors: "" });
  });

  test("keeps the document, and copies lie where the configuration says", async () => {
    const copies = { "https://example.com/": "copies/" };
    const root = repositoryWith({
      "api.yaml": document("https://example.com/parts.yaml#/Note"),
      "generator.config.json": configuration({ one: { ...one, copies } }),
    });
    writeFile(join(root, "copies/parts.yaml"), 'Note: { $ref: "more.yaml#/Note" }\n');
    writeFile(join(root, "copies/more.yaml"), parts(20));
    expect(await diff(root, "HEAD")).toMatchObject({ code: 0, errors: "" });
  });

  test("knows a commit by its words, also with a colon in them", async () => {
    const root = repositoryWith(api);
    writeFile(join(root, "parts.yaml"), parts(10));
    git(root, "commit", "--all", "--quiet", "--message", "shorter: 10");
    const named = "HEAD^{/shorter: }";
    expect((await diff(root, `${named}~1`, named, "--spec", "api.yaml")).code).toBe(1);
    expect((await diff(root, `${named}:api.yaml`, "api.yaml")).code).toBe(0);
  });

  test("says what it does not have", async () => {
    const root = repositoryWith({ ...api, "late.txt": "" });
    const outside = folderWith(api);
    for (const [cwd, args, message] of [
      [root, ["nothing"], "nothing is no file and no git revision"],
      [outside, ["HEAD", "api.yaml"], "HEAD is no file and no git revision"],
      [root, ["HEAD:none.yaml", "api.yaml"], "HEAD:none.yaml  (document)"],
      [root, ["HEAD:none.yaml", "api.yaml"], "cannot be read: there is no such file"],
      [root, ["HEAD:late.txt", "api.yaml"], "the document must be an object"],
      [root, ["https://example.com/a.yaml", "api.yaml"], "is no file and no git revision"],
      [root, ["HEAD", join(outside, "api.yaml")], "HEAD is no file and no git revision"],
    ] as const) {
      const { code, output, errors } = await diff(cwd, ...args);
      expect({ args, code, output }).toEqual({ args, code: 2, output: "" });
      expect(errors).toContain(message);
    }
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
  const { code, output } = await diff(folder, "--help");
  expect(code).toBe(0);
  expect(output).toContain("diff OLD [NEW] [options]");
  expect((await command(["--help"], folder)).output).toContain("diff OLD [NEW] [options]");
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
