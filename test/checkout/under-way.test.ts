// What buyers' programs are waiting for at once: one who asks again and again shuts out nobody else.

import { expect, test } from "vitest";
import { UnderWay } from "../../handlers/checkout/under-way.ts";

interface Open {
  readonly asked: string[];
  readonly answer: (text: string) => void;
  readonly ask: (asked: string) => () => Promise<string>;
}

/** Questions that wait until they are answered, all at once. */
function open(): Open {
  const asked: string[] = [];
  const waiting = Promise.withResolvers<string>();
  const ask = (text: string) => () => {
    asked.push(text);
    return waiting.promise;
  };
  return { asked, answer: waiting.resolve, ask };
}

const refused = {
  code: "rate_limited",
  message: "Too many payments are being settled. Please wait a moment.",
  retryAfterSeconds: 2,
};

test("the same question asked again takes no place of its own, and gets the same answer", async () => {
  const underWay = new UnderWay<string>();
  const { asked, answer, ask } = open();
  const answers = Array.from({ length: 1000 }, () => underWay.join("pay_a", "one", ask("one")));
  const other = underWay.join("pay_b", "one", ask("other"));
  answer("200");
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["200"]));
  expect(await other).toBe("200");
  expect(asked).toEqual(["one", "other"]);
  // What is over is asked anew.
  expect(await underWay.join("pay_a", "one", ask("again"))).toBe("200");
  expect(asked).toEqual(["one", "other", "again"]);
});

test("one payment has 4 places, and all have 64", async () => {
  const underWay = new UnderWay<string>();
  const { answer, ask } = open();
  const places = [];
  for (let payment = 0; payment < 16; payment++) {
    for (let one = 0; one < 4; one++) {
      places.push(underWay.join(`pay_${payment}`, `${one}`, ask("")));
    }
    if (payment > 0) continue;
    await expect(underWay.join("pay_0", "a fifth", ask(""))).rejects.toMatchObject(refused);
  }
  await expect(underWay.join("pay_16", "one", ask(""))).rejects.toMatchObject(refused);
  answer("");
  await Promise.all(places);
  expect(await underWay.join("pay_16", "one", ask(""))).toBe("");
});

test("a question that fails gives its place back, and fails for all who wait", async () => {
  const underWay = new UnderWay<string>();
  const fail = (): Promise<string> => Promise.reject(new Error("the node is away"));
  const both = [underWay.join("pay_a", "one", fail), underWay.join("pay_a", "one", fail)];
  for (const one of both) await expect(one).rejects.toThrow("the node is away");
  for (let one = 0; one < 4; one++) {
    await expect(underWay.join("pay_a", `${one}`, fail)).rejects.toThrow("the node is away");
  }
});
