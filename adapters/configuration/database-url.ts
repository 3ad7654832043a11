// Several servers in one URL, as libpq has it (PostgreSQL 15, 34.1.1.3 and 34.1.2): one of them takes writes, and
// which one may change.

export interface NamedServer {
  /** of this server alone */
  readonly url: string;
  /** host and port, for people; never the password */
  readonly name: string;
}

const form = /^(?<front>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/i;
const standardPort = 5432;
/** What is read is written, too: there is no other wish. */
const wishes: ReadonlySet<string> = new Set(["read-write", "primary"]);
const wishName = "target_session_attrs";

/** In the order that they are named in. Undefined: it is no such URL, or wishes for a server that takes no writes. */
export function parseDatabaseUrl(text: string): readonly NamedServer[] | undefined {
  const { front = "", hosts = "", rest = "" } = form.exec(text)?.groups ?? {};
  const servers = hosts.split(",").map((host) => serverOf(front, host, rest));
  const known = servers.filter((server) => server !== undefined);
  return known.length === servers.length ? known : undefined;
}

function serverOf(front: string, host: string, rest: string): NamedServer | undefined {
  const url = front === "" ? null : URL.parse(`${front}${host}${rest}`);
  if (url === null) return undefined;
  const wish = url.searchParams.get(wishName);
  if (wish !== null && !wishes.has(wish)) return undefined;
  // The driver knows no such word.
  url.searchParams.delete(wishName);
  const name = `${url.searchParams.get("host") ?? url.hostname}:${url.port || standardPort}`;
  // The text itself where nothing was taken out: a URL writes some of it in another way.
  return { url: wish === null ? `${front}${host}${rest}` : url.href, name };
}
