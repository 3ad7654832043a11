// What may stand on the request line. Hono resolves dot segments and joins what a proxy might have
// kept apart, so a path that two readers could read differently is refused before anyone routes
// or signs it.

/** Most targets: plain segments, no escapes, none that begins with a dot. */
const plainTarget = /^(?:\/[\w~-][\w.~-]*)+(?:\?|$)/;
const pathCharacters = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const absoluteForm = /^https?:\/\/[^/?#]*/i;

/**
 * RFC 9112 section 3.2.2: a server must accept `GET http://host/path`, which proxies send. The
 * path is the same one, so everyone behind us sees only that.
 */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const prefix = absoluteForm.exec(target);
  if (prefix === null) return target;
  const rest = target.slice(prefix[0].length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** A sentence about what is wrong with the target, or undefined when nothing is. */
export function targetProblem(target: string): string | undefined {
  if (plainTarget.test(target)) return undefined;
  if (!target.startsWith("/")) return "the request target must be a path";
  const queryAt = target.indexOf("?");
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  if (!pathCharacters.test(path)) {
    return "the path holds characters that must be percent-encoded, or a broken escape";
  }
  if (path.includes("//")) return "the path has an empty segment";
  for (const segment of path.split("/")) {
    const text = decoded(segment);
    if (text === undefined) return "a percent-encoded part of the path is not UTF-8";
    if (text === "." || text === "..") return "the path has a dot segment";
    if (/[/\\]/.test(text)) return "the path has an encoded slash or backslash";
  }
  return undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // URIError is its only complaint
  }
}
