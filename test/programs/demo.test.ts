import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { endChildren, makeFolder, startChild } from "./child.ts";

afterEach(endChildren);

test("npm run demo tells its story to the end, and leaves nothing behind", async () => {
  const child = startChild(["scripts/demo/main.ts"]);
  const { code } = await child.ended;
  const told = child.output();
  expect({ code, told, errors: child.errors() }).toMatchObject({ code: 0, errors: "" });
  expect(told).toContain("The demo has ended: all of it was so.");
  for (const type of ["payment.partially_paid", "x402.settled", "withdrawal.confirmed"]) {
    expect(told).toMatch(new RegExp(`^ +[0-9]+ {2}${type.replace(".", "\\.")}$`, "m"));
  }
  expect(told).toMatch(/[0-9]+ postings, [0-9]+ accounts: all agree/);
  // the processes that it started have ended with it
  const urls = Array.from(told.matchAll(/http:\/\/127\.0\.0\.1:[0-9]+/g), ([url]) => url);
  expect(urls.length).toBeGreaterThan(2);
  for (const url of new Set(urls)) await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("Ctrl-C before its end, and once more: it tidies up all the same", async () => {
  const folder = makeFolder();
  const child = startChild(["scripts/demo/main.ts"], { TMPDIR: folder });
  await child.waitFor(/A server starts/);
  // npm hands on what a terminal has sent already
  child.kill("SIGINT");
  child.kill("SIGINT");
  await child.waitFor(/was stopped/);
  child.kill("SIGINT");
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toBe("");
  expect(readdirSync(folder)).toEqual([]);
});
