// Which operation a request belongs to, in the plainest way: every template against every path, character by
// character. What the runtime does with routers and regular expressions is held against it.

export interface Route {
  readonly method: string;
  readonly path: string;
}

/** What a request is answered with. */
export type Routed =
  | { readonly status: 200; readonly path: string; readonly values: readonly string[] }
  | { readonly status: 404 }
  | { readonly status: 405; readonly allow: string };

export function routeOf(routes: readonly Route[], method: string, path: string): Routed {
  const found = routes.flatMap((route) => {
    const values = valuesOf(route.path, path);
    return values === undefined ? [] : [{ ...route, values }];
  });
  // HEAD is for the GET of a path that has no HEAD of its own.
  const serving = method === "HEAD" ? ["HEAD", "GET"] : [method];
  const [best] = serving
    .flatMap((name) => found.filter((one) => one.method === name))
    .toSorted((one, other) => moreExact(one.path, other.path));
  if (best !== undefined) return { status: 200, path: best.path, values: best.values };
  const methods = new Set(found.map((one) => one.method));
  if (methods.has("GET")) methods.add("HEAD");
  if (methods.size === 0) return { status: 404 };
  return { status: 405, allow: [...methods].toSorted().join(", ") };
}

/** The values of its names, as they stand in the path; undefined: it is another path. */
function valuesOf(template: string, path: string): readonly string[] | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const values: string[] = [];
  for (const [index, segment] of wanted.entries()) {
    const found = inSegment(segment, given[index] ?? "");
    if (found === undefined) return undefined;
    values.push(...found);
  }
  return values;
}

function inSegment(template: string, text: string): readonly string[] | undefined {
  const pieces = template.split(/\{[^{}]*\}/).map(unitsOf);
  const units = unitsOf(text);
  const [head = [], ...others] = pieces;
  const tail = others.pop();
  if (tail === undefined)
    return isAt(units, head, 0) && units.length === head.length ? [] : undefined;
  if (!isAt(units, head, 0)) return undefined;
  const values: string[] = [];
  let from = head.length;
  for (const piece of others) {
    // Each value but the last ends where what follows it is found first.
    const end = units.findIndex((_, at) => at >= from && isAt(units, piece, at));
    if (end <= from) return undefined;
    values.push(units.slice(from, end).join(""));
    from = end + piece.length;
  }
  const end = units.length - tail.length;
  if (end <= from || !isAt(units, tail, end)) return undefined;
  return [...values, units.slice(from, end).join("")];
}

const isAt = (units: readonly string[], piece: readonly string[], at: number): boolean =>
  at + piece.length <= units.length && piece.every((unit, index) => units[at + index] === unit);

/** Characters, escapes decoded where they stand for one that has to be escaped. */
function unitsOf(text: string): readonly string[] {
  return (text.match(/(?:%[0-9a-f]{2})+|[^%]|%/giu) ?? []).flatMap((piece) => {
    if (!/^%[0-9a-f]{2}/i.test(piece)) return [piece];
    return Array.from(decodeURIComponent(piece), (one) => (one === "/" ? "%2F" : one));
  });
}

/** From the left: a literal before a name, and more literal characters before fewer. */
function moreExact(one: string, other: string): number {
  const [left, right] = [one.split("/").map(freedom), other.split("/").map(freedom)];
  const index = left.findIndex((value, at) => value !== right[at]);
  return index === -1 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

function freedom(segment: string): number {
  if (!segment.includes("{")) return -1e9;
  return -unitsOf(segment.replace(/\{[^{}]*\}/g, "")).length;
}
