// Node opens its inspector for SIGUSR1, and whoever reaches that port reads the keys.

import { readFileSync, readlinkSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  type Child,
  endChildren,
  makeFolder,
  startChild,
  startServerChild,
} from "../programs/child.ts";

afterEach(endChildren);

const listening = "0A";

/** The local ports on which the process takes connections. */
function portsOf(pid: number): readonly number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`)) ?? [];
        return inode === undefined ? [] : [inode];
      } catch {
        return []; // closed meanwhile
      }
    }),
  );
  return ["tcp", "tcp6"].flatMap((table) => {
    const lines = readFileSync(`/proc/${pid}/net/${table}`, "utf8").trim().split("\n").slice(1);
    return lines.flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state !== listening || !sockets.has(inode)) return [];
      return [Number.parseInt(local.split(":")[1] ?? "", 16)];
    });
  });
}

/** Whether Node waits for SIGUSR1 (10): bit 9 of what the process catches, of what it blocks. */
function masksOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const has = (name: string) => {
    const [, hex = ""] = new RegExp(`^${name}:\\s+([0-9a-f]+)$`, "m").exec(status) ?? [];
    return (BigInt(`0x${hex}`) & 0x200n) !== 0n;
  };
  return { isCaught: has("SigCgt"), isBlocked: has("SigBlk") };
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

async function answers(port: number): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
}

async function endsQuietly(child: Child): Promise<void> {
  child.kill("SIGTERM");
  expect(await child.ended).toMatchObject({ code: 0 });
  expect(child.errors()).not.toContain("Debugger");
  expect(child.output()).not.toContain("Debugger");
}

test.each([
  ["npm start", ["scripts/launch.mjs", "adapters/main.ts"]],
  ["the program itself", ["adapters/main.ts"]],
])("SIGUSR1 opens no inspector: a server by %s, and its signer", async (_, parameters) => {
  const environment = { PORT: "0", LOCAL_CHAIN: "on" };
  const server = startChild(parameters, environment);
  const text = await server.waitFor(/listening on http:\/\/[^"]+:(\d+)/);
  const port = Number(/listening on http:\/\/[^"]+:(\d+)/.exec(text)?.[1]);
  const before = portsOf(server.pid);
  expect(before).toContain(port);
  const signers = childrenOf(server.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("signer/main.ts"),
  );
  expect(signers).toHaveLength(1);
  for (const pid of [server.pid, ...signers]) {
    expect(masksOf(pid)).toEqual({ isCaught: false, isBlocked: true });
    process.kill(pid, "SIGUSR1");
  }
  expect(await answers(port)).toBe(200);
  expect(portsOf(server.pid)).toEqual(before);
  for (const pid of signers) expect(portsOf(pid)).toEqual([]);
  await endsQuietly(server);
});

test("SIGUSR1 opens no inspector: a signer of its own", async () => {
  const signer = startChild(["adapters/signer/main.ts"], {
    SIGNER_DIR: join(makeFolder(), "signer"),
  });
  await signer.waitFor(/the signer listens/);
  expect(masksOf(signer.pid)).toEqual({ isCaught: false, isBlocked: true });
  process.kill(signer.pid, "SIGUSR1");
  await endsQuietly(signer);
});

test("a debugger that is asked for by name is opened", async () => {
  const server = await startServerChild({ NODE_OPTIONS: "--inspect=127.0.0.1:0" });
  expect(server.errors()).toContain("Debugger listening on ws://127.0.0.1:");
  expect(portsOf(server.pid)).toHaveLength(2);
});
