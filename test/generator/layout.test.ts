// Generated code is laid out by oxfmt, and prettier, whose style the project has, finds nothing to change.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { format } from "prettier";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatFiles } from "../../generator/write/format.ts";
import { cases, isWrong, outputOf } from "./cases.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "layout-"));
});
afterEach(() => rmSync(root, { recursive: true }));

async function laidOut(text: string): Promise<string> {
  const [file] = await formatFiles([{ path: "a.ts", text, language: "typescript" }], root);
  return file?.text ?? "";
}

function choose(options: unknown): void {
  writeFileSync(join(root, ".prettierrc"), JSON.stringify(options));
}

const styles = [
  { printWidth: 100 },
  { printWidth: 120, tabWidth: 4, trailingComma: "none", arrowParens: "avoid" },
  { printWidth: 90, useTabs: true, singleQuote: true, semi: false },
] as const;

describe.each(styles)("with %j", (style) => {
  test.each(cases.filter((one) => !isWrong(one)))("$name is as prettier has it", async (one) => {
    choose(style);
    const { files } = outputOf(one.document, root);
    // what lies in runtime/ is the same for all
    const own = files.filter(
      ({ path, language }) => language !== "json" && !path.startsWith("runtime/"),
    );
    for (const { path, text } of await formatFiles(own, root)) {
      const wanted = await format(text, { ...style, parser: "typescript" });
      expect({ path, text }).toEqual({ path, text: wanted });
    }
  });

  test("unions of any length are as prettier has them", async () => {
    choose(style);
    const name = fc.stringMatching(/^[A-Z][a-z]{2,24}$/);
    const member = fc.oneof(
      { weight: 6, arbitrary: name },
      { weight: 4, arbitrary: name.map((one) => JSON.stringify(one)) },
      { weight: 1, arbitrary: name.map((one) => `${one}[]`) },
      { weight: 1, arbitrary: name.map((one) => `{ readonly ${one}: ${one} }`) },
      {
        weight: 1,
        arbitrary: fc.tuple(name, name).map((two) => `Readonly<Record<${two.join()}>>`),
      },
    );
    const union = fc.uniqueArray(member, { minLength: 2, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(name, union), async ([one, members]) => {
        const all = members.join(" | ");
        const draft =
          `export type ${one} = ${all};\n\nexport interface I${one} {\n` +
          `  readonly a: ${all};\n  readonly b?: { readonly c: ${all} };\n` +
          `  readonly d: (${all})[];\n  readonly e: readonly (${all})[] | null;\n}\n\n` +
          `export function f(a: ${all}): void {}\n`;
        expect(await laidOut(draft)).toBe(await format(draft, { ...style, parser: "typescript" }));
      }),
      { numRuns: 60 },
    );
  });
});

test("options that prettier alone knows are prettier's to follow", async () => {
  const draft = "export const a = { b: 1, c: b ? d : e };\n";
  writeFileSync(
    join(root, "prettier.config.mjs"),
    'export default { printWidth: 30, overrides: [{ files: "*.ts", options: { semi: false } }] };',
  );
  expect(await laidOut(draft)).toBe("export const a = {\n  b: 1,\n  c: b ? d : e,\n}\n");
  rmSync(join(root, "prettier.config.mjs"));
  choose({ experimentalOperatorPosition: "start", printWidth: 19 });
  expect(await laidOut("export const a = bbbbbbb + ccccccc;\n")).toBe(
    "export const a =\n  bbbbbbb\n  + ccccccc;\n",
  );
});

test("the options are those of the nearest file, in JSON, in YAML or in package.json", async () => {
  const inner = join(root, "inner");
  mkdirSync(inner);
  const of = async (): Promise<string> => {
    const file = { path: "a.ts", text: 'export const a = "b";', language: "typescript" } as const;
    return (await formatFiles([file], inner))[0]?.text ?? "";
  };
  expect(await of()).toBe('export const a = "b";\n');
  mkdirSync(join(root, ".prettierrc.json")); // prettier passes over folders of such a name
  writeFileSync(join(root, "package.json"), '{"prettier":{"semi":false}}');
  expect(await of()).toBe('export const a = "b"\n');
  writeFileSync(join(inner, ".prettierrc"), "singleQuote: true\n");
  expect(await of()).toBe("export const a = 'b';\n");
});

test("a width that is none is said by prettier", async () => {
  choose({ printWidth: "wide" });
  await expect(laidOut("export const a = 1;")).rejects.toThrow("printWidth");
});
