// The examples of environment files against the tables of docs/configuration.md, and against the programs that read them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { readEnvironmentFile, readUnit } from "./files.ts";

afterEach(endChildren);

const page = readFileSync(join(projectRoot, "docs", "configuration.md"), "utf8");

function documented(heading: string): readonly string[] {
  const part = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return Array.from(part.matchAll(/^\| `([A-Z0-9_]+)` +\|/gm), ([, name = ""]) => name);
}

test.each([
  ["server.env", "The server"],
  ["signer.env", "The signer"],
])("%s has every variable of the table, each once", (file, heading) => {
  const { names } = readEnvironmentFile(file);
  expect(names).toEqual([...new Set(names)]);
  expect(documented(heading).filter((name) => !names.includes(name))).toEqual([]);
});

test("server.env and its unit are a configuration that a server in production takes", () => {
  const { given } = readEnvironmentFile("server.env");
  const key = join(makeFolder(), "encryption.key");
  writeFileSync(key, Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString("base64"));
  const unit = readUnit("payments@.service").get("Service")?.get("Environment")?.join(" ") ?? "";
  const ofUnit = new Map<string, string>();
  for (const one of unit.replaceAll("%i", "2").split(" ")) {
    const [name = "", value = ""] = one.split("=");
    ofUnit.set(name, value);
  }
  const configuration = parseConfiguration(
    { ...Object.fromEntries([...ofUnit, ...given]), ENCRYPTION_KEY_FILE: key },
    { uid: 1, modeOf: () => 0o700 },
  );
  expect(configuration).toMatchObject({
    environment: "production",
    host: "127.0.0.1",
    port: 8082,
    metricsPlace: { kind: "address", host: "127.0.0.1", port: 9462 },
    trustedProxies: ["127.0.0.1/32"],
    processes: 2,
  });
});

test("signer.env is what the unit and the servers expect", () => {
  const signer = parseSettings(Object.fromEntries(readEnvironmentFile("signer.env").given));
  const unit = readUnit("payments-signer.service").get("Service");
  expect(signer).toMatchObject({ isProduction: true, socketAccess: "group", cell: undefined });
  expect(signer.folder).toBe(`/var/lib/${unit?.get("StateDirectory")?.[0]}`);
  expect(signer.socketPath).toBe(`/run/${unit?.get("RuntimeDirectory")?.[0]}/signer.sock`);
  expect(readEnvironmentFile("server.env").given.get("SIGNER_SOCKET")).toBe(signer.socketPath);
});
