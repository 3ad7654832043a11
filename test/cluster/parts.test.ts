// How the parts of a cluster are configured, drawn from a seed, and what is said where one is missing.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { poolerText, routerText } from "../../scripts/cluster/doors.ts";
import { drawn, faults } from "../../scripts/cluster/faults.ts";
import { keepsStatements, ProgramsMissing } from "../../scripts/cluster/programs.ts";
import { projectRoot } from "../programs/child.ts";
import { Dice } from "../simulation/dice.ts";

const program = join(projectRoot, "scripts", "cluster", "main.ts");

test("PgBouncer is configured as operators are told to", () => {
  const page = readFileSync(join(projectRoot, "docs", "running", "storage.md"), "utf8");
  const told = /```ini\n(pool_mode[^`]*)```/.exec(page)?.[1] ?? "";
  const lines = told.trim().split("\n");
  expect(lines).toHaveLength(3);
  const ports = { router: 5000, pooler: 6432 };
  expect(poolerText(ports, "transaction").split("\n")).toEqual(expect.arrayContaining(lines));
  expect(poolerText(ports, "session")).not.toContain("max_prepared_statements");
});

test.each([
  ["1.18", false],
  ["1.20", false],
  ["1.21", true],
  ["1.25", true],
  ["2.0", true],
])("PgBouncer %s keeps prepared statements in transaction mode: %s", (version, keeps) => {
  expect(keepsStatements(version)).toBe(keeps);
});

test("who does not lead any more loses its connections", () => {
  const members = [
    { postgres: 1, rest: 11 },
    { postgres: 2, rest: 12 },
  ];
  const text = routerText(members, { network: [21, 22], router: 5000 });
  expect(text).toContain("option httpchk OPTIONS /primary\n  http-check expect status 200");
  expect(text).toContain("on-marked-down shutdown-sessions");
  expect(text).toContain(
    "server node1 127.0.0.1:21 check port 11\n  server node2 127.0.0.1:22 check port 12\n",
  );
});

test("a seed gives an order, in which each fault comes before one comes again", () => {
  const names = Object.keys(faults);
  const take = (seed: number, count: number): readonly string[] => {
    const order = drawn(names, new Dice(seed));
    return Array.from({ length: count }, () => order.next().value);
  };
  const two = take(7, 2 * names.length);
  expect(two.slice(0, names.length).toSorted()).toEqual(names.toSorted());
  expect(two.slice(names.length).toSorted()).toEqual(names.toSorted());
  expect(take(7, names.length)).toEqual(two.slice(0, names.length));
  expect(take(8, names.length)).not.toEqual(two.slice(0, names.length));
});

test("what is missing is said, with what brings it", () => {
  const { message } = new ProgramsMissing(["etcd", "haproxy"]);
  expect(message).toContain("not found: etcd, haproxy;");
  expect(message).toContain(
    "apt-get install --no-install-recommends postgresql patroni etcd-server",
  );
});

test("the program says which faults there are, and knows no others", () => {
  const help = execFileSync(process.execPath, [program, "--help"], { encoding: "utf8" });
  for (const [name, { says }] of Object.entries(faults))
    expect(help).toMatch(`${name.padEnd(16)} ${says}`);
  const asked = spawnSync(process.execPath, [program, "--faults", "flood"], { encoding: "utf8" });
  expect(asked.status).toBe(2);
  expect(asked.stderr).toContain("--faults knows no flood; there are kill-primary, ");
});
