// The local chain between two starts. Anvil writes its state over what was there, so a crash in
// between leaves half a file: it therefore writes to a second one, which takes the place of the
// first at the next start, if it is whole.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { StateFiles } from "./anvil.ts";

export interface ChainStateFolder {
  readonly files: StateFiles;
  /** where the chain before listened; undefined: there was none, or somebody else listens there */
  readonly port: number | undefined;
  /** whose it is from now on */
  readonly setOwner: (owner: ChainOwner) => void;
}

interface ChainOwner {
  readonly processId: number;
  readonly port: number;
}

/** What is lost at most when the machine is switched off. */
const intervalSeconds = 5;

export async function openStateFolder(
  stateFolder: string,
  predecessorMillisecondsMax: number,
): Promise<ChainStateFolder> {
  // Anvil runs in a folder of its own: from there a relative path leads elsewhere.
  const folder = resolve(stateFolder);
  mkdirSync(folder, { recursive: true });
  const loadPath = join(folder, "chain.json");
  const dumpPath = join(folder, "chain.new.json");
  const ownerPath = join(folder, "anvil.pid");
  const portPath = join(folder, "anvil.port");
  const giveUpAt = performance.now() + predecessorMillisecondsMax;
  await untilPredecessorEnded({ ownerPath, dumpPath, giveUpAt });
  if (isWhole(dumpPath)) renameSync(dumpPath, loadPath);
  else rmSync(dumpPath, { force: true });
  return {
    files: { loadPath: existsSync(loadPath) ? loadPath : undefined, dumpPath, intervalSeconds },
    port: await freePort(portPath),
    setOwner: ({ processId, port }) => {
      writeFileSync(ownerPath, `${processId}\n`);
      writeFileSync(portPath, `${port}\n`);
    },
  };
}

async function freePort(path: string): Promise<number | undefined> {
  const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 65_535) return undefined;
  const port = Number(text);
  const probe = createServer();
  const isFree = new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!(await isFree)) return undefined;
  probe.close();
  await once(probe, "close");
  return port;
}

interface Predecessor {
  readonly ownerPath: string;
  readonly dumpPath: string;
  /** of `performance.now()` */
  readonly giveUpAt: number;
}

/** After a killed server its chain still writes for a moment. */
async function untilPredecessorEnded({
  ownerPath,
  dumpPath,
  giveUpAt,
}: Predecessor): Promise<void> {
  if (!existsSync(ownerPath) || process.platform === "win32") return;
  const processId = readFileSync(ownerPath, "utf8").trim();
  if (!/^[1-9]\d*$/.test(processId)) return;
  // The number may belong to another program by now.
  while (commandOf(processId).includes(dumpPath)) {
    if (performance.now() > giveUpAt) {
      throw new Error(
        `Another local chain (process ${processId}) uses ${dumpPath}. Stop it, or take another folder.`,
      );
    }
    await wait(50);
  }
}

/** Empty: there is none with this number. Small Linux images have no `ps`, other systems no `/proc`. */
function commandOf(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, "utf8");
  } catch {
    const ps = spawnSync("ps", ["-o", "args=", "-p", processId], { encoding: "utf8" });
    return ps.error === undefined ? ps.stdout : "";
  }
}

function isWhole(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return true;
  } catch {
    return false;
  }
}
