// The subcommand diff between what git keeps, and between that and the disk.

import { symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { api, commit, diff, document, git, newFolders, parts, rule } from "./diff-folders.ts";
import { writeFile } from "./work-folder.ts";

const folderWith = newFolders();

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const root = folderWith(files);
  git(root, "init", "--quiet");
  commit(root);
  return root;
}

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
    [dirname(root), "HEAD", `${basename(root)}/spec/api.yaml`],
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

test("has a file of its own where a copy on the disk has the same path", async () => {
  const copies = { "https://example.com/": "./" };
  const text = (note: string): string => {
    const content = `{ application/json: { schema: { $ref: "${other(note)}" } } }`;
    const responses = '{ "204": { description: Written. } }';
    const post = `{ operationId: more, requestBody: { content: ${content} }, responses: ${responses} }`;
    return document(note, `  /more: { post: ${post} }\n`);
  };
  const [here, there] = ["parts.yaml#/Note", "https://example.com/parts.yaml#/Note"];
  const other = (note: string): string => (note === here ? there : here);
  for (const note of [here, there]) {
    const root = repositoryWith({
      "api.yaml": text(note),
      "parts.yaml": parts(20),
      "generator.config.json": configuration({ one: { ...one, copies } }),
    });
    writeFile(join(root, "parts.yaml"), parts(10));
    const { code, output } = await diff(root, "HEAD");
    expect(code).toBe(1);
    expect(output).toContain(`in ${note === here ? "write" : "more"}\n`);
    expect(output).toContain("clients: 1 breaking");
  }
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
