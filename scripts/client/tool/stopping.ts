// Ctrl-C, and whatever else asks a command that waits to come to its end.

export interface Stopping {
  readonly asked: Promise<void>;
  /** aborted a little later: what is under way may still be answered, and then be undone */
  readonly signal: AbortSignal;
}

const graceMilliseconds = 2_000;

/**
 * Takes the place of Node's own end; npm hands on the Ctrl-C that a terminal has sent already, so a second one must not end
 * this before it has tidied up.
 *
 * @param reason of the abort
 */
export function untilStopped(reason: Error): Stopping {
  const aborting = new AbortController();
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
    // Whoever was reading has gone.
    process.stdout.on("error", () => resolve());
  });
  void asked.then(() => setTimeout(() => aborting.abort(reason), graceMilliseconds).unref());
  return { asked, signal: aborting.signal };
}
