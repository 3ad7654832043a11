// Why the file system refused.

const unwritable: ReadonlySet<unknown> = new Set(["EROFS", "EACCES", "EPERM"]);

/** Nothing can be written there, as in an image of a deployment. */
export function isUnwritable(error: unknown): boolean {
  return unwritable.has(codeOf(error));
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}
