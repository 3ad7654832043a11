// The files of a client: what is called how, and what they import.

import { expect, test } from "vitest";
import { reachableFrom } from "../../tidy/reachable-modules.ts";
import { readSourceFiles } from "../../tidy/source-files.ts";
import { documentOf, generate, loadClient } from "./both-sides.ts";
import { oddContract, oddNames } from "./odd-names.ts";
import { answered, jsonOf } from "./shop.ts";

test("names that are anything else are those that handlers have, by tag in camel case", async () => {
  const generated = generate(oddContract);
  const { client, requests } = await answered(
    generated,
    oddNames.map(() => jsonOf(200, {})),
  );
  const has = Object.entries(client).flatMap(([tag, calls]) =>
    Object.keys(calls).map((name) => `${tag}.${name}`),
  );
  expect(has.toSorted()).toEqual(oddNames.map(([, , at]) => at).toSorted());
  for (const [, , at] of oddNames) {
    const [tag = "", name = ""] = at.split(".");
    await client[tag]?.[name]?.();
  }
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(
    oddNames.map((_, at) => `/v1/o${at}`),
  );
});

test("a contract without operations has a client without any", async () => {
  const { createClient } = await loadClient(generate(documentOf({})));
  expect(createClient({ baseUrl: "https://a.example" })).toEqual({});
  expect(() => createClient({ baseUrl: "a.example" })).toThrow("write https://host/path");
});

test("it imports openapi-fetch and nothing of Node, so that it runs wherever fetch does", () => {
  const files = readSourceFiles("generated/**/*.ts");
  const { builtins, packages } = reachableFrom("generated/client/client.ts", files);
  expect([...packages]).toEqual(["openapi-fetch"]);
  expect([...builtins.values()].flatMap((names) => [...names])).toEqual([]);
  expect(builtins.size).toBeGreaterThan(15);
  const ofNode = [...builtins.keys()].filter((path) =>
    /\b(?:process|Buffer|globalThis|__dirname|require|setImmediate)\b/.test(
      (files.get(path) ?? "").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""),
    ),
  );
  expect(ofNode).toEqual([]);
});
