// A job for each chain, so that one that does not answer holds up no other.

import type { Job, JobRun } from "./jobs.ts";

const nameLengthMax = 64;

/** With what its jobs need of it. */
export interface ChainPlace {
  readonly chain: { readonly chainId: string };
}

/** Each has its chain in its name, such as `watch-eip155-1`. */
export function perChain<Place extends ChainPlace>(
  { name, everyMilliseconds }: Pick<Job, "name" | "everyMilliseconds">,
  places: readonly Place[],
  run: (place: Place) => Promise<JobRun>,
): readonly Job[] {
  return places.map((place) => {
    const chain = place.chain.chainId.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const ofChain = `${name}-${chain}`.slice(0, nameLengthMax);
    return { name: ofChain, everyMilliseconds, run: () => run(place) };
  });
}
