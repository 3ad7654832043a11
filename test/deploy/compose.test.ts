// compose.yaml: what it names is there, and what it sets is read by somebody.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../programs/child.ts";
import { deployFolder, imageCommand, readDeployFile, readEnvironmentFile } from "./files.ts";

interface Service {
  readonly command?: readonly string[];
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly network_mode?: string;
  readonly env_file?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: readonly string[];
}

const { services, secrets, volumes } = parse(readDeployFile("compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, object>>;
};
const all = Object.entries(services);
const ours = all.filter(([, { image }]) => image.includes("PAYMENTS_IMAGE"));
const page = readFileSync(join(projectRoot, "docs", "operations.md"), "utf8");

test("has PostgreSQL, PgBouncer, two servers, the signer, the migration and Prometheus", () => {
  expect(Object.keys(services).toSorted()).toEqual(
    ["migrate", "pgbouncer", "postgres", "prometheus", "server1", "server2", "signer"].toSorted(),
  );
});

test("names files that are there, or that the page has made before", () => {
  const sources = all.flatMap(([, one]) => [
    ...(one.env_file ?? []),
    ...(one.volumes ?? []).map((volume) => volume.split(":")[0] ?? ""),
    ...(one.secrets ?? []).map((name) => secrets[name]?.file ?? `no secret ${name}`),
  ]);
  const missing = sources.filter((source) => {
    if (source.startsWith(".")) return !existsSync(join(deployFolder, source));
    if (source.startsWith("/")) return !page.includes(source.split("/").at(-1) ?? source);
    return !Object.hasOwn(volumes, source);
  });
  expect(missing).toEqual([]);
  const programs = ours.map(([, { command }]) => (command ?? imageCommand("CMD"))[0] ?? "");
  expect(programs.filter((one) => !existsSync(join(projectRoot, one)))).toEqual([]);
  const needed = all.flatMap(([, one]) => one.depends_on ?? []);
  expect(needed.filter((name) => !Object.hasOwn(services, name))).toEqual([]);
});

test("sets variables that the server reads", () => {
  const { names } = readEnvironmentFile("server.env");
  for (const name of ["server1", "server2", "migrate"]) {
    const given = Object.keys(services[name]?.environment ?? {});
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter((one) => !names.includes(one))).toEqual([]);
  }
});

test("gives the servers the ports that haproxy and Prometheus ask", () => {
  const ports = ["server1", "server2"].flatMap((name) => services[name]?.ports ?? []);
  const published = ports.map((one) => one.split(":").slice(0, 2).join(":"));
  for (const one of published) {
    expect(readDeployFile("haproxy.cfg") + readDeployFile("prometheus.yaml")).toContain(one);
  }
});

test("every process of ours has a file system that it cannot write, and the signer no network", () => {
  expect(ours.map(([name]) => name)).toEqual(["server1", "server2", "signer", "migrate"]);
  for (const [, one] of ours) expect(one.read_only).toBe(true);
  expect(services["signer"]).toMatchObject({ network_mode: "none", user: "10002:10001" });
});
