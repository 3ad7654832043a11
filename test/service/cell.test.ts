// What keys and links say of their cell, and the front door of docs/scaling.md, which reads it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cellForm, checkoutTokenForm, withCell, keyIdOf } from "../../service/cell.ts";
import { readCheckoutFiles } from "../../adapters/http/checkout-files.ts";
import { projectRoot } from "../programs/child.ts";

const page = readFileSync(join(projectRoot, "docs", "scaling.md"), "utf8");
const rules = Array.from(
  page.matchAll(/^ {2}acl (\w+) (req\.fhdr\(X-Api-Key\)|path) -m reg (\S+)$/gm),
  ([, cell = "", of = "", form = ""]) => ({ cell, of, form: new RegExp(form) }),
);

/** As haproxy has it: 503 for a cell that has no backend; "first": it is no cell's. */
function answererOf(key: string, path: string): string {
  const said = new Set(
    rules.filter(({ of, form }) => form.test(of === "path" ? path : key)).map(({ cell }) => cell),
  );
  for (const backend of ["east", "west"]) if (said.has(backend)) return backend;
  return said.has("cell") ? "503" : "first";
}

/** As `ApiKeys` makes them; the first characters are what is closest to a cell's letters. */
const bodies = ["EAST0123456789ABCDEFGHJK", "0123456789ABCDEFGHJKMNPQ"];
const token = "q7Zr2mXn4Vb8Kc1Lw5TyGa";

describe("the front door", () => {
  test("has two rules for each cell", () => {
    expect(rules.map(({ cell, of }) => [cell, of])).toEqual(
      ["east", "west", "cell"].flatMap((cell) => [
        [cell, "req.fhdr(X-Api-Key)"],
        [cell, "path"],
      ]),
    );
  });

  test.each([
    ["east", "east"],
    ["west", "west"],
    [undefined, "first"],
    ["eas", "503"],
    ["eastern", "503"],
    ["northeast", "503"],
  ])("sends what is of the cell %s to %s", (cell, answerer) => {
    for (const environment of ["live", "test"])
      for (const body of bodies)
        expect(answererOf(keyIdOf(cell, environment, body), "/v1/payments")).toBe(answerer);
    for (const end of ["", "/status", "/events"])
      expect(answererOf("", `/checkout/${withCell(cell, token)}${end}`)).toBe(answerer);
    // A token may hold any word that a cell is called.
    const named = `east${token.slice(4)}`;
    expect(answererOf("", `/checkout/${withCell(cell, named)}`)).toBe(answerer);
    const { script, style } = readCheckoutFiles(cell);
    for (const { path } of [script, style]) expect(answererOf("", path)).toBe(answerer);
  });

  test("leaves everything else to whoever serves strangers", () => {
    for (const path of ["/healthz", "/docs", "/checkout/", "/v1/payments", "/checkout/east"])
      expect(answererOf("", path)).toBe("first");
  });
});

test("ids of keys are as the contract has them, whatever the cell", () => {
  for (const cell of [undefined, "e", "abcdefghijkl"])
    expect(keyIdOf(cell, "live", bodies[0] ?? "")).toMatch(/^mk_(live|test)_[A-Za-z0-9]{16,64}$/);
});

test("tokens are known by their form, with a cell and without", () => {
  for (const cell of [undefined, "e", "abcdefghijkl"])
    expect(withCell(cell, token)).toMatch(checkoutTokenForm);
  for (const wrong of [".", "east.", `East.${token}`, `east1.${token}`, `a.b.${token}`])
    expect(wrong).not.toMatch(checkoutTokenForm);
});

test("a cell is called by a few small letters", () => {
  for (const right of ["e", "east", "abcdefghijkl"]) expect(right).toMatch(cellForm);
  for (const wrong of ["", "East", "e1", "e_a", "abcdefghijklm", "east\n"])
    expect(wrong).not.toMatch(cellForm);
});
