// Headers of answers: written in the style simple from what handlers give, and held against the contract.

import { expect, test } from "vitest";
import type { AnswerHeader, Handler, HeaderValue } from "../../../generator/runtime/runtime.ts";
import { appOf, operation, start, z } from "./harness.ts";

const integer: AnswerHeader = { kind: { scalar: ["integer"] }, explode: false };
const list: AnswerHeader = { kind: { array: ["integer"] }, explode: false };
const flag: AnswerHeader = { kind: { scalar: ["null", "boolean"] }, explode: false };
const place: AnswerHeader = {
  kind: { object: { line: ["integer"] }, others: [] },
  explode: true,
};

/** One operation whose answer has these headers, with a contract that knows some of them. */
function giving(headers: Readonly<Record<string, HeaderValue | undefined>>) {
  const responses = {
    200: {
      description: "",
      headers: z.looseObject({
        "X-Text": z.string().max(5).exactOptional(),
        "X-Count": z.int().max(10).exactOptional(),
        "X-List": z.array(z.int()).max(2).exactOptional(),
        "X-Flag": z.boolean().nullable().exactOptional(),
        "X-Place": z.looseObject({ line: z.int() }).exactOptional(),
        "X-Document": z.array(z.boolean()).exactOptional(),
        "Set-Cookie": z.array(z.string()).max(2).exactOptional(),
      }),
    },
  };
  const answerHeaders = {
    200: {
      "X-Count": integer,
      "X-List": list,
      "X-Flag": flag,
      "X-Place": place,
      "X-Document": { kind: "json", explode: false },
      "Set-Cookie": { kind: { array: ["string"] }, explode: false },
    },
  } as const;
  return {
    operations: [operation({ id: "one", path: "/one", responses, answerHeaders })],
    handlers: { one: (() => ({ status: 200, headers })) as Handler },
    edge: { checkAnswers: true },
  };
}

test.for([
  ["X-Text", "a b", "a b"],
  ["X-Text", "12345", "12345"],
  ["X-Count", 10, "10"],
  ["X-Count", "7", "7"],
  ["X-List", [1, 2], "1,2"],
  ["X-List", "3, 4", "3, 4"],
  ["X-List", [], ""],
  ["X-Flag", true, "true"],
  ["X-Flag", null, ""],
  ["X-Place", "line=4,column=2", "line=4,column=2"],
  ["X-Document", "[true]", "[true]"],
  ["X-Unknown", 1.5, "1.5"],
  ["x-count", 3, "3"],
] as const)("%s as %o is written %s", async ([name, value, text]) => {
  const setup = giving({ [name]: value });
  const { url } = await start(setup);
  for (const response of [await fetch(`${url}/one`), await appOf(setup).app.request("/one")]) {
    expect([response.status, response.headers.get(name)]).toEqual([200, text]);
  }
});

test("each cookie is a line of its own, and counts once", async () => {
  const cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"];
  const setup = (value: HeaderValue) => giving({ "Set-Cookie": value });
  const { url } = await start(setup(cookies));
  for (const response of [
    await fetch(`${url}/one`),
    await appOf(setup(cookies)).app.request("/one"),
  ]) {
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, cookies]);
  }
  const three = await appOf(setup([...cookies, "c"])).app.request("/one");
  expect(await three.text()).toContain("has the header Set-Cookie that must be at most 2");
});

test("what is undefined is not written", async () => {
  const response = await appOf(giving({ "X-Count": undefined })).app.request("/one");
  expect([response.status, response.headers.has("x-count")]).toEqual([200, false]);
});

test.for([
  ["X-Text", "123456", "has the header X-Text that must be at most 5"],
  ["X-Count", 11, "has the header X-Count that must be at most 10"],
  ["X-Count", "many", "has the header X-Count that must be a number"],
  ["X-Count", 1.5, "has the header X-Count that must be a number"],
  ["X-List", [1, 2, 3], "has the header X-List that must be at most 2"],
  ["X-List", "1,b", "has the header X-List/1 that must be a number"],
  ["X-Flag", "yes", "has the header X-Flag that must be"],
  ["X-Place", "line,4", "has the header X-Place that is not written in the style of the contract"],
  ["X-Place", "line=x", "has the header X-Place/line that must be a number"],
  ["X-Document", "[1]", "has the header X-Document/0 that must be"],
  ["X-Document", "[", "has the header X-Document that must be a JSON document"],
] as const)("%s as %o is not what the contract promises", async ([name, value, problem]) => {
  const response = await appOf(giving({ [name]: value })).app.request("/one");
  expect(response.status).toBe(500);
  const { message } = (await response.json()) as { readonly message: string };
  expect(message).toContain(`one: status 200 ${problem}`);
});
