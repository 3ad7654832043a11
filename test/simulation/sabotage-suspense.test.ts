// A service that does not keep count of what leaves suspense is found by the simulation.

import { test } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { sendAstray } from "./arrivals.ts";
import { expectFound } from "./broken.ts";
import { settleChains } from "./calm.ts";
import { decideSuspense } from "./suspense.ts";
import { without } from "./without.ts";
import type { World } from "./world.ts";

const times = 8;
const decisions = 24;

async function decideAll(world: World): Promise<void> {
  for (let left = times; left > 0; left--) sendAstray(world);
  await settleChains(world);
  for (let left = decisions; left > 0; left--) await decideSuspense(world);
}

test("money that is taken out, and waits all the same, is found, and the seed is named", async () => {
  const broken = (real: Database): Database => without(["take_out_item"], real);
  const found = /in suspense by the books, \d+ waits|more leaves suspense than is there/;
  await expectFound({ broken, play: decideAll }, found);
});
