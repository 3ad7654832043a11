// Several servers in one URL, as libpq reads it.

import { expect, test } from "vitest";
import { parseDatabaseUrl } from "../../adapters/configuration/database-url.ts";

test.each([
  ["postgres://h/db", [["postgres://h/db", "h:5432"]]],
  ["postgresql://u:p%40s@h:6000/db?a=b", [["postgresql://u:p%40s@h:6000/db?a=b", "h:6000"]]],
  [
    "postgresql:///x?host=/run/postgresql",
    [["postgresql:///x?host=/run/postgresql", "/run/postgresql:5432"]],
  ],
  [
    "postgres://u:p@a:6000,[::1]:6001,c/db?sslmode=verify-full",
    [
      ["postgres://u:p@a:6000/db?sslmode=verify-full", "a:6000"],
      ["postgres://u:p@[::1]:6001/db?sslmode=verify-full", "[::1]:6001"],
      ["postgres://u:p@c/db?sslmode=verify-full", "c:5432"],
    ],
  ],
  [
    "postgres://u@a,b/db?target_session_attrs=read-write&application_name=x",
    [
      ["postgres://u@a/db?application_name=x", "a:5432"],
      ["postgres://u@b/db?application_name=x", "b:5432"],
    ],
  ],
  ["postgres://a/db?target_session_attrs=primary", [["postgres://a/db", "a:5432"]]],
  ["postgres://a/db?target_session_attrs=any", [["postgres://a/db", "a:5432"]]],
  ["postgres://a/db?port=6000", [["postgres://a/db?port=6000", "a:6000"]]],
  [
    "postgres://u:a%2Cb%40c@a,b/",
    [
      ["postgres://u:a%2Cb%40c@a/", "a:5432"],
      ["postgres://u:a%2Cb%40c@b/", "b:5432"],
    ],
  ],
  [
    "postgres://a/db?options=-c%20search_path%3Dx&y=z",
    [["postgres://a/db?y=z", "a:5432", "-c search_path=x"]],
  ],
])("%s", (text, servers) => {
  const expected = servers.map(([url, name, options = ""]) => ({ url, name, options }));
  expect(parseDatabaseUrl(text)).toEqual(expected);
});

test.each([
  "",
  "h",
  "mysql://h/db",
  "postgres:h",
  "postgres://a,b:port/db",
  "postgres://a:1:2,b/db",
  "postgres://a,b/db?target_session_attrs=any",
  "postgres://a,b/db?target_session_attrs=standby",
  "postgres://a/db?target_session_attrs=",
  "postgres://a,b,/db",
  "postgres://a,b/db?host=c",
  "postgres://a,b/db?port=6000",
  "postgres:///db?host=a,b",
])("refuses %j", (text) => {
  expect(parseDatabaseUrl(text)).toBeUndefined();
});
