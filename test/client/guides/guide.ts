// The programs of a guide, in the folder of a shop that has the package, and how they are run there.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { type Child, makeFolder, projectRoot, startChild } from "../../programs/child.ts";
import { findMistakes, installClient } from "../packed-client.ts";

type Settings = Readonly<Record<string, string>>;

export interface GuideShop {
  readonly folder: string;
  /** What the compiler says of its programs; it begins when the shop is opened. */
  readonly mistakes: Promise<readonly string[]>;
  readonly start: (program: string, settings: Settings, words?: readonly string[]) => Child;
  /** To its end, which has to be a good one. @returns what it printed */
  readonly run: (program: string, settings: Settings, words?: readonly string[]) => Promise<string>;
}

export const readGuide = (name: string): string =>
  readFileSync(join(projectRoot, "docs", "guides", `${name}.md`), "utf8");

/** `<!-- file: NAME -->` and the block of code behind it. */
export function programsOf(guide: string): ReadonlyMap<string, string> {
  const blocks = readGuide(guide).matchAll(/<!-- file: (\S+) -->\n+```\w+\n(.*?)\n```/gs);
  return new Map(Array.from(blocks, ([, name = "", text = ""]) => [name, `${text}\n`]));
}

/**
 * @param guides whose programs a shop has beside each other
 * @param packages that they need beside the client
 */
export function openGuideShop(
  guides: readonly string[],
  packages: readonly string[] = [],
): GuideShop {
  const folder = makeFolder();
  const programs = new Map(guides.flatMap((guide) => [...programsOf(guide)]));
  for (const [name, text] of programs) writeFileSync(join(folder, name), text);
  installClient(folder, packages);
  const start: GuideShop["start"] = (program, settings, words = []) =>
    startChild([join(folder, program), ...words], settings);
  return {
    folder,
    mistakes: findMistakes(folder, [...programs.keys()]),
    start,
    run: async (program, settings, words) => {
      const child = start(program, settings, words);
      const { code } = await child.ended;
      expect({ code, errors: child.errors() }).toEqual({ code: 0, errors: "" });
      return child.output();
    },
  };
}

/** As the service would send it. @returns the status of the answer */
export async function deliver(
  { PORT = "", WEBHOOK_SECRET = "" }: Settings,
  event: { readonly id: string },
  sent = JSON.stringify(event),
): Promise<number> {
  const now = new Date();
  const signature = new Webhook(WEBHOOK_SECRET).sign(event.id, now, JSON.stringify(event));
  const headers = {
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signature,
  };
  const url = `http://127.0.0.1:${PORT}/webhooks`;
  return (await fetch(url, { method: "POST", headers, body: sent })).status;
}

/** Where a program that listens at a given port can listen. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}
