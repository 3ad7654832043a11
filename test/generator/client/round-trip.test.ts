// What a client is given arrives at the handler of a server of the same contract as it was, or nothing is sent.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textOf } from "../../../generator/json.ts";
import { bodies, type DrawnBody, givenOf, plainOf } from "./bodies.ts";
import { bothSides, documentOf, type Received } from "./both-sides.ts";
import { type Place, places } from "./places.ts";

/** One operation: what it takes, and what it is given. */
interface Asked {
  readonly title: string;
  readonly parameters: readonly Place[];
  readonly body: DrawnBody | undefined;
}

const nameOf = ({ node }: Place): string => textOf(node["name"]) ?? "";
const placeOf = ({ node }: Place): string => textOf(node["in"]) ?? "";

const partOf: Readonly<Record<string, keyof Received>> = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
};

function pathItem({ parameters, body }: Asked, at: number) {
  const named = parameters.filter((one) => placeOf(one) === "path").map(nameOf);
  const content = body && { [body.mediaType]: body.media };
  const operation = {
    operationId: `o${at}`,
    tags: ["all"],
    parameters: parameters.map(({ node }) => node),
    ...(content && { requestBody: { required: true, content } }),
    responses: { 204: { description: "Done." } },
  };
  const path = [`/o${at}`, ...named.map((name) => `{${name}}`), "end"].join("/");
  return [path, { post: operation }] as const;
}

async function sidesOf(all: readonly Asked[]) {
  return bothSides({ ...documentOf(Object.fromEntries(all.map(pathItem))), openapi: "3.2.0" });
}

const isOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** As the documentation says how arguments stand. */
function givenIn({ parameters, body }: Asked, values: readonly unknown[], value: unknown): object {
  const own = parameters.map((one, at) => [nameOf(one), values[at]] as const);
  const names = parameters.map(nameOf);
  const whole = body === undefined ? {} : { body: givenOf(value) };
  if (body?.members !== undefined && isOnce([...names, ...body.members]))
    return Object.fromEntries([...own, ...Object.entries(value as object)]);
  if (isOnce([...names, "body"])) return { ...Object.fromEntries(own), ...whole };
  const groups = Object.groupBy(
    parameters.map((one, at) => [placeOf(one), nameOf(one), values[at]] as const),
    ([place]) => place,
  );
  const grouped = Object.entries(groups).map(([place, members = []]) => [
    place,
    Object.fromEntries(members.map(([, name, one]) => [name, one])),
  ]);
  return { ...(Object.fromEntries(grouped) as object), ...whole };
}

function expectedOf(
  { parameters, body }: Asked,
  values: readonly unknown[],
  value: unknown,
): Received {
  const found: Record<string, unknown> = {};
  for (const [at, one] of parameters.entries()) {
    const part = partOf[placeOf(one)];
    if (part === undefined) found["query"] = values[at];
    else found[part] = Object.fromEntries([...entriesOf(found[part]), [nameOf(one), values[at]]]);
  }
  if (body !== undefined) found["body"] = body.got === undefined ? value : body.got(value);
  return found;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(Object(value) as object);
}

/** Whether it was sent. */
function whatArrives(all: readonly Asked[]) {
  const whenMade = sidesOf(all);
  return async (asked: Asked, values: readonly unknown[], value: unknown): Promise<boolean> => {
    const { calls, sent, received, refusals } = await whenMade;
    const before = sent.length;
    const identifier = `o${all.indexOf(asked)}`;
    try {
      await calls["all"]?.[identifier]?.(givenIn(asked, values, value));
    } catch (error) {
      const urls = sent.slice(before).map(({ url }) => url);
      const isRefused = error instanceof TypeError && urls.length === 0;
      expect(isRefused, `${String(error)} ${urls.join()} ${refusals.at(-1) ?? ""}`).toBe(true);
      return false;
    }
    const last = received.at(-1);
    expect(last?.by).toBe(identifier);
    const { path, query, headers, cookies, body } = last?.request ?? {};
    const got = await plainOf({ path, query, headers, cookies, body });
    expect(got).toEqual(await plainOf(expectedOf(asked, values, value)));
    return true;
  };
}

describe("a parameter of", () => {
  const all = places.map((one): Asked => ({
    title: one.title,
    parameters: [one],
    body: undefined,
  }));
  const arrives = whatArrives(all);

  test.each(all)("$title", async (asked) => {
    let count = 0;
    const [{ value } = { value: fc.constant(undefined) }] = asked.parameters;
    await fc.assert(
      fc.asyncProperty(value, async (one) => {
        if (await arrives(asked, [one], undefined)) count += 1;
      }),
    );
    expect(count).toBeGreaterThan(0);
  });
});

describe("a body of", () => {
  const all = bodies.map((body): Asked => {
    return { title: `${body.mediaType}, ${body.title}`, parameters: [], body };
  });
  const arrives = whatArrives(all);

  test.each(all)("$title", async (asked) => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(asked.body?.value ?? fc.constant(undefined), async (one) => {
        if (await arrives(asked, [], one)) count += 1;
      }),
    );
    expect(count).toBeGreaterThan(80);
  });
});

/** Members of objects that are taken apart would stand among other names. */
const besideOthers = places.filter(({ node, title }) => {
  const isApart = /^(?:query|cookie cookie) exploded object$/.test(title);
  return node["in"] !== "querystring" && !isApart;
});

/** Names that bodies and other places have as well. */
const renamed = fc
  .tuple(fc.constantFrom(...besideOthers), fc.constantFrom("a", "text", "body", "q"))
  .map(([one, name]): Place => ({ ...one, node: { ...one.node, name } }));

const operations = fc
  .record({
    parameters: fc.uniqueArray(renamed, {
      minLength: 1,
      maxLength: 4,
      selector: (one) => `${placeOf(one)} ${nameOf(one)}`,
    }),
    body: fc.option(fc.constantFrom(...bodies), { nil: undefined }),
  })
  .map((one): Asked => ({ ...one, title: "" }));

test("several of them, whose names may be the same", async () => {
  const all = fc.sample(operations, 60);
  const arrives = whatArrives(all);
  let count = 0;
  const drawn = fc
    .constantFrom(...all)
    .chain((asked) =>
      fc.tuple(
        fc.constant(asked),
        fc.tuple(...asked.parameters.map(({ value }) => value)),
        asked.body?.value ?? fc.constant(undefined),
      ),
    );
  await fc.assert(
    fc.asyncProperty(drawn, async ([asked, values, value]) => {
      if (await arrives(asked, values, value)) count += 1;
    }),
    { numRuns: 600 },
  );
  expect(count).toBeGreaterThan(100);
});
