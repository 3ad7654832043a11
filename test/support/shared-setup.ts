// Once for the whole run of the tests: starts what they share when one of them first asks for it, and ends it
// with the run.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import type { Shared } from "./shared.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** whom `shared` asks */
    readonly sharedUrl: string;
  }
}

type Ending = () => Promise<void>;
type Maker = (
  atEnd: (ending: Ending) => void,
  make: (name: keyof Shared) => Promise<string>,
) => Promise<string>;

/** Loaded when they are needed, too: that takes half of the time of a file that needs nothing. */
const makers = {
  postgres: async (atEnd: (ending: Ending) => void) => {
    const { startTemplateServer } = await import("./template-databases.ts");
    const { url, remove } = await startTemplateServer();
    atEnd(remove);
    return url;
  },
  pooler: async (...[atEnd, make]: Parameters<Maker>) => {
    const program = process.env["PGBOUNCER"] ?? "";
    if (program === "") return "";
    const { startOwnPooler, startPgBouncer } = await import("./pgbouncer.ts");
    const server = await make("postgres");
    const start = program === "own" ? startOwnPooler(server) : startPgBouncer(program, server);
    const { host, stop } = await start;
    atEnd(stop);
    return host;
  },
  pgliteArchive: async () => (await import("./template-databases.ts")).makePgliteArchive(),
  pgliteFolder: async () => (await import("./template-databases.ts")).makePgliteFolder(),
  chromium: async () => (await import("./chromium.ts")).findChromium(),
} satisfies Record<keyof Shared, Maker>;

export default async function setup(project: TestProject): Promise<Ending> {
  const made = new Map<string, Promise<string>>();
  const endings: Ending[] = [];
  const makeOnce = (name: keyof Shared): Promise<string> => {
    const known = made.get(name) ?? makers[name]((ending) => endings.push(ending), makeOnce);
    made.set(name, known);
    return known;
  };
  const desk = createServer((request, response) => {
    const name = (request.url ?? "").slice(1) as keyof Shared; // only `shared` asks
    makeOnce(name).then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : ""),
    );
  }).listen(0, "127.0.0.1");
  await once(desk, "listening");
  const { port } = desk.address() as AddressInfo; // a TCP server has this form of address
  project.provide("sharedUrl", `http://127.0.0.1:${port}/`);
  return async () => {
    desk.close();
    await Promise.allSettled(made.values());
    for (const end of endings) await end();
  };
}
