// What follows for the rules from how the service is configured.

import { Cursors } from "../../service/cursor.ts";
import type { SealingRing } from "../../service/secrets/sealing.ts";
import type { Configuration } from "../configuration/configuration.ts";

interface OwnPlace {
  /** where the server listens, for links to itself where no PUBLIC_URL is configured */
  readonly ownUrl?: () => string;
}

export function urlPolicyOf({ publicUrl, webhookHttpHosts }: Configuration) {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  return { allowedHttpHosts: webhookHttpHosts, ownHosts: new Set(own) };
}

export function publicUrlOf({ publicUrl, host, port }: Configuration, { ownUrl }: OwnPlace) {
  return () => publicUrl ?? ownUrl?.() ?? `http://${host}:${port}`;
}

/** Our choice: on test networks people try things, and nobody wants to wait a day for that. */
const testCoolingMillisecondsMax = 60_000;

export function coolingOf({ withdrawAddressCoolingSeconds }: Configuration) {
  const mainNetwork = withdrawAddressCoolingSeconds * 1000;
  return { mainNetwork, testNetwork: Math.min(mainNetwork, testCoolingMillisecondsMax) };
}

export function buildCursors({ current, older }: SealingRing): Cursors {
  return new Cursors(
    current.key.export(),
    older.map(({ key }) => key.export()),
  );
}
