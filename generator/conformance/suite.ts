// The JSON-Schema-Test-Suite (github.com/json-schema-org/JSON-Schema-Test-Suite) against what is generated:
// each of its schemas is the file of a component, goes the way of every contract, is printed and compiled, and
// then judges the suite's values.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readContract } from "../generate.ts";
import type { Json } from "../json.ts";
import { schemasOf } from "../normalise/references.ts";
import { DocumentError } from "../problems.ts";
import { compileSchema } from "./compile.ts";

interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

export type Verdict = "right" | "refused" | "on purpose" | "wrong";

export interface Outcome {
  /** the file below the folder of the draft, without its ending */
  readonly file: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** of what is not right: what was said, or what would have been right */
  readonly why: string;
}

/** Where a contract wants more than the suite: files, and which of their tests. */
const onPurpose: readonly (readonly [file: RegExp, test: RegExp, why: string])[] = [
  [/^format$/, /is only an annotation by default/, "formats are checked"],
  [
    /^optional\/format\/(?:date-)?time$/,
    /leap second/,
    "no clock here can represent a leap second",
  ],
  [/^optional\/bignum$/, /bignum is an integer/, "digits that no double holds are refused"],
  [/^optional\/float-overflow$/, /./, "digits that no double holds are refused"],
];

export class SuiteError extends Error {
  override readonly name = "SuiteError";
}

/** The draft's folder of a copy of the suite. */
function draftOf(suite: string): string {
  const folder = join(suite, "tests/draft2020-12");
  if (existsSync(folder)) return folder;
  throw new SuiteError(
    `there is no tests/draft2020-12 in ${suite}: name a copy of JSON-Schema-Test-Suite`,
  );
}

/** Everything that the suite asks of draft 2020-12, file by file. */
export function* runSuite(suite: string): Generator<Outcome> {
  const draft = draftOf(suite);
  const copies = new Map([["http://localhost:1234/", `${join(suite, "remotes")}/`]]);
  const files = readdirSync(draft, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".json")).toSorted()) {
    // the suite's own files: a list of groups each (test-schema.json of the suite)
    const groups = JSON.parse(readFileSync(join(draft, file), "utf8")) as readonly Group[];
    const name = relative(draft, join(draft, file)).replace(/\.json$/, "");
    for (const group of groups) yield* outcomesOf(name, group, copies);
  }
}

function* outcomesOf(
  file: string,
  group: Group,
  copies: ReadonlyMap<string, string>,
): Generator<Outcome> {
  const judged = judgeOf(group.schema, copies);
  for (const { description, data, valid } of group.tests) {
    const name = `${group.description}: ${description}`;
    if (typeof judged === "string") {
      yield { file, name, verdict: "refused", why: judged };
      continue;
    }
    const isRight = judged(data) === valid;
    const meant = onPurpose.find(([where, what]) => where.test(file) && what.test(name));
    const verdict = isRight ? "right" : meant === undefined ? "wrong" : "on purpose";
    const why = isRight ? "" : (meant?.[2] ?? `should be ${valid ? "valid" : "invalid"}`);
    yield { file, name, verdict, why };
  }
}

const contract = {
  openapi: "3.1.0",
  info: { title: "suite", version: "1" },
  paths: {},
  components: { schemas: { Tested: { $ref: "schema.json" } } },
};

/** What a schema that fills a file says of values; a text, when the generator refuses it. */
export function judgeOf(
  schema: Json,
  copies: ReadonlyMap<string, string> = new Map(),
): string | ((value: unknown) => boolean) {
  const own = new Map<string, Json>([
    ["/suite/openapi.json", contract],
    ["/suite/schema.json", schema],
  ]);
  const read = (path: string): Uint8Array => {
    const data = own.get(path);
    return data === undefined ? readFileSync(path) : Buffer.from(JSON.stringify(data));
  };
  try {
    const { model } = readContract("/suite/openapi.json", {
      copies,
      shelf: { read, shown: (path) => path },
    });
    const components = schemasOf(model.document);
    return compileSchema({ schema: { $ref: "#/components/schemas/Tested" }, components }).valid;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.problems
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message)
      .join("; ");
  }
}
