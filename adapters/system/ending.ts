// How a process of ours ends: with its last lines written, and for certain.

/** How long the last lines of the log may take. */
const flushMillisecondsMax = 2_000;

/**
 * Ends with this code once the log is written. Where nobody reads it, the exit itself would wait for ever
 * for the write that is under way: then the process kills itself, and its status says SIGKILL.
 */
export function endProcess(output: { readonly flush: () => Promise<void> }, code: number): void {
  setTimeout(killOurselves, flushMillisecondsMax);
  void output.flush().then(() => process.exit(code));
}

/**
 * From here the process ends within this time, whatever it still waits for: a database that does not
 * close, a child that does not end.
 */
export function boundEnding(milliseconds: number): void {
  // Not left out of the loop: if nothing else is left, something has forgotten to end it.
  setTimeout(killOurselves, milliseconds);
}

function killOurselves(): void {
  process.kill(process.pid, "SIGKILL");
}
