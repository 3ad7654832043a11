// What listen writes down of its endpoints: of several listens at once one has an endpoint, and a damaged file is nobody's.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { EndpointMemory } from "../../../scripts/client/tool/endpoint-memory.ts";
import { endChildren, makeFolder, projectRoot, startChild } from "../../programs/child.ts";

afterEach(async () => {
  vi.unstubAllEnvs();
  await endChildren();
});

function newMemory(): EndpointMemory {
  vi.stubEnv("XDG_STATE_HOME", makeFolder());
  return new EndpointMemory("http://127.0.0.1:8080", "mk_test_1");
}

const before = { url: "https://shop.example/hooks", event_types: ["*"], active: true };

test("one that is let go is taken again, by whoever has the same key at the same service", () => {
  const memory = newMemory();
  expect(memory.keep("whe_1")).toBe(true);
  expect(memory.take()).toBe(undefined);
  expect(memory.claim("whe_1")).toBe(undefined);
  memory.letGo("whe_1");
  expect(new EndpointMemory("http://127.0.0.1:8080", "mk_test_2").take()).toBe(undefined);
  expect(memory.take()).toBe("whe_1");
  memory.forget("whe_1");
  expect(memory.take()).toBe(undefined);
});

test("one that is borrowed is never taken for listen's own, and how it was is known until it is given back", () => {
  const memory = newMemory();
  expect(memory.claim("whe_1")).toEqual({ before: undefined });
  memory.keepBefore("whe_1", before);
  memory.letGo("whe_1");
  expect(memory.take()).toBe(undefined);
  expect(memory.claim("whe_1")).toEqual({ before });
  memory.givenBack("whe_1");
  expect(readdirSync(memory.folder)).toEqual([]);
});

test.each([
  "[null]",
  "null",
  "{",
  '{"service":1}',
  '{"service":"","key":"","pid":"1","made":true}',
])("a file with %s is as if there were none", (text) => {
  const memory = newMemory();
  mkdirSync(memory.folder, { recursive: true });
  writeFileSync(join(memory.folder, "whe_1.7.json"), text);
  expect(memory.take()).toBe(undefined);
  expect(memory.claim("whe_1")).toEqual({ before: undefined });
});

test("what cannot be the name of a file is not written down", () => {
  const memory = newMemory();
  expect(memory.keep("../whe_1")).toBe(false);
  expect(memory.problem()).toBe(undefined);
  expect(readdirSync(memory.folder)).toEqual([]);
});

test("of four processes at once one has it", async () => {
  const memory = newMemory();
  memory.keep("whe_1");
  memory.letGo("whe_1");
  const gate = join(memory.folder, "gate");
  const program = `
    import { existsSync } from "node:fs";
    const { EndpointMemory } = await import(${JSON.stringify(join(projectRoot, "scripts/client/tool/endpoint-memory.ts"))});
    const memory = new EndpointMemory("http://127.0.0.1:8080", "mk_test_1");
    process.stdout.write("waits\\n");
    while (!existsSync(${JSON.stringify(gate)}));
    process.stdout.write(\`took \${memory.take()}\\n\`);
    setInterval(() => {}, 1e6);
  `;
  const environment = { XDG_STATE_HOME: join(memory.folder, "..", "..") };
  const children = Array.from({ length: 4 }, () =>
    startChild(["--input-type=module", "-e", program], environment),
  );
  for (const child of children) await child.waitFor(/waits/);
  writeFileSync(gate, "");
  const said = await Promise.all(children.map((child) => child.waitFor(/took/)));
  expect(said.filter((text) => text.includes("took whe_1\n"))).toHaveLength(1);
  expect(said.filter((text) => text.includes("took undefined\n"))).toHaveLength(3);
});
