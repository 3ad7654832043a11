// One drill: everything is lost, restored, judged, decided about, and judged again.

import { Dice } from "../../../test/simulation/dice.ts";
import { Part } from "../../cluster/parts.ts";
import { loseAll } from "./losing.ts";
import type { Drilled } from "./report.ts";
import { restoreAll } from "./restoring.ts";
import { openSite } from "./site.ts";

interface Wish {
  readonly folder: string;
  readonly seed: number;
  readonly merchants: number;
  readonly say: (line: string) => void;
}

const vault = `0x${"7a".repeat(20)}`;

export async function drill({ folder, seed, merchants, say }: Wish): Promise<Drilled> {
  const site = await openSite({ folder, merchants, vault });
  const parts = [site.service.part, site.signer, site.postgres];
  try {
    say("load, a base backup, the moment, more load");
    const lost = await loseAll(site, new Dice(seed));
    say("the service and its database are lost");
    return await restoreAll(site, lost, { say, onStarted: (part) => parts.push(part) });
  } finally {
    for (const part of parts) await part.stop();
    await Promise.all([site.node.stop(), site.receiver.stop()]);
    if (Part.surprises.length > 0) say("a part has ended by itself");
  }
}
