import { expect, test } from "vitest";
import { originForm, targetProblem } from "../../adapters/http/request-target.ts";
import { effortOf } from "../support/patience.ts";

test.each([
  "/",
  "/v1/payments",
  "/v1/payments/",
  "/v1/payments?x=/../%2f//",
  "/v1/payments?",
  "/v1/currencies/cur_a.b~c-d",
  "/v1/currencies/a%20b%C3%A9",
  "/v1/currencies/.hidden",
  "/v1/currencies/...",
  "/v1/currencies/a:b@c;d=e,f!$&'()*+",
  "/v1/currencies/%252f",
])("takes %s as it is", (target) => {
  expect(targetProblem(target)).toBeUndefined();
});

test.each([
  ["*", /must be a path/],
  ["", /must be a path/],
  ["v1/payments", /must be a path/],
  ["//", /empty segment/],
  ["/v1//payments", /empty segment/],
  ["/..", /dot segment/],
  ["/v1/.", /dot segment/],
  ["/v1/%2E./x", /dot segment/],
  ["/v1/a%2Fb", /encoded slash/],
  ["/v1/a%5cb", /backslash/],
  ["/v1/a\\b", /percent-encoded/],
  ["/v1/é", /percent-encoded/],
  ["/v1/a b", /percent-encoded/],
  ["/v1/%", /broken escape/],
  ["/v1/%g0", /broken escape/],
  ["/v1/%c3", /not UTF-8/],
])("refuses %j", (target, reason) => {
  expect(targetProblem(target)).toMatch(reason);
});

test.each([
  ["/v1?x", "/v1?x"],
  ["http://host:80/v1?x", "/v1?x"],
  ["HTTPS://host", "/"],
  ["http://host?x", "/?x"],
  ["*", "*"],
  ["host:443", "host:443"],
])("the origin form of %s is %s", (target, path) => {
  expect(originForm(target)).toBe(path);
});

test("a long hostile target is judged in no time", async () => {
  const judge = (): void => {
    targetProblem(`/${"a.".repeat(80_000)}"`);
    targetProblem(`${"/a".repeat(80_000)}\\`);
  };
  // Whoever looks back at each character takes hundreds of times that.
  expect(await effortOf(judge)).toBeLessThan(10);
});
