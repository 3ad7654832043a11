// Operations below the path of a server of the contract.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { emitFiles } from "../../generator/generate.ts";
import { below } from "../../scripts/diagnostics/documents.ts";
import { toldOf } from "../../scripts/diagnostics/told.ts";
import { projectSubfolder, writeGenerated } from "./work-folder.ts";

const done = 'responses: { "204": { description: Done } }';

const document = (servers: string): string => `servers: ${servers}
paths:
  /:
    get: { operationId: root, ${done} }
  /pets/{id}:
    servers: [{ url: https://files.example.com/upload }, { url: /b, description: staging }]
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: showPet, ${done} }
    put: { operationId: putPet, servers: [{ url: https://example.com }], ${done} }`;

/** The paths of root, showPet and putPet. */
function pathsOf(servers: string, basePath?: string): readonly string[] {
  const told = toldOf({ ...below(document(servers), "3.2.0"), ...(basePath && { basePath }) });
  expect(told.problems).toEqual([]);
  return (told.reading?.model.operations ?? []).map(({ path }) => path);
}

const others = ["/upload/pets/{id}", "/pets/{id}"];

test.for<readonly [string, string | undefined, readonly string[]]>([
  ["[{ url: /a }]", undefined, ["/", "/pets/{id}", "/pets/{id}"]],
  ["[{ url: /a }]", "/x/", ["/x/", "/x/pets/{id}", "/x/pets/{id}"]],
  ["[{ url: /a }]", "/x/../y", ["/y/", "/y/pets/{id}", "/y/pets/{id}"]],
  ["[{ url: /a }]", "/", ["/", "/pets/{id}", "/pets/{id}"]],
  ["[{ url: /a/ }]", "first", ["/a/", ...others]],
  ["[{ url: https://example.com }]", "first", ["/", ...others]],
  ["[{ url: //example.com:80/a/b/../c }]", "first", ["/a/c/", ...others]],
  ["[]", "first", ["/", ...others]],
  ["[{ url: /a }, { url: /c, name: next }]", "next", ["/c/", ...others]],
  ["[{ url: /a, description: staging }]", "staging", ["/a/", "/b/pets/{id}", "/pets/{id}"]],
  [
    '[{ url: "{at}/{v}", variables: { at: { default: https://x.y/z }, v: { default: v2 } } }]',
    "first",
    ["/z/v2/", ...others],
  ],
])("of %s, %s is %j", ([servers, basePath, paths]) => {
  expect(pathsOf(servers, basePath)).toEqual(paths);
});

test("requests arrive below it, and nowhere else", async () => {
  const { reading } = toldOf({ ...below(document("[{ url: /a }]")), basePath: "/a" });
  if (reading === undefined) throw new Error("it was refused");
  const folder = join(projectSubfolder(), "generated");
  writeGenerated(folder, emitFiles(reading, "openapi.yaml"));
  type Make = (handlers: Readonly<Record<string, () => object>>) => OpenAPIHono;
  // what a generated module exports is known by its name only
  const { createApp } = (await import(pathToFileURL(join(folder, "app.ts")).href)) as {
    readonly createApp: Make;
  };
  const answer = () => ({ status: 204 });
  const app = createApp({ root: answer, showPet: answer, putPet: answer });
  const statusOf = async (path: string): Promise<number> => (await app.request(path)).status;
  expect(await statusOf("/a/pets/1")).toBe(204);
  expect(await statusOf("/pets/1")).toBe(404);
  expect(await statusOf("/a/")).toBe(204);
  expect((await app.request("/a/pets/1", { method: "POST" })).headers.get("Allow")).toBe(
    "GET, HEAD, PUT",
  );
});
