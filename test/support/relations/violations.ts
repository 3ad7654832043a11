// The places where a request breaks the contract: they are in this request, and the code goes with them.

import { type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { contract } from "../contract-document.ts";
import { tokensOf, valueAt } from "./pointers.ts";
import {
  type Claim,
  holds,
  objectsOf,
  ofCodes,
  type Relation,
  type Seen,
  textsOf,
} from "./relation.ts";

/** Of JSON Schema, as far as requests have them. */
const keywords = [
  "additionalProperties",
  "enum",
  "format",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "oneOf",
  "pattern",
  "propertyNames",
  "required",
  "type",
  "uniqueItems",
];

/** What is refused and no keyword says. */
const others = [
  "discriminator",
  "encoding",
  "finite",
  "https",
  "issued",
  "json",
  "known",
  "precision",
  "repeated",
  "unexpected",
  "unicode",
  "unknown",
  "url_policy",
  "wildcard",
];

/** The rules behind the contract are named by their codes. */
const codes = contract.operations.flatMap(({ responses }) =>
  [...responses.values()].flatMap(({ node }) => textsOf(node["x-error-codes"])),
);

const known: ReadonlySet<string> = new Set([...keywords, ...others, ...codes]);

/** What a code speaks of: one of its violations has such a place and rule, the place where it is given. */
const meant: Readonly<Record<string, RegExp>> = {
  invalid_json: /^body {2}json$/,
  missing_header: /^header \/[^ ]+ required$/,
  invalid_header: /^header \//,
  unknown_parameter: /^query \/.* unknown$/s,
  invalid_cursor: /^query \/cursor /,
  invalid_limit: /^query \/limit /,
  webhook_url_not_allowed: /^body \/url url_policy$/,
  unknown_event_type: /^body \/event_types(\/\d+)? (known|wildcard|minItems)$/,
};

/** Rules that are about all of the body, or of the query or path as it came. */
const ofAll = new Set(["json", "encoding", "unexpected", "type", "required"]);

export const violationRelations: readonly Relation[] = [
  {
    name: "a violation is where it is said to be",
    claims: (seen) =>
      seen.asked === undefined
        ? []
        : objectsOf(seen.details["violations"]).flatMap((one) => placeClaims(seen, one)),
  },
  {
    name: "a violation names a rule",
    claims: ({ details }) =>
      objectsOf(details["violations"]).map(({ rule }, place) =>
        holds(
          `body /details/violations/${place}/rule`,
          known.has(textOf(rule)),
          `is ${textOf(rule)}, which is none`,
        ),
      ),
  },
  {
    name: "no violation is listed twice",
    claims: ({ details }) => {
      if (details["violations"] === undefined) return [];
      const all = objectsOf(details["violations"]).map((one) =>
        ["in", "pointer", "rule", "message"].map((name) => textOf(one[name])).join(" "),
      );
      return [
        holds("body /details/violations", new Set(all).size === all.length, "have one twice"),
      ];
    },
  },
  ofCodes(Object.keys(meant), "a code goes with its violations", ({ code, details }) => {
    const all = objectsOf(details["violations"]).map(
      ({ in: part, pointer, rule }) => `${textOf(part)} ${textOf(pointer)} ${textOf(rule)}`,
    );
    const isMeant = all.some((one) => meant[code ?? ""]?.test(one) === true);
    return [holds("body /code", isMeant, `is ${code}, for ${all.join(", ")}`)];
  }),
];

/** Names that are longer than 128 characters are cut. */
function isCut(pointer: string): boolean {
  return pointer.includes("...");
}

function placeClaims(seen: Seen, { in: part, pointer, rule }: JsonObject): readonly Claim[] {
  const [path, broken] = [textOf(pointer), textOf(rule)];
  const at = `body /details/violations (${textOf(part)} ${path} ${broken})`;
  if (isCut(path)) return [];
  const tokens = tokensOf(path);
  const [name = ""] = tokens;
  if (path === "") {
    return [
      holds(
        at,
        ofAll.has(broken) && !(part === "body" && seen.hasWish && broken === "type"),
        "has no place",
      ),
    ];
  }
  if (part === "query") return [holds(at, seen.query.has(name), "was not sent")];
  if (part === "body") return bodyClaims(seen, at, { tokens, rule: broken });
  const isDeclared = seen.operation.parameters.some((one) => one.in === part && one.name === name);
  const isMissing = seen.sent(name) === undefined;
  const isRight = part !== "header" || isMissing === (broken === "required");
  return [
    holds(at, isDeclared, "is no parameter of the operation"),
    holds(at, isRight, isMissing ? "was not sent" : "was sent"),
  ];
}

function bodyClaims(
  seen: Seen,
  at: string,
  { tokens, rule }: { readonly tokens: readonly string[]; readonly rule: string },
): readonly Claim[] {
  // Of a text with escapes, what stands in the body is not what we read.
  if (!seen.hasWish || textOf(seen.asked?.body).includes("\\")) return [];
  const isThere = valueAt(seen.wish, tokens) !== undefined;
  return rule === "required"
    ? [holds(at, !isThere, "was sent")]
    : [holds(at, isThere, "was not sent")];
}
