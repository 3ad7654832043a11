// Time that this process has really had. A process that was stopped for a minute, or did not come to its turn, has
// waited one tick and not a minute: it takes nobody for silent whom it could not have heard.

export const tickMilliseconds = 250;

/** Calls once, after so many ticks; gives what takes the call back. It alone does not keep the process alive. */
export function afterTicks(ticks: number, call: () => void): () => void {
  let left = ticks;
  let timer = setTimeout(tick, tickMilliseconds).unref();
  function tick(): void {
    left -= 1;
    if (left <= 0) call();
    else timer = setTimeout(tick, tickMilliseconds).unref();
  }
  return () => clearTimeout(timer);
}
