// Which endpoints listen has made: the interface has no operation that deletes one, so they are used again. And how those were
// that it has borrowed, until they are given back. A folder of small files in the person's place for such things; no secret
// is in it.
//
// A file is ID.NUMBER.json, and of an endpoint the one with the highest number counts. Whoever takes an endpoint makes the
// next number, as a link that there must not be yet: of several at once one has it.

import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { types } from "../../../generated/client/client.ts";

/** What is put back. */
export type EndpointForm = Pick<types.WebhookEndpoint, "url" | "event_types" | "active">;

interface Kept {
  readonly service: string;
  readonly key: string;
  /** of the listen that uses it, or was the last to; 0: of none */
  readonly pid: number;
  /** by a listen; else it is borrowed */
  readonly made: boolean;
  /** of one that is borrowed, and was not given back */
  readonly before?: EndpointForm | undefined;
}

interface Slot {
  readonly id: string;
  readonly number: number;
  /** undefined: whatever else stands there is as if there were nothing */
  readonly kept: Kept | undefined;
}

/** As the XDG Base Directory Specification has it. */
function stateFolder(): string {
  const folder = process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state");
  return join(folder, "merchant-payments", "endpoints");
}

/** What may stand in the name of a file. */
export const endpointIdPattern = /^[\w-]{1,128}$/;

/** Of this process. */
const inUse = new Set<string>();

export class EndpointMemory {
  readonly folder = stateFolder();
  readonly #owner: Pick<Kept, "service" | "key">;

  constructor(service: string, key: string) {
    this.#owner = { service, key };
  }

  /** Why nothing can be written down; undefined: it can be. */
  problem(): string | undefined {
    try {
      rmSync(this.#temporary("try", {}));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Of those that it has made one that no other listen uses; it is this one's from now on. */
  take(): string | undefined {
    const made = this.#slots().filter(({ kept }) => kept?.made === true && this.#isOwn(kept));
    return made.find((slot) => this.#claim(slot, { made: true }))?.id;
  }

  /**
   * One to borrow; it is this one's from now on.
   *
   * @returns undefined: another listen uses it. `before`: how it was when it was borrowed, and not given back
   */
  claim(id: string): Pick<Kept, "before"> | undefined {
    const slot = this.#slotOf(id);
    const { made = false, before } = slot.kept ?? {};
    // Where nothing can be written down, nobody else is known to use it.
    const isMine = this.#claim(slot, { made, before }) || !isUsed(this.#slotOf(id));
    return isMine ? { before } : undefined;
  }

  /** One that was made just now. @returns whether it could be written down */
  keep(id: string): boolean {
    return this.#claim(this.#slotOf(id), { made: true });
  }

  /** How one was that was claimed: whoever comes after a `kill -9` gives it back. */
  keepBefore(id: string, before: EndpointForm): void {
    this.#change(id, (kept) => ({ ...kept, before }));
  }

  /** It is given back, or off. */
  givenBack(id: string): void {
    this.#change(id, (kept) => ({ ...kept, before: undefined }));
    this.letGo(id);
  }

  /** Another listen may use it; what is known of it stays. */
  letGo(id: string): void {
    this.#change(id, (kept) =>
      kept.made || kept.before !== undefined ? { ...kept, pid: 0 } : undefined,
    );
    inUse.delete(id);
  }

  /** The service does not have it any more. */
  forget(id: string): void {
    this.#change(id, () => undefined);
    inUse.delete(id);
  }

  /** Only whoever uses it changes what is written down. */
  #change(id: string, changed: (kept: Kept) => Kept | undefined): void {
    const slot = this.#slotOf(id);
    if (!inUse.has(id) || slot.kept === undefined) return;
    const kept = changed(slot.kept);
    try {
      if (kept === undefined) this.#remove(slot);
      else renameSync(this.#temporary(id, kept), this.#pathOf(slot));
    } catch {
      // The folder was tried at the start: who watches knows.
    }
  }

  #isOwn({ service, key }: Kept): boolean {
    return service === this.#owner.service && key === this.#owner.key;
  }

  #claim(slot: Slot, known: Pick<Kept, "made" | "before">): boolean {
    const { id } = slot;
    if (isUsed(slot) || !endpointIdPattern.test(id)) return false;
    const mine = { id, number: slot.number + 1 };
    try {
      const temporary = this.#temporary(id, { ...this.#owner, pid: process.pid, ...known });
      try {
        linkSync(temporary, this.#pathOf(mine));
      } finally {
        rmSync(temporary);
      }
    } catch {
      // Somebody else was quicker, or it cannot be written.
      return false;
    }
    const others = this.#files().filter((one) => one.id === id && one.number !== mine.number);
    if (others.some(({ number }) => number > mine.number)) {
      // The number was free since those after it have come and this one has gone.
      this.#remove(mine);
      return false;
    }
    for (const one of others) this.#remove(one);
    inUse.add(id);
    return true;
  }

  #files(): readonly Pick<Slot, "id" | "number">[] {
    try {
      return readdirSync(this.folder).flatMap((name) => {
        const [, id, number] = /^([\w-]+)\.(\d{1,15})\.json$/.exec(name) ?? [];
        return id === undefined ? [] : [{ id, number: Number(number) }];
      });
    } catch {
      return [];
    }
  }

  /** Of each endpoint what counts. */
  #slots(): readonly Slot[] {
    const last = new Map<string, number>();
    for (const { id, number } of this.#files()) {
      last.set(id, Math.max(number, last.get(id) ?? 0));
    }
    return Array.from(last, ([id, number]) => {
      const kept = keptIn(this.#pathOf({ id, number }));
      return { id, number, kept };
    });
  }

  #slotOf(id: string): Slot {
    return this.#slots().find((one) => one.id === id) ?? { id, number: 0, kept: undefined };
  }

  #pathOf({ id, number }: Pick<Slot, "id" | "number">): string {
    return join(this.folder, `${id}.${number}.json`);
  }

  #temporary(id: string, content: object): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `${id}.${process.pid}.tmp`);
    writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    return path;
  }

  #remove(slot: Pick<Slot, "id" | "number">): void {
    rmSync(this.#pathOf(slot), { force: true });
  }
}

function keptIn(path: string): Kept | undefined {
  try {
    const found = Object(JSON.parse(readFileSync(path, "utf8"))) as Readonly<
      Record<keyof Kept, unknown>
    >;
    const { service, key, pid, made, before } = found;
    if (typeof service !== "string" || typeof key !== "string") return undefined;
    if (typeof pid !== "number" || typeof made !== "boolean") return undefined;
    if (before !== undefined && !isForm(before)) return undefined;
    return { service, key, pid, made, before };
  } catch {
    return undefined;
  }
}

function isForm(value: unknown): value is EndpointForm {
  const { url, event_types, active } = Object(value) as Readonly<
    Record<keyof EndpointForm, unknown>
  >;
  const isList =
    Array.isArray(event_types) && event_types.every((type: unknown) => typeof type === "string");
  return typeof url === "string" && isList && typeof active === "boolean";
}

function isUsed({ id, kept }: Slot): boolean {
  if (kept === undefined || !(kept.pid > 0)) return false;
  if (kept.pid === process.pid) return inUse.has(id);
  try {
    return process.kill(kept.pid, 0);
  } catch (error) {
    // EPERM: it is somebody else's, and there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
