// Which server connections lead to, and whether it answers. Nobody asks while all is well: a server is looked at when
// something breaks that is about it, or when nothing has come from it for a while though somebody waits.
//
// A server that is frozen, or behind a network that is gone, breaks nothing: whoever waits for it waits for a time-out,
// and whoever comes next as well. Where it does not answer a new connection either, all connections to it are broken,
// and whoever comes is refused at once until a server is found that takes writes.

import type { NamedServer } from "../configuration/database-url.ts";
import { isAboutServer, notAvailable } from "./failures.ts";
import { probe } from "./probe.ts";
import type { Finding } from "./probe.ts";
import { afterTicks } from "./ticks.ts";

/** What became of the server, for the log. */
export type ServerNews =
  | { readonly kind: "silent"; readonly server: string }
  | { readonly kind: "back"; readonly server: string }
  | { readonly kind: "changed"; readonly server: string; readonly before: string };

export interface WatchOptions {
  /** at least one; several: one of them takes writes */
  readonly servers: readonly NamedServer[];
  readonly onNews?: ((news: ServerNews) => void) | undefined;
}

/** 2 s: nothing has ended for so long, and somebody waits. */
const quietTicksMax = 8;
/** Between two looks, while nobody takes writes; and what others get to say that they do, once one does. */
const pauseTicks = 2;

interface Found {
  readonly server: NamedServer;
  readonly finding: Finding;
}

export class ServerWatch {
  readonly #options: WatchOptions;
  readonly #connections = new Set<() => void>();
  #current: NamedServer;
  #isSilent = false;
  /** it was told, and no end of it yet */
  #isSilenceTold = false;
  #isTicking = false;
  #isClosed = false;
  #isLooking = false;
  #isAsked = false;
  #underWay = 0;
  #quietTicks = 0;

  constructor(options: WatchOptions) {
    const [first] = options.servers;
    if (first === undefined) throw new Error("there is no server");
    this.#options = options;
    this.#current = first;
  }

  /** Where a new connection leads to. */
  get url(): string {
    return this.#current.url;
  }

  /** Neither a new connection nor an old one would get an answer. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** `end` breaks it, at once. Call what is returned when it has ended. */
  addConnection(end: () => void): () => void {
    this.#connections.add(end);
    return () => void this.#connections.delete(end);
  }

  /** Throws what the work throws, and `service_unavailable` without beginning it if nobody would answer. */
  async through<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isSilent) throw notAvailable(new Error(`${this.#current.name} does not answer`));
    this.#underWay += 1;
    if (this.#underWay === 1) this.#quietTicks = 0;
    this.#waitForQuiet();
    try {
      return await work();
    } catch (error) {
      if (isAboutServer(error)) void this.#look();
      throw error;
    } finally {
      this.#underWay -= 1;
      this.#quietTicks = 0;
    }
  }

  /** For the start: the one of several that takes writes. Throws `service_unavailable`. */
  async choose(): Promise<void> {
    const { servers } = this.#options;
    // One alone says by itself what is wrong with it.
    if (servers.length === 1) return;
    const found = await this.#probeAll();
    const primary = chosenOf(found, this.#current);
    if (primary === undefined) {
      const words = found.map(({ server, finding }) => `${server.name} ${wordsOf(finding)}`);
      throw notAvailable(new Error(`none of its servers takes writes: ${words.join("; ")}`));
    }
    this.#current = primary;
  }

  close(): void {
    this.#isClosed = true;
  }

  #waitForQuiet(): void {
    if (this.#isTicking) return;
    const onTick = (): void => {
      this.#isTicking = this.#underWay > 0 && !this.#isClosed;
      if (!this.#isTicking) return;
      this.#quietTicks += 1;
      if (this.#quietTicks >= quietTicksMax) {
        this.#quietTicks = 0;
        void this.#look();
      }
      afterTicks(1, onTick);
    };
    this.#isTicking = true;
    afterTicks(1, onTick);
  }

  /** Until somebody takes writes. A crowd whose connections broke asks once, and once more for who came after that. */
  async #look(): Promise<void> {
    this.#isAsked = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false;
      await this.#lookForPrimary();
      await ticks(pauseTicks);
    }
    this.#isLooking = false;
  }

  async #lookForPrimary(): Promise<void> {
    while (!this.#isClosed) {
      const found = await this.#probeAll();
      const primary = chosenOf(found, this.#current);
      if (primary !== undefined) {
        this.#settleOn(primary);
        return;
      }
      const own = found.find(({ server }) => server === this.#current);
      if (own?.finding.kind === "mute") this.#fallSilent();
      else this.#isSilent = false;
      await ticks(pauseTicks);
    }
  }

  #settleOn(server: NamedServer): void {
    const before = this.#current;
    this.#current = server;
    this.#isSilent = false;
    if (server !== before) {
      // It may still answer, and take what it is given for good: nobody may ask it any more.
      this.#breakAll();
      this.#tell({ kind: "changed", server: server.name, before: before.name });
    } else if (this.#isSilenceTold) this.#tell({ kind: "back", server: server.name });
    this.#isSilenceTold = false;
  }

  #fallSilent(): void {
    if (!this.#isSilenceTold) this.#tell({ kind: "silent", server: this.#current.name });
    this.#isSilenceTold = true;
    this.#isSilent = true;
    this.#breakAll();
  }

  #breakAll(): void {
    for (const end of this.#connections) end();
  }

  #tell(news: ServerNews): void {
    if (!this.#isClosed) this.#options.onNews?.(news);
  }

  /** Once one takes writes, the others have a moment to say that they do: a dead one keeps nobody waiting. */
  async #probeAll(): Promise<readonly Found[]> {
    const { servers } = this.#options;
    const isOneOfSeveral = servers.length > 1;
    const answers = new Map<NamedServer, Finding>();
    const enough = Promise.withResolvers<undefined>();
    const all = servers.map(async (server) => {
      const finding = await probe(server.url, isOneOfSeveral);
      answers.set(server, finding);
      if (finding.kind === "primary") afterTicks(pauseTicks, () => enough.resolve(undefined));
    });
    await Promise.race([Promise.all(all), enough.promise]);
    return servers.map((server) => ({ server, finding: answers.get(server) ?? { kind: "mute" } }));
  }
}

/**
 * Of those that take writes the one with the highest timeline: one that comes back from being frozen does not know yet
 * that another was promoted in its place. Of equals the one that is used already.
 */
function chosenOf(found: readonly Found[], current: NamedServer): NamedServer | undefined {
  let chosen: NamedServer | undefined;
  let highest = -1;
  for (const { server, finding } of found) {
    if (finding.kind !== "primary") continue;
    const isBetter = finding.timeline > highest;
    if (isBetter || (finding.timeline === highest && server === current)) chosen = server;
    highest = Math.max(highest, finding.timeline);
  }
  return chosen;
}

function ticks(count: number): Promise<void> {
  return new Promise((resolve) => void afterTicks(count, resolve));
}

function wordsOf(finding: Finding): string {
  if (finding.kind === "refuses") return `cannot be used (${finding.reason})`;
  return finding.kind === "mute" ? "does not answer" : "takes no writes";
}
