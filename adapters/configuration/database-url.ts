// Several servers in one URL, as libpq has it (PostgreSQL 15, 34.1.1.3 and 34.1.2): one of them takes writes, and
// which one may change.

export interface NamedServer {
  /** of this server alone, without its options */
  readonly url: string;
  /** what else is said to it when a connection starts, such as `-c search_path=payments` */
  readonly options: string;
  /** host and port, for people; never the password */
  readonly name: string;
}

const form = /^(?<front>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/i;
const standardPort = "5432";
/** What is read is written, too: there is no other wish. Of one server alone, nobody chooses. */
const wishes: ReadonlySet<string> = new Set(["read-write", "primary"]);
const wishName = "target_session_attrs";
const noWish = "any";
/** Not for the driver: the first knows no such word, and our own options would be lost for those of the URL. */
const takenOut = [wishName, "options"];

/** In the order that they are named in. Undefined: it is no such URL, or wishes for a server that takes no writes. */
export function parseDatabaseUrl(text: string): readonly NamedServer[] | undefined {
  const { front, hosts = "", rest = "" } = form.exec(text)?.groups ?? {};
  if (front === undefined) return undefined;
  const all = hosts.split(",");
  const servers = all.map((host) => serverOf(front + host + rest, all.length > 1));
  const known = servers.filter((server) => server !== undefined);
  return known.length === servers.length ? known : undefined;
}

function serverOf(text: string, isOneOfSeveral: boolean): NamedServer | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  const { searchParams: words } = url;
  const wish = words.get(wishName) ?? noWish;
  const isWish = wishes.has(wish) || (wish === noWish && (!isOneOfSeveral || !words.has(wishName)));
  const [otherHost, otherPort] = [words.get("host"), words.get("port")];
  // Which of several they would be for, nobody says.
  const isClear = isOneOfSeveral
    ? url.hostname !== "" && otherHost === null && otherPort === null
    : otherHost?.includes(",") !== true;
  if (!isWish || !isClear) return undefined;
  const options = words.get("options") ?? "";
  const name = `${otherHost ?? url.hostname}:${otherPort ?? (url.port || standardPort)}`;
  // The text itself where nothing is taken out: a URL writes some of it in another way.
  const isWhole = takenOut.every((one) => !words.has(one));
  for (const one of takenOut) words.delete(one);
  return { url: isWhole ? text : url.href, options, name };
}
