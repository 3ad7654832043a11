// What is run on the cluster: two processes of the service, and the signer that both use.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { usd } from "../demo/cast.ts";
import { Part, waitUntil } from "./parts.ts";

export interface Service {
  readonly name: string;
  readonly url: string;
  /** how it reaches the database */
  readonly by: "pooler" | "servers";
  readonly part: Part;
}

export interface Services {
  readonly signer: Part;
  readonly isSigning: () => Promise<boolean>;
  readonly all: readonly Service[];
  /** what they have logged of the request that this text names; none: it names none */
  readonly linesAbout: (text: string) => readonly string[];
  /** what both are configured with */
  readonly environment: Readonly<Record<string, string>>;
}

interface Wish {
  readonly folder: string;
  readonly ports: readonly number[];
  readonly urls: { readonly pooler: string; readonly servers: string };
  readonly chainUrl: string;
}

const root = join(import.meta.dirname, "..", "..");
const startSecondsMax = 60;

export async function startServices({ folder, ports, urls, chainUrl }: Wish): Promise<Services> {
  // The path of a socket is short.
  const socket = join(folder, "signer.sock");
  const signer = new Part({
    ...programOf("signer", folder, ["adapters/signer/main.ts"]),
    environment: { ...compileCache(), SIGNER_DIR: join(folder, "signer"), SIGNER_SOCKET: socket },
  });
  signer.start();
  const common = {
    ...compileCache(),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    EVM_RPC_URLS: `${usd.chainId}=${chainUrl}`,
    LOCAL_CHAIN: "off",
    SIGNER_SOCKET: socket,
    WEBHOOK_HTTP_HOSTS: "127.0.0.1",
    WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
  };
  const all: Service[] = [];
  for (const [index, by] of (["pooler", "servers"] as const).entries()) {
    const name = index === 0 ? "one" : "two";
    const data = join(folder, name);
    mkdirSync(data, { mode: 0o700 });
    const port = ports[index] ?? 0;
    const part = new Part({
      ...programOf(name, folder, ["--disable-sigusr1", "adapters/main.ts"]),
      environment: { ...common, DATABASE_URL: urls[by], DATA_DIR: data, PORT: String(port) },
    });
    const url = `http://127.0.0.1:${port}`;
    part.start();
    all.push({ name, url, by, part });
    await waitUntil(`the service ${name} is ready`, () => isReady(url), startSecondsMax);
  }
  return {
    signer,
    isSigning: () => takesConnections(socket),
    all,
    linesAbout: (text) => {
      const [id] = /req_\w+/.exec(text) ?? [];
      if (id === undefined) return [];
      const logs = all.map(({ name }) => readFileSync(logOf(name, folder), "utf8").split("\n"));
      return logs.flat().filter((line) => line.includes(id));
    },
    environment: { ENCRYPTION_KEY: common.ENCRYPTION_KEY },
  };
}

function programOf(name: string, folder: string, parameters: readonly string[]) {
  mkdirSync(join(folder, "logs"), { recursive: true });
  return {
    name,
    command: process.execPath,
    parameters: parameters.map((one) => (one.endsWith(".ts") ? join(root, one) : one)),
    home: folder,
    log: logOf(name, folder),
    folder,
  };
}

function logOf(name: string, folder: string): string {
  return join(folder, "logs", `${name}.log`);
}

/** As the launcher gives it to whatever it starts. */
function compileCache(): Readonly<Record<string, string>> {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

async function takesConnections(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false; // nobody listens
  } finally {
    socket.destroy();
  }
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false; // it does not listen, or stands still
  }
}
