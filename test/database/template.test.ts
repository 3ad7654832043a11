// A new embedded database is a copy of a template, if there is one of this version that is whole.

import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { openPglite } from "../../adapters/database/pglite.ts";
import { keepTemplate, templatePath, unpackTemplate } from "../../adapters/database/template.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { shared } from "../support/shared.ts";

const listIds = statement<object>("test.list_ids")(() =>
  queries.selectFrom("merchants").select("id"),
);
const addMarker = statement<{ now: Date }>("test.add_marker")(({ now }) =>
  queries.insertInto("merchants").values({ id: "mer_marker", name: "marker", created_at: now }),
);

/** A database with a row by which it is recognised. */
let marked: string;
let folder: string;
/** where templates are kept */
let templates: string;
let complaints: string[];

function temporaryFolder(): string {
  const made = mkdtempSync(join(tmpdir(), "template-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

beforeAll(async () => {
  marked = mkdtempSync(join(tmpdir(), "template-marked-"));
  cpSync(await shared("pgliteFolder"), marked, { recursive: true });
  const database = await openPglite({ folder: marked, isUnoptimized: true });
  await database.run(addMarker, { now: new Date() });
  await database.close();
  return () => rmSync(marked, { recursive: true, force: true });
});

beforeEach(() => {
  folder = temporaryFolder();
  templates = join(folder, "templates");
  complaints = [];
});

async function idsOfNew(name: string): Promise<readonly string[]> {
  const onUnusable = (reason: string) => void complaints.push(reason);
  const template = { folder: templates, onUnusable };
  const database = await openPglite({ folder: join(folder, name), isUnoptimized: true, template });
  const rows = await database.run(listIds, {});
  await database.close();
  return rows.map(({ id }) => id);
}

/** Paths below a folder, with what is in each file. */
function contentsOf(root: string): readonly (readonly [string, string])[] {
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
  return found.map((path) => {
    const isFolder = statSync(join(root, path)).isDirectory();
    return [path, isFolder ? "folder" : readFileSync(join(root, path), "base64")];
  });
}

test("a new database is a copy of the template, file by file", async () => {
  const path = templatePath(templates);
  keepTemplate(path, marked);
  const copy = temporaryFolder();
  expect(unpackTemplate(path, copy, (reason) => complaints.push(reason))).toBe(true);
  expect(contentsOf(copy)).toStrictEqual(contentsOf(marked));
  expect(statSync(join(copy, "PG_VERSION")).mode & 0o077).toBe(0);
  expect(statSync(join(copy, "base")).mode & 0o077).toBe(0);
  expect(await idsOfNew("database")).toStrictEqual(["mer_marker"]);
  expect(complaints).toStrictEqual([]);
});

test("a template that is not as it was written is not used, but said and made anew", async () => {
  const path = templatePath(templates);
  keepTemplate(path, marked);
  const stored = readFileSync(path);
  const at = stored.length - 100;
  stored.writeUInt8(stored.readUInt8(at) ^ 1, at);
  writeFileSync(path, stored);
  expect(await idsOfNew("database")).toStrictEqual([]);
  expect(complaints).toStrictEqual([`${path} is not as it was written`]);
  expect(unpackTemplate(path, temporaryFolder(), (reason) => complaints.push(reason))).toBe(true);
  expect(complaints).toHaveLength(1);
});

test.each([
  ["nothing", () => Buffer.alloc(0)],
  ["its beginning", (whole: Buffer) => whole.subarray(0, 40)],
  ["all but the end", (whole: Buffer) => whole.subarray(0, -1)],
])("a template of which %s is there leaves the folder empty", (_, part) => {
  const path = templatePath(templates);
  keepTemplate(path, marked);
  writeFileSync(path, part(readFileSync(path)));
  const copy = temporaryFolder();
  expect(unpackTemplate(path, copy, (reason) => complaints.push(reason))).toBe(false);
  expect(readdirSync(copy)).toStrictEqual([]);
  expect(complaints).toStrictEqual([`${path} is not as it was written`]);
});

test("a template that cannot be read is said", () => {
  // A folder in its place.
  const copy = temporaryFolder();
  expect(unpackTemplate(folder, copy, (reason) => complaints.push(reason))).toBe(false);
  expect(complaints).toStrictEqual([expect.stringMatching(/cannot be read: Error: EISDIR/)]);
});

test("a template of other migrations is neither used nor left", async () => {
  const migrations = readMigrations();
  const [first, ...rest] = migrations;
  const edited = first === undefined ? [] : [{ ...first, sql: `${first.sql}\n-- more` }, ...rest];
  const others = [migrations.slice(0, -1), edited].map((list) => templatePath(templates, list));
  expect(new Set([...others, templatePath(templates)]).size).toBe(3);
  for (const path of others) {
    keepTemplate(path, marked);
    expect(readdirSync(templates)).toStrictEqual([basename(path)]);
  }
  expect(await idsOfNew("database")).toStrictEqual([]);
  expect(complaints).toStrictEqual([]);
  expect(readdirSync(templates)).toStrictEqual([basename(templatePath(templates))]);
});

test("what a process that was killed has begun is removed, and what another one is at stays", () => {
  const path = templatePath(templates);
  keepTemplate(path, marked);
  const [killed, busy] = ["killed", "busy"].map((name) =>
    join(templates, `.${basename(path)}.${name}`),
  );
  for (const draft of [killed, busy]) writeFileSync(draft ?? "", "a part of it");
  const then = new Date(Date.now() - 3_700_000);
  utimesSync(killed ?? "", then, then);
  keepTemplate(path, marked);
  expect(readdirSync(templates).toSorted()).toStrictEqual([basename(busy ?? ""), basename(path)]);
});

test("two first starts at once have a database each, and leave one template", async () => {
  expect(await Promise.all([idsOfNew("one"), idsOfNew("other")])).toStrictEqual([[], []]);
  expect(readdirSync(templates)).toStrictEqual([basename(templatePath(templates))]);
  expect(await idsOfNew("third")).toStrictEqual([]);
  expect(complaints).toStrictEqual([]);
});

test("a database is made where no template can be kept", async () => {
  writeFileSync(templates, "a file, where a folder should be");
  expect(await idsOfNew("database")).toStrictEqual([]);
  expect(complaints).toStrictEqual([expect.stringMatching(/cannot be read: Error: ENOTDIR/)]);
  expect(readFileSync(templates, "utf8")).toBe("a file, where a folder should be");
});
