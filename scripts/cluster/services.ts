// What is run on the cluster: two processes of the service, and the signer that both use.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { usd } from "../client/tool/test-usd.ts";
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
  const signer = signerPart(folder);
  signer.start();
  const common = commonEnvironment(folder, chainUrl);
  const all: Service[] = [];
  for (const [index, by] of (["pooler", "servers"] as const).entries()) {
    const name = index === 0 ? "one" : "two";
    const port = ports[index] ?? 0;
    const environment = { ...common, DATABASE_URL: urls[by], PORT: String(port) };
    const part = servicePart(name, folder, environment);
    const url = `http://127.0.0.1:${port}`;
    part.start();
    all.push({ name, url, by, part });
    await waitUntil(`the service ${name} is ready`, () => isReady(url), startSecondsMax);
  }
  return {
    signer,
    isSigning: () => takesConnections(common.SIGNER_SOCKET),
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

/** @param more of its environment */
export function signerPart(folder: string, more: Readonly<Record<string, string>> = {}): Part {
  return new Part({
    ...programOf("signer", folder, ["adapters/signer/main.ts"]),
    environment: { ...compileCache(), ...signerPlace(folder), ...more },
  });
}

/** Where the signer of this folder is. */
export function signerPlace(folder: string) {
  // The path of a socket is short.
  return { SIGNER_DIR: join(folder, "signer"), SIGNER_SOCKET: join(folder, "signer.sock") };
}

/** What every process of the service is configured with. */
export function commonEnvironment(folder: string, chainUrl: string) {
  return {
    ...compileCache(),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    EVM_RPC_URLS: `${usd.chainId}=${chainUrl}`,
    LOCAL_CHAIN: "off",
    SIGNER_SOCKET: signerPlace(folder).SIGNER_SOCKET,
    WEBHOOK_HTTP_HOSTS: "127.0.0.1",
    WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
  };
}

export function servicePart(
  name: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Part {
  const data = join(folder, name);
  mkdirSync(data, { mode: 0o700 });
  return new Part({
    ...programOf(name, folder, ["--disable-sigusr1", "adapters/main.ts"]),
    environment: { ...environment, DATA_DIR: data },
  });
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

export function logOf(name: string, folder: string): string {
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
