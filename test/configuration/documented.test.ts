// docs/configuration.md against the code that reads the variables.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { parseSettings } from "../../adapters/signer/settings.ts";
import { projectRoot } from "../programs/child.ts";

const page = readFileSync(join(projectRoot, "docs", "configuration.md"), "utf8");
/** In the form of no variable. */
const wrong = "\0";

/** Variables and their standard values, as the part of the page with this heading has them. */
function documented(heading: string): ReadonlyMap<string, string> {
  const part = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  const rows = part.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\|/gm);
  return new Map(Array.from(rows, ([, name = "", standard = ""]) => [name, standard]));
}

type Parse = (environment: Readonly<Record<string, string | undefined>>) => unknown;

/** What it asks for, of an environment that has what makes a server trace, and nothing else. */
function variablesReadBy(parse: Parse): readonly string[] {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" },
    {
      get: (given, name) => {
        names.add(String(name));
        return given[String(name)];
      },
    },
  );
  parse(environment);
  return [...names].toSorted();
}

/** What the parser says it would take instead of something wrong. */
function standardsOf(names: Iterable<string>): ReadonlyMap<string, string> {
  const environment = Object.fromEntries(Array.from(names, (name) => [name, wrong]));
  try {
    parseConfiguration(environment);
  } catch (error) {
    const said = String(error).matchAll(/^ +([A-Z0-9_]+) is .*, or leave it out for (.+)$/gm);
    return new Map(Array.from(said, ([, name = "", standard = ""]) => [name, standard]));
  }
  throw new Error("it takes anything");
}

describe("the table of the server", () => {
  const table = documented("The server");

  test("has every variable that is read, and no other", () => {
    expect([...table.keys()].toSorted()).toEqual(variablesReadBy(parseConfiguration));
  });

  test("has the standard values of the parser", () => {
    const standards = standardsOf(table.keys());
    expect(standards.size).toBeGreaterThan(5);
    for (const [name, shown] of table) {
      const standard = standards.get(name);
      if (standard !== undefined) expect([name, shown]).toEqual([name, `\`${standard}\``]);
      else expect([name, shown]).not.toEqual([name, expect.stringMatching(/^`[^`]*`$/)]);
    }
  });
});

describe("the table of the signer", () => {
  const table = documented("The signer");

  test("has every variable that is read, and no other", () => {
    expect([...table.keys()].toSorted()).toEqual(variablesReadBy(parseSettings));
  });

  test("has the standard values of the parser", () => {
    const { folder, socketAccess, socketPath, logLevel } = parseSettings({});
    const shown = (name: string): string => table.get(name)?.replaceAll("`", "") ?? "";
    expect(shown("LOG_LEVEL")).toBe(logLevel);
    expect(shown("SIGNER_SOCKET_ACCESS")).toBe(socketAccess);
    expect(join(shown("SIGNER_DIR").replace("DATA_DIR", shown("DATA_DIR")))).toBe(folder);
    expect(shown("SIGNER_SOCKET")).toBe("in that folder");
    expect(socketPath.startsWith(folder)).toBe(true);
  });
});
