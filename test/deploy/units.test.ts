// The units of systemd: who runs what, and how little each may do.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { deployFolder, readUnit } from "./files.ts";

afterEach(endChildren);

const units = ["payments@.service", "payments-signer.service"];

/** What keeps a process that was taken over from the rest of its machine. */
const confinement = {
  NoNewPrivileges: "yes",
  CapabilityBoundingSet: "",
  ProtectSystem: "strict",
  ProtectHome: "yes",
  PrivateTmp: "yes",
  PrivateDevices: "yes",
  PrivateUsers: "yes",
  ProtectProc: "invisible",
  RestrictNamespaces: "yes",
  UMask: "0077",
  LimitCORE: "0",
};

describe.each(units)("%s", (name) => {
  const service = readUnit(name).get("Service");

  test("confines its process", () => {
    const said = Object.keys(confinement).map((key) => [key, service?.get(key)?.at(-1)]);
    expect(Object.fromEntries(said)).toEqual(confinement);
    expect(service?.get("SystemCallFilter")).toEqual([
      "@system-service",
      "~@privileged @resources",
    ]);
  });

  test("starts a program that is there, by Node itself", () => {
    const [command = ""] = service?.get("ExecStart") ?? [];
    const [node, flag, program = ""] = command.split(" ");
    expect([node, flag]).toEqual(["/opt/payments/node", "--disable-sigusr1"]);
    expect(existsSync(join(projectRoot, program))).toBe(true);
    expect(service?.get("WorkingDirectory")).toEqual(["/opt/payments"]);
  });

  test("waits longer for its end than a server takes at most", () => {
    expect(Number(service?.get("TimeoutStopSec")?.[0])).toBeGreaterThan(25);
  });
});

test("the two users are not the same, and neither sees the other's secrets", () => {
  const [server, signer] = units.map((name) => readUnit(name).get("Service"));
  expect(server?.get("User")).toEqual(["payments"]);
  expect(signer?.get("User")).toEqual(["payments-signer"]);
  expect(server?.get("InaccessiblePaths")?.[0]).toContain("/var/lib/payments-signer");
  expect(signer?.get("InaccessiblePaths")?.[0]).toContain("/etc/payments/encryption.key");
  // Its socket's folder: the group of the servers enters it, and nobody else.
  expect(signer?.get("Group")).toEqual(server?.get("Group"));
  expect(signer?.get("RuntimeDirectoryMode")).toEqual(["0750"]);
  expect(signer?.get("PrivateNetwork")).toEqual(["yes"]);
});

test("systemd, where there is one, calls each OK or better", () => {
  const folder = makeFolder();
  for (const name of units) {
    const path = join(folder, name.replace("@", "@1"));
    copyFileSync(join(deployFolder, name), path);
    // 3.9 is the most that it calls OK; it counts in tenths.
    const words = ["security", "--offline=true", "--no-pager", "--threshold=39", path];
    const { error, status, stdout, stderr } = spawnSync("systemd-analyze", words, {
      encoding: "utf8",
    });
    if (error !== undefined) {
      expect(error).toMatchObject({ code: "ENOENT" });
      continue;
    }
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/Overall exposure level for .*: [0-3]\.\d (?:OK|SAFE|PERFECT)/);
  }
});
