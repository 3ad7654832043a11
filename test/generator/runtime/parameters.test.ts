import { expect, test } from "vitest";
import type { ParameterKind, ParameterPlan } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, z } from "./harness.ts";
import { effortOf } from "../../support/patience.ts";

const string = ["string"] as const;
const anyScalar = ["null", "boolean", "integer", "number", "string"] as const;
const kinds = {
  text: { scalar: string },
  int: { scalar: ["integer"] },
  number: { scalar: ["number"] },
  flag: { scalar: ["boolean"] },
  nullable: { scalar: ["integer", "null"] },
  any: { scalar: anyScalar },
  texts: { array: string },
  ints: { array: ["integer"] },
  color: { object: { R: ["integer"], G: ["integer"] }, others: [] },
  open: { object: { R: ["integer"] }, others: string },
  json: "json",
} as const satisfies Record<string, ParameterKind>;

type Style = ParameterPlan["style"];

function plan(place: ParameterPlan["in"], style: Style, kind: keyof typeof kinds): ParameterPlan {
  return { in: place, name: "p", style: style, explode: false, kind: kinds[kind] };
}

const exploded = (one: ParameterPlan): ParameterPlan => ({ ...one, explode: true });

async function readQuery(parameters: readonly ParameterPlan[], query: string): Promise<unknown> {
  const { app } = appOf({
    operations: [operation({ id: "one", path: "/one", parameters })],
  });
  const response = await app.request(`/one?${query}`);
  const body = (await response.json()) as { request?: { query?: unknown } }; // what echo sends
  return response.status === 200 ? body.request?.query : brief(body);
}

test.for([
  ["text", "p=a%20b+c%2Bd", { p: "a b c+d" }],
  ["text", "p=", { p: "" }],
  ["text", "p", { p: "" }],
  ["text", "", {}],
  ["text", "&&p=%C3%A9&", { p: "é" }],
  ["text", "%70=1", { p: "1" }],
  ["text", "p=a=b", { p: "a=b" }],
  ["int", "p=-12", { p: -12 }],
  ["int", "p=012", { p: "012" }],
  ["int", "p=1.0", { p: "1.0" }],
  ["int", "p=1e3", { p: "1e3" }],
  ["int", "p=%201", { p: " 1" }],
  ["number", "p=-1.50e2", { p: -150 }],
  ["number", "p=0x10", { p: "0x10" }],
  ["number", "p=1e999", { p: "1e999" }],
  ["number", "p=NaN", { p: "NaN" }],
  ["number", "p=.5", { p: ".5" }],
  ["flag", "p=true", { p: true }],
  ["flag", "p=TRUE", { p: "TRUE" }],
  ["flag", "p=0", { p: "0" }],
  ["nullable", "p=", { p: null }],
  ["int", "p=", { p: "" }],
  ["any", "p=false", { p: false }],
  ["any", "p=1.5", { p: 1.5 }],
  ["json", "p=%7B%22a%22%3A%5B1%5D%7D", { p: { a: [1] } }],
] as const)("reads a query value of kind %s from ?%s", async ([kind, query, expected]) => {
  expect(await readQuery([plan("query", "form", kind)], query)).toEqual(expected);
});

test.for([
  ["form", false, "texts", "p=a,b%2Cc,d+e", { p: ["a", "b,c", "d e"] }],
  ["form", false, "ints", "p=1,x", { p: [1, "x"] }],
  ["form", false, "texts", "p=", { p: [] }],
  ["form", true, "texts", "p=a,b&p=c", { p: ["a,b", "c"] }],
  ["form", true, "ints", "p=1", { p: [1] }],
  ["spaceDelimited", false, "ints", "p=1%202+3", { p: [1, 2, 3] }],
  ["pipeDelimited", false, "ints", "p=1|2%7C3", { p: [1, 2, 3] }],
  ["form", false, "color", "p=R,100,G,200", { p: { R: 100, G: 200 } }],
  ["form", true, "color", "R=100&G=200", { p: { R: 100, G: 200 } }],
  ["form", true, "open", "R=100&x=y", { p: { R: 100, x: "y" } }],
  ["deepObject", true, "color", "p[R]=100&p%5BG%5D=200", { p: { R: 100, G: 200 } }],
  ["deepObject", true, "open", "p[R]=1&p[__proto__]=2", { p: { R: 1, ["__proto__"]: "2" } }],
  [
    "form",
    false,
    "open",
    "p=__proto__,x,constructor,y",
    { p: { ["__proto__"]: "x", constructor: "y" } },
  ],
] as const)(
  "reads %s, explode %s, %s from ?%s",
  async ([style, explode, kind, query, expected]) => {
    const value = await readQuery([{ ...plan("query", style, kind), explode }], query);
    expect(value).toEqual(expected);
    expect(Object.prototype).not.toHaveProperty("x");
  },
);

test.for([
  ["text", "p=1&p=2", ["query /p repeated"]],
  ["text", "p=%E9", ["query /p encoding"]],
  ["text", "p=%zz", ["query /p encoding"]],
  ["text", "%=1", ["query  encoding"]],
  ["text", "q=1&P=2", ["query /q unknown", "query /P unknown"]],
  ["text", "=1", ["query / unknown"]],
  ["text", "__proto__=1&constructor=2", ["query /__proto__ unknown", "query /constructor unknown"]],
  ["text", "a%2Fb~=1", ["query /a~1b~0 unknown"]],
  ["json", "p={a", ["query /p json"]],
  ["color", "p=R", ["query /p style"]],
  ["color", "p=R,1,R,2", ["query /p repeated"]],
] as const)("refuses the query of kind %s: ?%s", async ([kind, query, expected]) => {
  expect(await readQuery([plan("query", "form", kind)], query)).toEqual(expected);
});

test("refuses a property of a spread object given twice, and names outside of it", async () => {
  const deep = { ...plan("query", "deepObject", "color"), explode: true };
  expect(await readQuery([deep], "p[R]=1&p[R]=2&p[x]=3&p[G][y]=4&p=5")).toEqual([
    "query /p/R repeated",
    "query /p[x] unknown",
    "query /p[G][y] unknown",
    "query /p unknown",
  ]);
});

test("points at the property of a spread object, and reports it once", async () => {
  const { app } = appOf({
    operations: [
      operation({
        id: "one",
        path: "/one",
        parameters: [exploded(plan("query", "deepObject", "color"))],
        request: { query: z.object({ p: z.object({ R: z.int(), G: z.int() }) }) },
      }),
    ],
  });
  const violations = async (query: string): Promise<unknown> =>
    brief(await (await app.request(`/one?${query}`)).json());
  expect(await violations("p[R]=%zz&p[G]=x")).toEqual(["query /p/R encoding", "query /p/G type"]);
  expect(await violations("p[R]=%zz")).toEqual(["query /p/R encoding"]);
});

test("limits how deep a JSON parameter is nested, outside of its texts", async () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const read = (text: string): Promise<unknown> =>
    readQuery([plan("query", "form", "json")], `p=${encodeURIComponent(text)}`);
  expect(await read(nested(32))).toEqual({ p: JSON.parse(nested(32)) as unknown });
  expect(await read(nested(33))).toEqual(["query /p json"]);
  expect(await read(JSON.stringify(nested(33)))).toEqual({ p: nested(33) });
});

test("reads a header with long runs of spaces in no time, and leaves JSON as it is", async () => {
  const parameters = [
    { ...plan("header", "simple", "texts"), name: "X-List" },
    { ...plan("header", "simple", "json"), name: "X-Json" },
  ];
  const { app } = appOf({ operations: [operation({ id: "one", path: "/one", parameters })] });
  const headers = { "x-list": `a${" ".repeat(100_000)}b , c`, "x-json": '["a , b"]' };
  let answer: unknown;
  const ask = async (): Promise<void> => {
    answer = await (await app.request("/one", { headers })).json();
  };
  expect(await effortOf(ask)).toBeLessThan(30);
  expect(answer).toMatchObject({
    request: { headers: { "X-List": [expect.stringMatching(/^a +b$/), "c"], "X-Json": ["a , b"] } },
  });
});

test("names the query parameters there are", async () => {
  const parameters = [
    plan("query", "form", "text"),
    { ...plan("query", "form", "int"), name: "q" },
  ];
  const { app } = appOf({ operations: [operation({ id: "one", path: "/one", parameters })] });
  expect(await (await app.request("/one?x=secret")).json()).toMatchObject({
    violations: [{ message: "is not known: this operation takes p, q" }],
  });
  const { app: bare } = appOf({ operations: [operation({ id: "one", path: "/one" })] });
  const answer = await (await bare.request("/one?x=secret")).text();
  expect(answer).toContain("this operation takes no query parameters");
  expect(answer).not.toContain("secret");
});

test("lists at most 100 violations", async () => {
  const query = Array.from({ length: 300 }, (_, index) => `x${index}=1`).join("&");
  expect(await readQuery([plan("query", "form", "text")], query)).toHaveLength(100);
});

test("puts defaults in the place of absent values, a fresh one for each request", async () => {
  const list = [1];
  const parameters: ParameterPlan[] = [
    { ...plan("query", "form", "ints"), default: list },
    { ...plan("header", "simple", "int"), name: "X-Count", default: 3 },
    { ...plan("cookie", "form", "text"), default: "sweet" },
  ];
  const seen: unknown[] = [];
  const { app } = appOf({
    operations: [operation({ id: "one", path: "/one", parameters })],
    handlers: {
      one: (request: { query: { p: number[] } }) => {
        seen.push(structuredClone(request));
        request.query.p.push(2);
        return { status: 204 };
      },
    },
  });
  await app.request("/one");
  await app.request("/one");
  const expected = { query: { p: [1] }, headers: { "X-Count": 3 }, cookies: { p: "sweet" } };
  expect(seen).toEqual([expected, expected]);
});

test.for([
  ["simple", false, "text", "a%2Cb,c", "a,b,c"],
  ["simple", false, "ints", "1,2", [1, 2]],
  ["simple", false, "texts", "a%2Cb,c", ["a,b", "c"]],
  ["simple", false, "color", "R,1,G,2", { R: 1, G: 2 }],
  ["simple", true, "color", "R=1,G=2", { R: 1, G: 2 }],
  ["label", false, "int", ".5", 5],
  ["label", false, "ints", ".3,4", [3, 4]],
  ["label", true, "ints", ".3.4", [3, 4]],
  ["label", false, "color", ".R,1,G,2", { R: 1, G: 2 }],
  ["label", true, "color", ".R=1.G=2", { R: 1, G: 2 }],
  ["matrix", false, "int", ";p=5", 5],
  ["matrix", false, "text", ";p", ""],
  ["matrix", false, "ints", ";p=3,4", [3, 4]],
  ["matrix", true, "ints", ";p=3;p=4", [3, 4]],
  ["matrix", false, "color", ";p=R,1,G,2", { R: 1, G: 2 }],
  ["matrix", true, "color", ";R=1;G=2", { R: 1, G: 2 }],
] as const)("reads a path segment in style %s, explode %s, %s: %s", async (input) => {
  const [style, explode, kind, text, expected] = input;
  const body = await readSegment({ ...plan("path", style, kind), explode }, text);
  expect(body).toEqual({ request: { path: { p: expected } } });
});

test.for([
  ["label", false, "int", "5"],
  ["matrix", false, "int", ";q=5"],
  ["matrix", true, "ints", ";q=5"],
] as const)("refuses a path segment that is not in style %s, explode %s: %s %s", async (input) => {
  const [style, explode, kind, text] = input;
  const body = await readSegment({ ...plan("path", style, kind), explode }, text);
  expect(brief(body)).toEqual(["path /p style"]);
});

async function readSegment(parameter: ParameterPlan, text: string): Promise<unknown> {
  const { app } = appOf({
    operations: [operation({ id: "one", path: "/one/{p}", parameters: [parameter] })],
  });
  return (await app.request(`/one/${text}`)).json();
}

test("delivers headers under the contract's spelling and cookies decoded", async () => {
  const { app } = appOf({
    operations: [
      operation({
        id: "one",
        path: "/one",
        parameters: [
          { ...plan("header", "simple", "int"), name: "X-Count" },
          { ...plan("header", "simple", "texts"), name: "x-LIST" },
          { ...exploded(plan("header", "simple", "color")), name: "X-Color" },
          { ...plan("header", "simple", "text"), name: "constructor" },
          exploded(plan("cookie", "form", "text")),
          { ...plan("cookie", "form", "ints"), name: "q" },
        ],
      }),
    ],
  });
  const response = await app.request("/one", {
    headers: {
      "x-count": "5",
      "X-List": "a , b%20",
      "x-color": "R=1, G=2",
      cookie: 'a=b; p="x%20y"; p=second; q=1,2; broken',
    },
  });
  expect(await response.json()).toEqual({
    request: {
      headers: { "X-Count": 5, "x-LIST": ["a", "b%20"], "X-Color": { R: 1, G: 2 } },
      cookies: { p: "x y", q: [1, 2] },
    },
  });
});

test("collects the problems of all parts at once, each under its name", async () => {
  const { app } = appOf({
    operations: [
      operation({
        id: "one",
        method: "post",
        path: "/one/{id}",
        parameters: [
          { ...plan("path", "simple", "int"), name: "id" },
          plan("query", "form", "int"),
          { ...plan("query", "form", "text"), name: "q" },
          { ...plan("header", "simple", "text"), name: "X-Key" },
          { ...plan("cookie", "form", "text"), name: "c" },
        ],
        request: {
          params: z.object({ id: z.int() }),
          query: z.object({ p: z.int(), q: z.string() }),
          headers: z.object({ "X-Key": z.string() }),
          cookies: z.object({ c: z.string().optional() }),
          body: { content: { "application/json": { schema: z.object({ a: z.string() }) } } },
        },
      }),
    ],
  });
  const response = await app.request("/one/x?p=%zz&r=1", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":1}',
  });
  expect(response.status).toBe(400);
  expect(brief(await response.json())).toEqual([
    "path /id type",
    "query /p encoding",
    "query /r unknown",
    "query /q required",
    "header /X-Key required",
    "body /a type",
  ]);
});
