/** There can be no local chain on this machine, or not now; the message says why, for a person. */
export class LocalChainUnavailable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "LocalChainUnavailable";
  }
}
