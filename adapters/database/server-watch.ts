// Which server connections lead to, and whether it answers. Nobody asks while all is well: a server is looked at when
// something breaks that is about it, or when it has answered nothing for a while though somebody waits.
//
// A server that is frozen, or behind a network that is gone, breaks nothing: whoever waits for it waits for a time-out,
// and whoever comes next as well. Where it does not answer a new connection either, all connections to it are broken,
// and whoever comes is refused at once until a server is found that takes writes.
//
// A server that was left is not used again unless it has been promoted since: its timeline would be lower.

import type { NamedServer } from "../configuration/database-url.ts";
import { isAboutServer, notAvailable } from "./failures.ts";
import { probe } from "./probe.ts";
import type { Finding } from "./probe.ts";
import { afterTicks } from "./ticks.ts";

/** What became of the server, for the log. */
export type ServerNews =
  | { readonly kind: "silent"; readonly server: string }
  | { readonly kind: "back"; readonly server: string }
  | { readonly kind: "changed"; readonly server: string; readonly before: string }
  /** It takes writes and no other does, and what was written since it was left is not on it: it is not used. */
  | {
      readonly kind: "older";
      readonly server: string;
      readonly timeline: number;
      readonly usedTimeline: number;
    };

export interface WatchOptions {
  /** at least one; several: one of them takes writes */
  readonly servers: readonly NamedServer[];
  readonly onNews?: ((news: ServerNews) => void) | undefined;
}

/** 2 s: it has answered nothing for so long, and somebody waits. */
const quietTicksMax = 8;
/** Between two looks, while nobody takes writes; and what others get to say that they do, once one does. */
const pauseTicks = 2;
/** Ten seconds and more: a server that is promoted takes writes within that. */
const eagerLooks = 20;
/** 2 s: who asks for longer and is refused comes less often. */
const pauseTicksMax = 8;

interface Found {
  readonly server: NamedServer;
  readonly finding: Finding;
}

interface Primary {
  readonly server: NamedServer;
  readonly timeline: number;
}

export class ServerWatch {
  readonly #options: WatchOptions;
  readonly #connections = new Set<() => void>();
  #current: NamedServer;
  /** the highest that was ever used */
  #timeline = 0;
  /** how often the server has answered anything */
  #answers = 0;
  #isSilent = false;
  /** it was told, and no end of it yet */
  #isSilenceTold = false;
  #isOlderTold = false;
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
  get server(): NamedServer {
    return this.#current;
  }

  /** Neither a new connection nor an old one would get an answer. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The server has answered, on any connection. */
  noteAnswer(): void {
    this.#answers += 1;
    this.#quietTicks = 0;
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
    }
  }

  /** For the start: the one of several that takes writes. Throws `service_unavailable`. */
  async choose(): Promise<void> {
    const { servers } = this.#options;
    // One alone says by itself what is wrong with it.
    if (servers.length === 1) return;
    const found = await this.#probeAll("all");
    const primary = this.#chosenOf(found);
    if (primary === undefined) {
      const words = found.map(({ server, finding }) => `${server.name} ${wordsOf(finding)}`);
      throw notAvailable(new Error(`none of its servers takes writes: ${words.join("; ")}`));
    }
    this.#current = primary.server;
    this.#timeline = primary.timeline;
  }

  /** Looks no more. Connections have a moment to say goodbye: a frozen server would keep them for ever. */
  close(): void {
    this.#isClosed = true;
    afterTicks(pauseTicks, () => this.#breakAll());
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
    try {
      while (this.#isAsked && !this.#isClosed) {
        this.#isAsked = false;
        await this.#lookForPrimary();
        await ticks(pauseTicks);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookForPrimary(): Promise<void> {
    for (let looks = 1; !this.#isClosed; looks += 1) {
      const answersBefore = this.#answers;
      const found = await this.#probeAll("until one may be used");
      const primary = this.#chosenOf(found);
      const own = found.find(({ server }) => server === this.#current)?.finding.kind;
      const isMute = own === "mute" && this.#answers === answersBefore;
      const isLost = isMute || own === "refuses" || own === "standby";
      // Another way to the same server is taken only where this one is not to be had any more.
      if (primary !== undefined && (this.#isFurther(primary) || isLost)) {
        this.#settleOn(primary);
        return;
      }
      if (primary === undefined) this.#tellOfOlder(found);
      if (isMute) this.#fallSilent();
      else this.#isSilent = false;
      // It says by itself how it is to whoever asks it, and there is nobody else.
      if (!isMute && this.#options.servers.length === 1) return;
      const pause = isMute || looks <= eagerLooks ? pauseTicks : pauseTicksMax;
      // A tick more or less, so that not all processes come at once.
      await ticks(pause + Math.round(Math.random()));
    }
  }

  #isFurther({ server, timeline }: Primary): boolean {
    return server === this.#current || timeline > this.#timeline;
  }

  #settleOn({ server, timeline }: Primary): void {
    const before = this.#current;
    this.#current = server;
    this.#timeline = Math.max(this.#timeline, timeline);
    this.#isSilent = false;
    if (server !== before) {
      // It may still answer, and take what it is given for good: nobody may ask it any more.
      this.#breakAll();
      this.#tell({ kind: "changed", server: server.name, before: before.name });
    } else if (this.#isSilenceTold) this.#tell({ kind: "back", server: server.name });
    this.#isSilenceTold = false;
    this.#isOlderTold = false;
  }

  #tellOfOlder(found: readonly Found[]): void {
    const usedTimeline = this.#timeline;
    for (const { server, finding } of found) {
      if (this.#isOlderTold || finding.kind !== "primary") continue;
      this.#isOlderTold = true;
      this.#tell({ kind: "older", server: server.name, timeline: finding.timeline, usedTimeline });
    }
  }

  /**
   * Of those that take writes the one with the highest timeline, and none below that which was used before: one that
   * comes back from being frozen does not know yet that another was promoted in its place. Of equals, such as two ways
   * to one server, the one that is used already.
   */
  #chosenOf(found: readonly Found[]): Primary | undefined {
    let chosen: Primary | undefined;
    for (const { server, finding } of found) {
      if (finding.kind !== "primary" || finding.timeline < this.#timeline) continue;
      const isSame = finding.timeline === chosen?.timeline && server === this.#current;
      if (chosen === undefined || finding.timeline > chosen.timeline || isSame) {
        chosen = { server, timeline: finding.timeline };
      }
    }
    return chosen;
  }

  #mayBeUsed(server: NamedServer, finding: Finding): boolean {
    if (finding.kind !== "primary") return false;
    const isInUse = server === this.#current && finding.timeline === this.#timeline;
    return isInUse || finding.timeline > this.#timeline;
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

  /**
   * Once the server in use takes writes, or one that was promoted after it, the others have a moment to say that they
   * do: a dead one keeps nobody waiting. Who has not answered by then counts as mute. While one has not answered yet,
   * the others are asked again: they may be promoted meanwhile.
   */
  async #probeAll(wish: "all" | "until one may be used"): Promise<readonly Found[]> {
    const { servers } = this.#options;
    const isOneOfSeveral = servers.length > 1;
    const answers = new Map<NamedServer, Finding>();
    const enough = Promise.withResolvers<undefined>();
    let isOver = false;
    const ask = async (server: NamedServer): Promise<void> => {
      const finding = await probe(server, isOneOfSeveral);
      answers.set(server, finding);
      const isUsable = wish === "until one may be used" && this.#mayBeUsed(server, finding);
      if (answers.size === servers.length) enough.resolve(undefined);
      else if (isUsable) afterTicks(pauseTicks, () => enough.resolve(undefined));
      else if (wish === "until one may be used") {
        await ticks(pauseTicks);
        if (!isOver) await ask(server);
      }
    };
    for (const server of servers) void ask(server);
    await enough.promise;
    isOver = true;
    return servers.map((server) => ({ server, finding: answers.get(server) ?? { kind: "mute" } }));
  }
}

function ticks(count: number): Promise<void> {
  return new Promise((resolve) => void afterTicks(count, resolve));
}

function wordsOf(finding: Finding): string {
  if (finding.kind === "refuses" || finding.kind === "slow")
    return `cannot be used (${finding.reason})`;
  return finding.kind === "mute" ? "does not answer" : "takes no writes";
}
