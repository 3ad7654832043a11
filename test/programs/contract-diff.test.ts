// `npm run contract:diff` as a program: documents from files and from git, breaks that the changelog allows,
// and what it says to a wrong command line.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { endChildren, makeFolder, projectRoot } from "./child.ts";

const document = (maxLength: number): string => `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: write
      requestBody:
        content:
          application/json:
            schema: { $ref: "parts.yaml#/Note" }
      responses: { "204": { description: Written. } }
# ${maxLength}
`;
const parts = (maxLength: number): string => `Note:
  type: string
  maxLength: ${maxLength}
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function run(folder: string, ...args: readonly string[]) {
  const script = join(projectRoot, "scripts/contract-diff.ts");
  const { INIT_CWD: _, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
  });
  return { status, output: stdout, errors: stderr };
}

const bothSides = {
  "old/api.yaml": document(20),
  "old/parts.yaml": parts(20),
  "new/api.yaml": document(10),
  "new/parts.yaml": parts(10),
};
const place = "/Note/maxLength";
const rule = "request-bound-tightened";

afterEach(endChildren);

test("our contract breaks nobody but those whom the changelog names", () => {
  const { status, output, errors } = run(projectRoot);
  expect({ status, errors, output }).toMatchObject({ status: 0, errors: "" });
  expect(output).toMatch(/^from spec\/released\/\d+\.\d+\.\d+\.yaml to spec\/openapi\.yaml: /m);
});

test("the contract of every released version is kept", () => {
  const headings = readFileSync(join(projectRoot, "CHANGELOG.md"), "utf8").matchAll(
    /^## (\d+\.\d+\.\d+)$/gm,
  );
  const released = Array.from(headings, ([, version = ""]) => `${version}.yaml`);
  expect(readdirSync(join(projectRoot, "spec/released")).toSorted()).toEqual(released.toSorted());
});

test("names the rule, the line, the operation and what to do", () => {
  const { status, output } = run(folderWith(bothSides), "old/api.yaml", "new/api.yaml");
  expect(status).toBe(1);
  expect(output).toBe(
    `new/parts.yaml:3:14  ${place}\n` +
      `    breaking: ${rule}: maxLength 20 became 10\n` +
      `    in write\n` +
      `    keep the bound, or make it wider\n` +
      `from old/api.yaml to new/api.yaml: 1 breaking, 0 warnings, 0 that harm nobody\n`,
  );
});

test("tells what harms nobody when it is asked for all", () => {
  const folder = folderWith(bothSides);
  expect(run(folder, "new/api.yaml", "old/api.yaml").output).not.toContain("bound-widened");
  const { status, output } = run(folder, "new/api.yaml", "old/api.yaml", "--all");
  expect(status).toBe(0);
  expect(output).toContain("info: request-bound-widened: maxLength 10 became 20");
});

test("says all of it as JSON", () => {
  const folder = folderWith(bothSides);
  const { status, output } = run(folder, "old/api.yaml", "new/api.yaml", "--format", "json");
  expect(status).toBe(1);
  expect(JSON.parse(output)).toMatchObject({
    base: "old/api.yaml",
    head: "new/api.yaml",
    changes: [
      {
        rule,
        severity: "breaking",
        place: { file: "new/parts.yaml", pointer: place, line: 3, column: 14 },
        operations: ["write"],
      },
    ],
    wrong: [],
  });
});

test("reads a document and the files beside it from a commit", () => {
  const folder = folderWith({ "api.yaml": document(20), "parts.yaml": parts(20) });
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "notes");
  writeFileSync(join(folder, "parts.yaml"), parts(10));
  for (const base of ["HEAD:api.yaml", "HEAD"]) {
    const { status, output, errors } = run(folder, base, "api.yaml");
    expect({ base, status, errors }).toEqual({ base, status: 1, errors: "" });
    expect(output).toContain(`parts.yaml:3:14  ${place}`);
  }
  const same = run(folder, "HEAD:api.yaml", "HEAD:api.yaml");
  expect(same).toMatchObject({ status: 0, errors: "" });
});

describe("a line of the changelog", () => {
  const withLine = (line: string, heading = "Unreleased") => {
    const changelog = `# Changelog\n\n## ${heading}\n\n${line}\n\n## 1.0.0\n`;
    const folder = folderWith({ ...bothSides, "CHANGES.md": changelog });
    return run(folder, "old/api.yaml", "new/api.yaml", "--changelog", "CHANGES.md");
  };

  test("allows a break that it names, and is shown", () => {
    const { status, output } = withLine(`- Breaks clients: \`${rule}\` at \`${place}\`: be short.`);
    expect(status).toBe(0);
    expect(output).toContain("allowed by CHANGES.md:5: be short.");
    expect(output).toContain("1 breaking (1 allowed by the changelog)");
  });

  test("may stand for several places, if it says how many", () => {
    const star = `- Breaks clients: \`${rule}\` at \`/*/maxLength\``;
    expect(withLine(`${star} (1 places): be short.`).status).toBe(0);
    const wrong = withLine(`${star} (2 places): be short.`);
    expect(wrong.status).toBe(1);
    expect(wrong.output).toContain(`allows ${rule} in 2 places, and it is found in 1 there`);
    const uncounted = withLine(`${star}: be short.`);
    expect(uncounted.status).toBe(2);
    expect(uncounted.errors).toContain("CHANGES.md:5 has a star: say behind the pointer how many");
  });

  test("of another rule, place or version allows nothing", () => {
    const other = withLine(`- Breaks clients: \`operation-removed\` at \`${place}\`: be short.`);
    expect(other.status).toBe(1);
    expect(other.output).toContain("allows operation-removed in 1 places, and it is found in 0");
    const released = withLine(`- Breaks clients: \`${rule}\` at \`${place}\`: be short.`, "0.9.0");
    expect(released.status).toBe(1);
  });

  test("without a reason is refused", () => {
    const { status, errors } = withLine(`- Breaks clients: \`${rule}\` at \`${place}\``);
    expect(status).toBe(2);
    expect(errors).toContain("CHANGES.md:5 names no rule, place or reason");
  });
});

test.each([
  ["a BASE that is nowhere", ["nothing.yaml"], "nothing.yaml is no file, no released version"],
  ["an option as BASE", ["--", "-x"], "-x is no file"],
  ["three documents", ["a", "b", "c"], "one BASE and one HEAD"],
  ["an unknown format", ["old/api.yaml", "new/api.yaml", "--format", "xml"], "text or json"],
  ["an unknown option", ["--quick"], "--quick"],
  [
    "a changelog that is not there",
    ["old/api.yaml", "new/api.yaml", "--changelog", "no.md"],
    "no.md",
  ],
  ["what is no contract", ["list.yaml", "new/api.yaml"], "the document must be an object"],
  ["Swagger 1.2", ["swagger.yaml", "new/api.yaml"], "Swagger 1.2 is not supported"],
])("refuses %s", (_what, args, message) => {
  const folder = folderWith({
    ...bothSides,
    "list.yaml": "- 1\n",
    "swagger.yaml": 'swagger: "1.2"\n',
  });
  const { status, output, errors } = run(folder, ...args);
  expect({ status, output }).toEqual({ status: 2, output: "" });
  expect(errors).toContain(message);
});

test("Swagger 2.0 is compared with what it has become", () => {
  const swagger = (path: string): string => `swagger: "2.0"
info: { title: Old, version: 1.0.0 }
paths:
  ${path}: { get: { operationId: get, responses: { "200": { description: Fine. } } } }
`;
  const openapi = swagger("/a").replace('swagger: "2.0"', "openapi: 3.1.0");
  const folder = folderWith({
    "a.yaml": swagger("/a"),
    "b.yaml": swagger("/b"),
    "c.yaml": openapi,
  });
  const moved = run(folder, "a.yaml", "b.yaml");
  expect([moved.status, moved.output]).toEqual([1, expect.stringContaining("operation-removed")]);
  const converted = run(folder, "a.yaml", "c.yaml");
  expect([converted.status, converted.output]).toEqual([0, expect.stringContaining("0 breaking")]);
});
