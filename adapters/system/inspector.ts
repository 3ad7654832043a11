// `kill -USR1` makes Node open its inspector on a port of this machine, where any user, whoever they
// are, reads the memory of the process with every key in it.

/** Node's own; the signal is blocked from the first instruction on. */
const flag = "--disable-sigusr1";

/**
 * Call it first. A process that was started without the flag becomes itself once more, with it: same
 * process id, files and arguments. An inspector that was open until then is gone.
 */
export function closeInspectorDoor(): void {
  const { execArgv, execPath, argv, env } = process;
  const isClosed = execArgv.includes(flag) || env["NODE_OPTIONS"]?.split(" ").includes(flag);
  if (isClosed === true) return;
  process.execve?.(execPath, [execPath, flag, ...execArgv, ...argv.slice(1)], env);
}
