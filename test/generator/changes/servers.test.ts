// Where operations are when no server is named, and when one is.

import { expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import { readRevision } from "../../../generator/changes/revision.ts";

function revisionOf(urls: readonly string[]) {
  const servers = urls.map((url) => ({ url }));
  const info = { title: "T", version: "1" };
  const text = JSON.stringify({ openapi: "3.1.0", info, servers, paths: {} });
  return readRevision("/a.json", { read: () => Buffer.from(text), shown: () => "a.json" });
}

function rules(before: readonly string[], after: readonly string[]): readonly string[] {
  const pair = { base: revisionOf(before), head: revisionOf(after) };
  const notice = { today: "2026-07-01", months: 0 };
  return compareRevisions(pair, { extensions: [], notice }).map(({ rule }) => rule);
}

test.each([["/"], ["."], ["https://example.com"], ["{scheme}://example.com/"], ["{address}/v2"]])(
  "%s may well be where operations were before",
  (url) => {
    expect(rules([], [url])).toEqual(["server-added"]);
    expect(rules([], ["/v2", url])).toEqual(["server-added", "server-added"]);
  },
);

test.each([["/v2"], ["v2"], ["https://example.com/v2"], ["{scheme}://example.com/v2"]])(
  "%s is somewhere else than the root, where they were",
  (url) => {
    expect(rules([], [url])).toEqual(["server-removed", "server-added"]);
    expect(rules(["/"], [url])).toEqual(["server-removed", "server-added"]);
  },
);
