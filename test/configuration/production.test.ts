// What production refuses to start with, with the remedy, and what it warns of.

import { chmodSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import type { Machine } from "../../adapters/configuration/machine.ts";
import { thisMachine } from "../../adapters/configuration/machine.ts";
import { productionWarnings } from "../../adapters/configuration/exposure.ts";
import { checkProduction } from "../../adapters/signer/production.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { endChildren, giveToPlainUser, makeFolder, startChild } from "../programs/child.ts";

afterEach(endChildren);

const key = randomBytes(32).toString("base64");
const sound = {
  NODE_ENV: "production",
  ENCRYPTION_KEY: key,
  PUBLIC_URL: "https://pay.example.com",
  TRUSTED_PROXIES: "10.0.0.0/8",
};
const machine: Machine = { uid: 1000, modeOf: () => 0o700 };

function mistakesOf(environment: Readonly<Record<string, string>>, on: Machine = machine): string {
  try {
    parseConfiguration({ ...sound, ...environment }, on);
  } catch (error) {
    return String(error);
  }
  return "none";
}

describe("the server in production", () => {
  test("starts with what is sound", () => {
    expect(mistakesOf({})).toBe("none");
    for (const mode of [0o700, 0o500, undefined]) {
      expect(mistakesOf({}, { ...machine, modeOf: () => mode })).toBe("none");
    }
  });

  test.each([
    ["32 times one byte", Buffer.alloc(32, 7)],
    ["a word", Buffer.from("correct horse battery staple aaa")],
  ])("refuses an encryption key that is %s, and never shows it", (_name, bytes) => {
    const weak = bytes.toString("base64");
    const said = mistakesOf({ ENCRYPTION_KEY: weak });
    expect(said).toMatch(
      /ENCRYPTION_KEY has fewer than 16 different bytes.*openssl rand -base64 32/,
    );
    expect(said).not.toContain(weak);
  });

  test("takes a thousand random keys", () => {
    for (let left = 1_000; left > 0; left--) {
      expect(mistakesOf({ ENCRYPTION_KEY: randomBytes(32).toString("base64") })).toBe("none");
    }
  });

  test.each([
    ["", /PUBLIC_URL is missing; .*https:/],
    ["http://pay.example.com", /PUBLIC_URL is not https; .*https/],
    ["HTTP://pay.example.com", /PUBLIC_URL is not https; .*https/],
  ])("refuses PUBLIC_URL=%s", (PUBLIC_URL, said) => {
    expect(mistakesOf({ PUBLIC_URL })).toMatch(said);
  });

  test("refuses root, and a data folder that others may use", () => {
    expect(mistakesOf({}, { ...machine, uid: 0 })).toMatch(/runs as root \(uid 0\); .*of its own/);
    for (const mode of [0o750, 0o704, 0o777]) {
      expect(mistakesOf({ DATA_DIR: "/srv/data" }, { ...machine, modeOf: () => mode })).toMatch(
        /DATA_DIR \/srv\/data may be used by others .*chmod 700 \/srv\/data/,
      );
    }
  });

  test("refuses a socket of the signer that everybody may open", () => {
    const modeOf = (mode: number) => (path: string) => (path.endsWith(".sock") ? mode : 0o700);
    const SIGNER_SOCKET = "/run/payments-signer/signer.sock";
    for (const mode of [0o666, 0o661, 0o604, 0o602]) {
      expect(mistakesOf({ SIGNER_SOCKET }, { ...machine, modeOf: modeOf(mode) })).toMatch(
        /SIGNER_SOCKET \/run\S+ may be opened by everybody \(mode 6\d\d\); write: chmod o-rwx \/run/,
      );
    }
    for (const mode of [0o660, 0o600]) {
      expect(mistakesOf({ SIGNER_SOCKET }, { ...machine, modeOf: modeOf(mode) })).toBe("none");
    }
  });

  test("refuses TRUSTED_PROXIES that names nearly everybody", () => {
    for (const TRUSTED_PROXIES of ["0.0.0.0/0", "10.0.0.0/8,::/0", "128.0.0.0/1"]) {
      expect(mistakesOf({ TRUSTED_PROXIES })).toMatch(/is nearly every address; .*\/8 or narrower/);
    }
    expect(mistakesOf({ TRUSTED_PROXIES: "10.0.0.0/8, 2001:db8::/32" })).toBe("none");
  });

  test("refuses a socket of the signer that everybody may open", () => {
    const modeOf = (mode: number) => (path: string) => (path.endsWith(".sock") ? mode : 0o700);
    const SIGNER_SOCKET = "/run/payments-signer/signer.sock";
    for (const mode of [0o666, 0o661, 0o604, 0o602]) {
      expect(mistakesOf({ SIGNER_SOCKET }, { ...machine, modeOf: modeOf(mode) })).toMatch(
        /SIGNER_SOCKET \/run\S+ may be opened by everybody \(mode 6\d\d\); write: chmod o-rwx \/run/,
      );
    }
    for (const mode of [0o660, 0o600]) {
      expect(mistakesOf({ SIGNER_SOCKET }, { ...machine, modeOf: modeOf(mode) })).toBe("none");
    }
  });

  test("refuses TRUSTED_PROXIES that names nobody", () => {
    expect(mistakesOf({ TRUSTED_PROXIES: "," })).toMatch(/TRUSTED_PROXIES is ","; write ranges/);
  });

  test("tells who has a weak key already how to come away from it", () => {
    const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
    expect(mistakesOf({ ENCRYPTION_KEY })).toMatch(/move this one to ENCRYPTION_KEYS_OLDER/);
    // And from then on it is taken, until nothing is sealed with it any more.
    expect(mistakesOf({ ENCRYPTION_KEYS_OLDER: ENCRYPTION_KEY })).toBe("none");
  });

  test("asks an operator's command for nothing that only a server needs", () => {
    const { PUBLIC_URL: _url, TRUSTED_PROXIES: _proxies, ...environment } = sound;
    expect(() => parseConfiguration(environment)).not.toThrow();
    expect(() => parseConfiguration(environment, machine)).toThrow(/PUBLIC_URL.*TRUSTED_PROXIES/s);
  });

  test("says all of it in one message, as a process", async () => {
    const DATA_DIR = makeFolder();
    chmodSync(DATA_DIR, 0o755);
    const { PUBLIC_URL: _, ...environment } = sound;
    const weak = Buffer.alloc(32, 7).toString("base64");
    const more = { DATA_DIR, PORT: "0", ENCRYPTION_KEY: weak };
    const child = startChild(["adapters/main.ts"], { ...environment, ...more });
    expect(await child.ended).toMatchObject({ code: 1 });
    for (const name of ["ENCRYPTION_KEY", "PUBLIC_URL", "DATA_DIR"]) {
      expect(child.errors()).toContain(name);
    }
    expect(child.errors().includes("uid 0")).toBe(process.getuid?.() === 0);
    expect(child.errors()).not.toMatch(/\n {4}at /);
  });

  test("development asks for none of that", () => {
    const weak = Buffer.alloc(32, 7).toString("base64");
    const wide: Machine = { uid: 0, modeOf: () => 0o777 };
    expect(() => parseConfiguration({ ENCRYPTION_KEY: weak }, wide)).not.toThrow();
    expect(() => parseConfiguration({}, wide)).not.toThrow();
  });
});

describe("warnings of production", () => {
  const warningsOf = (environment: Readonly<Record<string, string>>) =>
    productionWarnings(parseConfiguration({ ...sound, ...environment })).join("\n");

  test.each([
    [{ HOST: "0.0.0.0", TRUSTED_PROXIES: "none" }, /HOST 0.0.0.0 is open .*TRUSTED_PROXIES/],
    [{ METRICS_LISTEN: "0.0.0.0:9464" }, /METRICS_LISTEN 0.0.0.0 is open to the network/],
    [{ METRICS_LISTEN: "[2001:db8::7]:9464" }, /Let a firewall keep all but Prometheus away/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318" },
      /Traces go over the network without TLS: name the https address of the collector/,
    ],
    [{ DATABASE_URL: "postgresql://u:p@db.example/x" }, /without TLS: add sslmode=verify-full/],
    [{ DATABASE_URL: "postgresql://u:p@db.example/x?sslmode=prefer" }, /without TLS/],
    [{ DATABASE_URL: "postgresql://u:p@127.0.0.1,db.example/x" }, /without TLS/],
    [
      {
        DATABASE_URL: "postgresql://u:p@127.0.0.1/x",
        DATABASE_REPLICA_URL: "postgresql://u:p@db.example/x",
      },
      /DATABASE_REPLICA_URL leads over the network without TLS: add sslmode=verify-full/,
    ],
  ] as const)("%j", (environment, said) => {
    expect(warningsOf(environment)).toMatch(said);
    expect(warningsOf(environment)).not.toContain("u:p");
  });

  test.each([
    { HOST: "0.0.0.0" },
    { HOST: "127.0.0.1", TRUSTED_PROXIES: "none" },
    { METRICS_LISTEN: "127.0.0.1:9464" },
    { METRICS_LISTEN: "[::1]:9464" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://[::1]:4318" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example" },
    { METRICS_LISTEN: "unix:/run/pay/metrics.sock" },
    { DATABASE_URL: "postgresql://u:p@127.0.0.1/x" },
    { DATABASE_URL: "postgresql:///x?host=/run/postgresql" },
    { DATABASE_URL: "postgresql://u:p@db.example/x?sslmode=verify-full" },
    { DATABASE_URL: "postgresql://u:p@a.example:1,b.example:2/x?sslmode=verify-full" },
  ])("none with %j", (environment) => {
    const tables = "DATABASE_URL" in environment ? { MIGRATE: "off" } : {};
    expect(warningsOf({ ...tables, ...environment })).toBe("");
  });
});

describe("the signer in production", () => {
  const settings = parseSettings({
    NODE_ENV: "production",
    SIGNER_DIR: "/srv/signer",
    SIGNER_POLICY: "/etc/policy.json",
  });
  const modes = (folder: number, policy: number): Machine => ({
    uid: 1000,
    modeOf: (path) => (path === "/srv/signer" ? folder : policy),
  });

  test("refuses root, a folder that others may use, and a policy that others may write", () => {
    expect(() => checkProduction(settings, modes(0o700, 0o644))).not.toThrow();
    expect(() => checkProduction(settings, { ...modes(0o700, 0o644), uid: 0 })).toThrow(/uid 0/);
    expect(() => checkProduction(settings, modes(0o750, 0o644))).toThrow(
      /SIGNER_DIR \/srv\/signer may be used by others .*chmod 700/,
    );
    for (const mode of [0o664, 0o646]) {
      expect(() => checkProduction(settings, modes(0o700, mode))).toThrow(
        /SIGNER_POLICY \/etc\/policy.json may be written by others .*chmod go-w/,
      );
    }
  });

  test("does so as a process, in development not", async () => {
    const SIGNER_DIR = giveToPlainUser(makeFolder());
    chmodSync(SIGNER_DIR, 0o755);
    const child = startChild(["adapters/signer/main.ts"], { SIGNER_DIR, NODE_ENV: "production" });
    expect(await child.ended).toMatchObject({ code: 2 });
    expect(child.errors()).toMatch(/SIGNER_DIR .* may be used by others/);
  });
});

describe("secrets in files", () => {
  const fileWith = (text: string): string => {
    const path = join(makeFolder(), "secret");
    writeFileSync(path, text);
    return path;
  };

  test("are read, with the end of their line left out", () => {
    const url = "postgresql://u:p@127.0.0.1/x";
    const given = { ENCRYPTION_KEY_FILE: fileWith(`${key}\n`), DATABASE_URL_FILE: fileWith(url) };
    const { encryptionKey, databaseUrl } = parseConfiguration(given);
    expect(Buffer.from(encryptionKey ?? []).toString("base64")).toBe(key);
    expect(databaseUrl).toBe(url);
  });

  test("of a wrong form, missing, or given twice are mistakes that show nothing", () => {
    const twice = { ENCRYPTION_KEY_FILE: fileWith(key), ENCRYPTION_KEY: key };
    const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{ ENCRYPTION_KEY_FILE: fileWith("short") }, /ENCRYPTION_KEY_FILE names a file of the wrong/],
      [{ ENCRYPTION_KEY_FILE: "/nowhere/key" }, /ENCRYPTION_KEY_FILE cannot be read \(ENOENT\)/],
      [twice, /ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both given/],
      [{ DATABASE_URL_FILE: fileWith("mysql://u:p@h/x") }, /DATABASE_URL_FILE names a file of the/],
    ];
    for (const [environment, said] of cases) {
      let message = "";
      try {
        parseConfiguration(environment);
      } catch (error) {
        message = String(error);
      }
      expect(message).toMatch(said);
      expect(message).not.toMatch(/short|u:p/);
      expect(message).not.toContain(key);
    }
    expect(thisMachine.modeOf("/nowhere/key")).toBeUndefined();
  });
});
