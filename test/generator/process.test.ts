// The command as a process of its own: what is saved while it runs, and --watch.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { copyOfFresh, edit, flags, generator, useFreshProject } from "./fresh-project.ts";
import { projectFolder, run, writeFile } from "./work-folder.ts";

useFreshProject();

test("an edit saved while the command runs is seen by the next run", async () => {
  const copy = copyOfFresh();
  rmSync(join(copy, "generated", "schemas.ts"));
  // saves an edit right before the first file is replaced, when the contract was read long ago
  const hook = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    const { readFileSync, renameSync, writeFileSync } = fs;
    fs.renameSync = (...paths) => {
      const text = readFileSync("openapi.yaml", "utf8");
      writeFileSync("openapi.yaml", text.replace("maxItems: 10", "maxItems: 11"));
      renameSync(...paths);
    };
    syncBuiltinESMExports();`;
  writeFile(join(copy, "edit.mjs"), hook);
  const { output } = await run(["--import", "./edit.mjs", generator, ...flags], copy);
  expect(output).toBe("wrote generated/schemas.ts\n");
  expect((await run([generator, ...flags], copy)).output).toContain("rewrote generated/schemas.ts");
});

test("one that is killed between two files is made good by the next, and leaves nothing behind", async () => {
  const copy = copyOfFresh();
  edit(join(copy, "openapi.yaml"), "maxItems: 10", "maxItems: 11");
  // when the first file has been replaced, and others wait beside their places
  const hook = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    const { renameSync } = fs;
    fs.renameSync = (...paths) => {
      renameSync(...paths);
      process.kill(process.pid, "SIGKILL");
    };
    syncBuiltinESMExports();`;
  writeFile(join(copy, "kill.mjs"), hook);
  const waiting = () =>
    readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".tmp"),
    );
  await run(["--import", "./kill.mjs", generator, ...flags], copy);
  expect(waiting()).not.toEqual([]);
  expect(await run([generator, ...flags], copy)).toMatchObject({ code: 0, errors: "" });
  expect(waiting()).toEqual([]);
  expect(await run([generator, ...flags, "--check"], copy)).toMatchObject({ code: 0 });
});

test("where nothing can be written, what is up to date is so all the same", async () => {
  const [known, unknown] = [copyOfFresh(), copyOfFresh()];
  await run([generator, ...flags], known);
  // as in an image of a deployment
  const hook = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    for (const name of ["writeFileSync", "mkdirSync", "renameSync", "rmSync"]) {
      fs[name] = () => { throw Object.assign(new Error("read-only"), { code: "EROFS" }); };
    }
    syncBuiltinESMExports();`;
  for (const copy of [known, unknown]) {
    writeFile(join(copy, "read-only.mjs"), hook);
    const ended = await run(["--import", "./read-only.mjs", generator, ...flags], copy);
    expect(ended).toEqual({ code: 0, output: "generated is up to date\n", errors: "" });
  }
});

test("of several at once for one folder each begins when the one before has ended", async () => {
  const copy = copyOfFresh();
  edit(join(copy, "openapi.yaml"), "maxItems: 10", "maxItems: 11");
  const ended = await Promise.all(
    Array.from({ length: 4 }, () => run([generator, ...flags], copy)),
  );
  expect(ended.map(({ code, errors }) => [code, errors])).toEqual(
    Array.from({ length: 4 }, () => [0, ""]),
  );
  const said = ended.map(({ output }) => output).toSorted();
  expect(said.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => "generated is up to date\n"));
  expect(said[3]).toContain("rewrote generated/schemas.ts\n");
});

test.each(["development", "production"])("NODE_ENV=%s changes nothing", async (NODE_ENV) => {
  const copy = copyOfFresh();
  const of = join(projectFolder, "test/generator/cases/nullable-and-unions");
  copyFileSync(join(of, "openapi.yaml"), join(copy, "openapi.yaml"));
  const words = ["--spec", "openapi.yaml", "--out", "unions"];
  expect(await run([generator, ...words], copy, { NODE_ENV })).toMatchObject({ code: 0 });
  const [written, expected] = [join(copy, "unions"), join(of, "expected")].map((folder) =>
    readFileSync(join(folder, "types.ts"), "utf8"),
  );
  expect(written).toBe(expected);
});

describe("--watch", () => {
  interface Watching {
    /** resolves when the text after the last match contains the text */
    readonly until: (text: string) => Promise<void>;
  }

  function watch(cwd: string): Watching {
    const child = spawn(process.execPath, [generator, ...flags, "--watch"], { cwd });
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    });
    let said = "";
    let seen = 0;
    let changed = Promise.withResolvers<void>();
    const hear = (text: string): void => {
      said += text;
      changed.resolve();
      changed = Promise.withResolvers<void>();
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    return {
      until: async (text) => {
        while (!said.slice(seen).includes(text)) {
          if (child.exitCode !== null) throw new Error(`ended after: ${said}`);
          await changed.promise;
        }
        seen = said.indexOf(text, seen) + text.length;
      },
    };
  }

  const document = "openapi.yaml";

  test("generates again after each edit, however the editor saves it, also after a mistake", async () => {
    const copy = copyOfFresh();
    const spec = join(copy, document);
    const watching = watch(copy);
    await watching.until(`watching ${document}`);

    edit(spec, "maxItems: 10", "maxItems: 11");
    await watching.until("rewrote generated/schemas.ts");
    await watching.until(`watching ${document}`);

    // a mistake, saved by replacing the file
    writeFile(`${spec}.new`, readFileSync(spec, "utf8").replace("type: array", "type: arry"));
    renameSync(`${spec}.new`, spec);
    await watching.until('did you mean "array"?');
    await watching.until(`watching ${document}`);

    edit(spec, "type: arry, items: { type: string }, maxItems: 11", "type: array, items: {}");
    await watching.until("rewrote generated/schemas.ts");
    await watching.until(`watching ${document}`);
    expect(readFileSync(join(copy, "generated", "schemas.ts"), "utf8")).not.toContain("maxItems");
  });

  test("watches every file of the document, a broken one too", async () => {
    const copy = copyOfFresh();
    const part = join(copy, "parts", "things.yaml");
    edit(
      join(copy, document),
      "{ type: array, items: { type: string }, maxItems: 10 }",
      "{ $ref: parts/things.yaml }",
    );
    writeFile(part, "type: arry\n");
    const watching = watch(copy);
    await watching.until('did you mean "array"?');
    await watching.until("watching ");
    writeFile(part, "type: array\nmaxItems: 12\n");
    await watching.until("rewrote generated/schemas.ts");
    await watching.until("watching openapi.yaml, parts/things.yaml");
    expect(readFileSync(join(copy, "generated", "schemas.ts"), "utf8")).toContain("12");
  });
});
