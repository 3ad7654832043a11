// A payout schedule gets around nothing that stands between a key and a withdrawal (threat 84).

import { countRuns } from "./outside.ts";
import type { World } from "./world.ts";

export async function checkPayoutKeys(world: World): Promise<void> {
  // Asked of the keys themselves, and not of what the schedules remember of them.
  const unbound = await world.rows<{ id: string; key: string }>(
    `select s.id, s.api_key_id as key from payout_schedules s
      join deployments d on d.id = s.deployment_id
      left join api_keys k on k.id = s.api_key_id
      where not d.is_test_network and coalesce(k.cidrs = '{}', true)`,
  );
  for (const { id, key } of unbound) {
    world.complain(`${id} pays out on a main network, and ${key} has made it from anywhere`);
  }
  for (const [key, count] of world.runsOfStolenKeys) {
    const now = await countRuns(world, key);
    if (now !== count) world.complain(`${key} was revoked for cause, and ran ${now - count} times`);
  }
}
