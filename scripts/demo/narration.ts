// What the demo says, on standard output.

const startedAt = performance.now();
let step = 0;

/** A step of the story; the seconds since the start stand in front of it. */
export function tell(text: string): void {
  step += 1;
  write(`\n${seconds()}  ${String(step).padStart(2)}. ${text}\n`);
}

/** Something that was seen to be so. */
export function show(text: string): void {
  write(`${" ".repeat(14)}${text.replaceAll("\n", `\n${" ".repeat(14)}`)}\n`);
}

export function write(text: string): void {
  process.stdout.write(text);
}

export function seconds(): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`;
}

/** The demo shows that things are so; where one is not, it has failed. */
export class DemoFailure extends Error {}

/** Somebody has pressed Ctrl-C before the end. */
export class DemoStopped extends Error {}

export function demand(isSo: boolean, what: string): void {
  if (!isSo) throw new DemoFailure(what);
}
