// Which endpoints listen has made: the interface has no operation that deletes one, so they are used again. A file in the
// person's folder for such things; no secret is in it.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

interface Made {
  readonly service: string;
  readonly key: string;
  /** of the endpoint */
  readonly id: string;
  /** of the listen that uses it, or was the last to */
  readonly pid: number;
}

/** As the XDG Base Directory Specification has it. */
function pathOf(): string {
  const folder = process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state");
  return join(folder, "merchant-payments", "endpoints.json");
}

export class EndpointMemory {
  readonly #path = pathOf();
  readonly #owner: Pick<Made, "service" | "key">;

  constructor(service: string, key: string) {
    this.#owner = { service, key };
  }

  /** Of these, one that no other listen uses, newest first; it is this one's from now on. */
  take(): string | undefined {
    const all = this.#read();
    const mine = all.findLast((one) => this.#isOwn(one) && !isAlive(one.pid));
    if (mine !== undefined) this.keep(mine.id);
    return mine?.id;
  }

  /** @returns whether it could be written down */
  keep(id: string): boolean {
    const others = this.#read().filter((one) => one.id !== id || !this.#isOwn(one));
    return this.#write([...others, { ...this.#owner, id, pid: process.pid }]);
  }

  forget(id: string): void {
    this.#write(this.#read().filter((one) => one.id !== id || !this.#isOwn(one)));
  }

  #isOwn({ service, key }: Made): boolean {
    return service === this.#owner.service && key === this.#owner.key;
  }

  #read(): readonly Made[] {
    try {
      // Its own text; whatever else stands there is as if there were nothing.
      const made = JSON.parse(readFileSync(this.#path, "utf8")) as unknown;
      return Array.isArray(made) ? (made as Made[]) : [];
    } catch {
      return [];
    }
  }

  #write(made: readonly Made[]): boolean {
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(this.#path, `${JSON.stringify(made, null, 2)}\n`);
      return true;
    } catch {
      return false;
    }
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is somebody else's, and there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
