// The style cookie (OpenAPI 3.2.0, section 4.12.4 and appendix D): nothing is escaped, and values that are taken
// apart are cookies of their own.

import { expect, test } from "vitest";
import type { ParameterPlan } from "../../../generator/runtime/runtime.ts";
import { appOf, operation } from "./harness.ts";

async function read(plan: Partial<ParameterPlan>, cookie: string): Promise<unknown> {
  const parameter: ParameterPlan = {
    in: "cookie",
    name: "color",
    style: "cookie",
    explode: true,
    kind: { scalar: ["string"] },
    ...plan,
  };
  const { app } = appOf({
    operations: [operation({ id: "one", path: "/a", parameters: [parameter] })],
  });
  const answer = await app.request("/a", { headers: { Cookie: cookie } });
  const { request } = (await answer.json()) as { request: { cookies: unknown } }; // the echo of the harness
  return request.cookies;
}

const list = { array: ["string"] } as const;
const object = {
  object: { R: ["integer"], G: ["integer"], B: ["integer"] },
  others: ["string"],
} as const;

test.for([
  [{}, "color=blue", { color: "blue" }],
  [{}, "color=%20a%zz+", { color: "%20a%zz+" }],
  [{}, 'color="quoted"', { color: '"quoted"' }],
  [{}, "color=first; color=second", { color: "first" }],
  [{ style: "form" }, 'color="%20a"', { color: " a" }],
  [{ kind: { scalar: ["integer"] } }, "color=7", { color: 7 }],
  [{ kind: list }, "color=blue; color=black; color=brown", { color: ["blue", "black", "brown"] }],
  [{ kind: list }, "color=blue,black", { color: ["blue,black"] }],
  [{ kind: list }, "other=1", {}],
  [{ kind: list, explode: false }, "color=blue,black,brown", { color: ["blue", "black", "brown"] }],
  [{ kind: object }, "R=100; G=200; session=7; B=150", { color: { R: 100, G: 200, B: 150 } }],
  [{ kind: object }, "session=7", {}],
  [{ kind: object, explode: false }, "color=R,100,G,200", { color: { R: 100, G: 200 } }],
  [{ default: "blue" }, "other=1", { color: "blue" }],
] as const)("%j of %s", async ([plan, cookie, value]) => {
  expect(await read(plan, cookie)).toEqual(value);
});
