// The signer of a simulation: a process of its own, which remembers what the two of ours have
// forgotten, and has a clock of its own, which now and then jumps.

import { TrustedTime } from "../../adapters/signer/trusted-time.ts";
import type { ActionSigner } from "../../service/ports/signer.ts";
import { ScriptedActionSigner } from "../support/scripted-outgoing.ts";
import type { World } from "./world.ts";

const dayMilliseconds = 86_400_000;
/** More than a clock that jumps by less than what is refused can be ahead. */
const aheadMax = 8 * dayMilliseconds;
const jumps = [-dayMilliseconds, 30 * dayMilliseconds, 3_650 * dayMilliseconds];

export class SimulatedSigner implements ActionSigner {
  readonly #inner = new ScriptedActionSigner();
  readonly #world: Pick<World, "nowMilliseconds">;
  readonly #time: TrustedTime;
  /** by how much its clock is wrong */
  skewMilliseconds = 0;
  /** it believes its clock, whatever that says */
  isCredulous = false;
  /** the newest time that it counted by */
  countedAt = 0;

  constructor(world: Pick<World, "nowMilliseconds">) {
    this.#world = world;
    const monotonicMilliseconds = (): number => world.nowMilliseconds;
    const nowMilliseconds = (): number => world.nowMilliseconds + this.skewMilliseconds;
    const clock = { nowMilliseconds, monotonicMilliseconds };
    this.#time = new TrustedTime(clock, world.nowMilliseconds);
  }

  get accounts(): ActionSigner["accounts"] {
    return this.#inner.accounts;
  }

  readonly nextNonce: ActionSigner["nextNonce"] = (chainId, role) =>
    this.#inner.nextNonce(chainId, role);

  readonly signAction: ActionSigner["signAction"] = async (chainId, intent) => {
    const now = this.isCredulous
      ? this.#world.nowMilliseconds + this.skewMilliseconds
      : this.#time.now();
    if (now > this.countedAt) this.countedAt = now;
    return this.#inner.signAction(chainId, intent);
  };
}

/** Wrong for a while, and then right again. */
export function turnSignerClock(world: World): void {
  const { signer, dice } = world;
  signer.skewMilliseconds = signer.skewMilliseconds === 0 ? dice.pick(jumps) : 0;
  world.note("clock of the signer", signer.skewMilliseconds === 0 ? "right" : "wrong");
}

/** What it counted far ahead would hold up all that comes after it. */
export function checkSigner(world: World): void {
  const { signer, nowMilliseconds } = world;
  if (signer.countedAt <= nowMilliseconds + aheadMax) return;
  world.complain(`the signer counts its limits by ${new Date(signer.countedAt).toISOString()}`);
}
