// listen, as a test starts it, lets something happen, and ends it.

import { expect } from "vitest";
import type { Child } from "../../programs/child.ts";
import { endOf, type PackedTool, recordsIn } from "./packed-tool.ts";
import type { ToolService, ToolShop } from "./tool-service.ts";

/** Nobody is there. */
export const nowhere = "http://127.0.0.1:2/hooks";

export interface Ready {
  readonly endpoint: string;
  readonly webhook_secret: string;
}

export interface Listening {
  readonly child: Child;
  readonly ready: Ready;
}

export class ToolWorld {
  readonly tool: PackedTool;
  readonly service: ToolService;

  constructor(tool: PackedTool, service: ToolService) {
    this.tool = tool;
    this.service = service;
  }

  async listen(
    { environment }: Pick<ToolShop, "environment">,
    forwardTo: string,
    ...words: readonly string[]
  ): Promise<Listening> {
    const all = ["listen", "--json", "--forward-to", forwardTo, ...words];
    const child = this.tool.start(all, environment);
    const [first] = recordsIn(await child.waitFor(/"kind":"ready".*\n/));
    // What it says of itself, by its own page.
    return { child, ready: first as unknown as Ready };
  }

  /** @returns the payment */
  async trigger({ environment }: ToolShop, event: string): Promise<string> {
    const words = ["trigger", event, "--json", "--rpc", this.service.rpcUrl];
    const { code, output, errors } = await this.tool.run(words, environment);
    if (code !== 0) throw new Error(`trigger ${event}: ${errors}`);
    return String(recordsIn(output)[0]?.["payment"]);
  }
}

/** @param said on standard error, behind what it does first */
export async function stop(child: Child, said: RegExp = /^$/) {
  child.kill("SIGINT");
  // npm hands on what a terminal has sent already
  child.kill("SIGINT");
  const { code, output, errors } = await endOf(child);
  expect({ code, errors }).toMatchObject({ code: 0 });
  expect(errors.replace(/^asking .*\n/, "")).toMatch(said);
  return recordsIn(output);
}
