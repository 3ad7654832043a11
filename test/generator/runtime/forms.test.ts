// Bodies of `application/x-www-form-urlencoded`: fields by their kinds and styles.

import { expect, test } from "vitest";
import type { Operation } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, z } from "./harness.ts";

const form = "application/x-www-form-urlencoded";

function post(schema: z.ZodType, fields: NonNullable<Operation["forms"]>[string]): Operation {
  return operation({
    id: "one",
    method: "post",
    path: "/one",
    request: { body: { content: { [form]: { schema } }, required: true } },
    forms: { [form]: fields },
  });
}

async function send(one: Operation, body: string): Promise<[number, unknown]> {
  const { app } = appOf({ operations: [one] });
  const headers = { "content-type": form };
  const response = await app.request("/one", { method: "POST", headers, body });
  return [response.status, await response.json()];
}

test("decodes forms by the kinds of their properties", async () => {
  const one = post(
    z.looseObject({ n: z.int(), tags: z.array(z.string()), at: z.object({ x: z.int() }) }),
    {
      n: { scalar: ["integer"] },
      tags: { array: ["string"] },
      at: { object: { x: ["integer"] }, others: [] },
      more: "json",
    },
  );
  const body = "n=5&tags=a+b&tags=c%2Bd&at[x]=7&more=[1]&other=1&twice=1&twice=2&__proto__=x";
  expect(await send(one, body)).toEqual([
    200,
    {
      request: {
        body: {
          n: 5,
          tags: ["a b", "c+d"],
          at: { x: 7 },
          more: [1],
          other: "1",
          twice: ["1", "2"],
          ["__proto__"]: "x",
        },
      },
    },
  ]);
  const [status, refusal] = await send(one, "n=x&n=2&tags=%zz&more={");
  expect(status).toBe(400);
  expect(brief(refusal)).toEqual([
    "body /n repeated",
    "body /tags encoding",
    "body /more json",
    "body /n type",
    "body /tags required",
    "body /at required",
  ]);
});

test("decodes fields of forms in the style that the contract says", async () => {
  const list = { array: ["integer"] } as const;
  const color = { object: { r: ["integer"], g: ["integer"] }, others: [] } as const;
  const one = post(z.looseObject({ commas: z.array(z.int()).exactOptional() }), {
    commas: { kind: list, style: "form", explode: false },
    pipes: { kind: list, style: "pipeDelimited", explode: false },
    spaces: { kind: list, style: "spaceDelimited", explode: false },
    flat: { kind: color, style: "form", explode: false },
    spread: { kind: color, style: "form", explode: true },
  });
  const body = "commas=1,2&pipes=3%7C4&pipes2=x&spaces=5+6&flat=r,7&r=8&g=9";
  expect(await send(one, body)).toEqual([
    200,
    {
      request: {
        body: {
          commas: [1, 2],
          pipes: [3, 4],
          pipes2: "x",
          spaces: [5, 6],
          flat: { r: 7 },
          spread: { r: 8, g: 9 },
        },
      },
    },
  ]);
  const [status, refusal] = await send(one, "commas=1,x&flat=r&pipes=1&pipes=2");
  expect([status, brief(refusal)]).toEqual([
    400,
    ["body /flat style", "body /pipes repeated", "body /commas/1 type"],
  ]);
});
