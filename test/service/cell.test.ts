// What keys and links say of their cell, and the front door of docs/scaling.md, which reads it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cellForm, checkoutTokenForm, checkoutTokenOf, keyIdOf } from "../../service/cell.ts";
import { projectRoot } from "../programs/child.ts";

const page = readFileSync(join(projectRoot, "docs", "scaling.md"), "utf8");
const rules = Array.from(
  page.matchAll(/^ {2}acl (\w+) (req\.hdr\(X-Api-Key\)|path) -m reg (\S+)$/gm),
  ([, cell = "", of = "", form = ""]) => ({ cell, of, form: new RegExp(form) }),
);

/** The first whose rule fits, as haproxy has it; undefined: the one for strangers. */
function backendOf(key: string, path: string): string | undefined {
  return rules.find(({ of, form }) => form.test(of === "path" ? path : key))?.cell;
}

/** As `ApiKeys` makes them; the first characters are what is closest to a cell's letters. */
const bodies = ["EAST0123456789ABCDEFGHJK", "0123456789ABCDEFGHJKMNPQ"];
const token = "q7Zr2mXn4Vb8Kc1Lw5TyGa";

describe("the front door", () => {
  test("has two rules for each cell", () => {
    expect(rules.map(({ cell, of }) => [cell, of])).toEqual(
      ["east", "west"].flatMap((cell) => [
        [cell, "req.hdr(X-Api-Key)"],
        [cell, "path"],
      ]),
    );
  });

  test.each([
    ["east", "east"],
    ["west", "west"],
    [undefined, undefined],
    ["eas", undefined],
    ["eastern", undefined],
    ["west", "west"],
    ["northeast", undefined],
  ])("sends what is of the cell %s to %s", (cell, backend) => {
    for (const environment of ["live", "test"])
      for (const body of bodies)
        expect(backendOf(keyIdOf(cell, environment, body), "/v1/payments")).toBe(backend);
    for (const end of ["", "/status", "/events"])
      expect(backendOf("", `/checkout/${checkoutTokenOf(cell, token)}${end}`)).toBe(backend);
    // A token may hold any word that a cell is called.
    expect(backendOf("", `/checkout/${checkoutTokenOf(cell, `east${token.slice(4)}`)}`)).toBe(
      backend,
    );
  });
});

test("ids of keys are as the contract has them, whatever the cell", () => {
  for (const cell of [undefined, "e", "abcdefghijkl"])
    expect(keyIdOf(cell, "live", bodies[0] ?? "")).toMatch(/^mk_(live|test)_[A-Za-z0-9]{16,64}$/);
});

test("tokens are known by their form, with a cell and without", () => {
  for (const cell of [undefined, "e", "abcdefghijkl"])
    expect(checkoutTokenOf(cell, token)).toMatch(checkoutTokenForm);
  for (const wrong of [".", "east.", `East.${token}`, `east1.${token}`, `a.b.${token}`])
    expect(wrong).not.toMatch(checkoutTokenForm);
});

test("a cell is called by a few small letters", () => {
  for (const right of ["e", "east", "abcdefghijkl"]) expect(right).toMatch(cellForm);
  for (const wrong of ["", "East", "e1", "e_a", "abcdefghijklm", "east\n"])
    expect(wrong).not.toMatch(cellForm);
});
