// Do defaults and examples fit their own schemas? Whether they plainly do is seen at once; of all others Ajv judges, so
// that the answer does not depend on the validation we generate.

import { createRequire } from "node:module";
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../json.ts";
import { at, entriesOf, equal, escapeToken, isObject, itemsOf, unescapeToken } from "../json.ts";
import { codecOf } from "../normalise/codecs.ts";
import { itemMark } from "../normalise/items.ts";
import { defaultOwner, follow } from "../normalise/references.ts";
import { Origins, type Report } from "../read/origins.ts";
import type { Kind } from "../read/shapes.ts";
import { childrenOf, rewrite } from "../read/walk.ts";
import { verdictOf, withJsonEquality } from "../suite/ajv-mistakes.ts";
import { patternEngine } from "../suite/patterns.ts";
import { Closures, digest } from "./closures.ts";
import { plainJudge } from "./plain-verdict.ts";

const documentName = "contract";

/**
 * What fits and is not plainly seen to is said in words, by value and schema: those of `known` an earlier run has
 * found, and Ajv is not asked of them again.
 */
export function checkExamples(
  document: JsonObject,
  report: Report,
  { known = new Set(), progress = () => {} }: Memory = {},
): readonly string[] {
  const closures = new Closures(document);
  const fitting: string[] = [];
  const plain = plainJudge(document);
  const judge: Judge = {
    document,
    report,
    known,
    progress,
    fitting,
    closures,
    plain,
    ajv: undefined,
  };
  // before the others: what is said of a place is said once
  visitParameters({ value: document, kind: "Document", pointer: "" }, judge);
  visit({ value: document, kind: "Document", pointer: "" }, judge);
  return fitting;
}

const require = createRequire(import.meta.url);

/** Loaded when there is something to judge. */
function buildAjv(document: JsonObject): Ajv2020 {
  const module = require("ajv/dist/2020.js") as { readonly Ajv2020: typeof Ajv2020 };
  const addFormats = require("ajv-formats") as (ajv: Ajv2020) => void;
  const ajv = new module.Ajv2020({
    strict: false,
    // what is compiled runs a few times: making it smaller takes longer than it saves
    code: { optimize: false, regExp: patternEngine },
    validateSchema: false,
    validateFormats: true,
    addUsedSchema: false,
    // looking whether a schema can be written inline takes twice as long with each list around it
    inlineRefs: false,
    // an object has no member "constructor" that it does not show
    ownProperties: true,
    logger: false,
  });
  addFormats(ajv);
  return withJsonEquality(ajv).addSchema(withoutData(document), documentName);
}

/** Ajv takes "$id" in an example for the name of a schema. */
function withoutData(document: JsonObject): JsonObject {
  const origins = new Origins();
  const rewriter = (node: JsonObject): Json => {
    for (const name of Object.keys(node)) {
      if (name === "example" || name === "examples" || name.startsWith("x-")) delete node[name];
    }
    return node;
  };
  const copy = rewrite(document, "Document", { origins, rewriter });
  return isObject(copy) ? copy : {};
}

interface Memory {
  readonly known?: ReadonlySet<string> | undefined;
  /** hears what is being done */
  readonly progress?: (doing: string) => void;
}

interface Judge {
  readonly progress: (doing: string) => void;
  readonly document: JsonObject;
  readonly report: Report;
  readonly known: ReadonlySet<string>;
  readonly fitting: string[];
  readonly closures: Closures;
  readonly plain: ReturnType<typeof plainJudge>;
  ajv: Ajv2020 | undefined;
}

interface Spot {
  readonly value: Json;
  readonly kind: Kind;
  /** in the normalised document */
  readonly pointer: string;
}

function visit({ value: node, kind, pointer }: Spot, judge: Judge): void {
  if (!isObject(node)) return;
  if (kind === "Schema") checkSchemaValues(node, pointer, judge);
  if (kind === "MediaType" || kind === "Parameter" || kind === "Header")
    checkMediaExamples(node, pointer, judge);
  for (const child of childrenOf(node, kind)) {
    visit({ ...child, pointer: `${pointer}/${child.path.map(escapeToken).join("/")}` }, judge);
  }
}

/** The default of a parameter is used; of anything else it is documentation. */
function visitParameters({ value: node, kind, pointer }: Spot, judge: Judge): void {
  if (!isObject(node) || kind === "Schema") return;
  if (kind === "Parameter") checkParameterDefault(node, pointer, judge);
  for (const child of childrenOf(node, kind)) {
    const path = child.path.map(escapeToken).join("/");
    visitParameters({ ...child, pointer: `${pointer}/${path}` }, judge);
  }
}

function checkParameterDefault(node: JsonObject, pointer: string, judge: Judge): void {
  const owner = defaultOwner(judge.document, node["schema"] ?? true);
  if (owner === undefined) return;
  const failure = failureOf(owner["default"] ?? null, `${pointer}/schema`, judge);
  if (failure === undefined) return;
  judge.report.error("OAG801", [owner, "default"], wrongDefault(failure));
  if (judge.report.allows("OAG801")) delete owner["default"];
}

function wrongDefault(failure: string): [message: string, advice: string] {
  return [
    `the default does not fit its own schema: ${failure}`,
    "correct the default or the schema",
  ];
}

function checkSchemaValues(node: JsonObject, pointer: string, judge: Judge): void {
  const { report } = judge;
  const defaultValue = node["default"];
  if (defaultValue !== undefined) {
    const failure = failureOf(defaultValue, pointer, judge);
    if (failure !== undefined) report.warning("OAG802", [node, "default"], wrongDefault(failure));
  }
  if (node["example"] !== undefined)
    checkExample({ owner: node, name: "example", value: node["example"], pointer, judge });
  const list = node["examples"];
  for (const [index, value] of itemsOf(list).entries()) {
    if (Array.isArray(list)) checkExample({ owner: list, name: index, value, pointer, judge });
  }
}

function checkMediaExamples(node: JsonObject, pointer: string, judge: Judge): void {
  // the schema is that of an item, and an example may be the whole of a stream
  if (node["schema"] === undefined || node[itemMark] !== undefined) return;
  const schema = `${pointer}/schema`;
  if (node["example"] !== undefined)
    checkExample({ owner: node, name: "example", value: node["example"], pointer: schema, judge });
  for (const [, entry] of entriesOf(node["examples"])) {
    const example = follow(judge.document, entry);
    if (example === undefined) continue;
    for (const name of ["value", "dataValue"]) {
      const value = example[name];
      if (value !== undefined)
        checkExample({ owner: example, name, value, pointer: schema, judge });
    }
    const mediaType = unescapeToken(pointer.slice(pointer.lastIndexOf("/") + 1)).toLowerCase();
    if (codecOf(mediaType.split(";")[0] ?? "") === "json") checkSerialized(example, schema, judge);
  }
}

/** Of JSON it can be told what a text stands for (OpenAPI 3.2.0, section 4.19). */
function checkSerialized(example: JsonObject, pointer: string, judge: Judge): void {
  const { serializedValue: text, dataValue } = example;
  if (typeof text !== "string") return;
  const warn = (message: string, advice: string): void =>
    judge.report.warning("OAG804", [example, "serializedValue"], [message, advice]);
  let value: Json;
  try {
    value = JSON.parse(text) as Json; // JSON.parse yields nothing else
  } catch {
    warn("the serialized example is not JSON", 'write JSON, or "dataValue" in its place');
    return;
  }
  if (dataValue === undefined) {
    checkExample({ owner: example, name: "serializedValue", value, pointer, judge });
  } else if (!equal(value, dataValue)) {
    warn('"serializedValue" stands for another value than "dataValue"', "correct one of the two");
  }
}

interface ExampleCheck {
  readonly owner: object;
  readonly name: string | number;
  readonly value: Json;
  /** of the schema, in the normalised document */
  readonly pointer: string;
  readonly judge: Judge;
}

function checkExample({ owner, name, value, pointer, judge }: ExampleCheck): void {
  const failure = failureOf(value, pointer, judge);
  if (failure === undefined) return;
  judge.report.warning(
    "OAG803",
    [owner, name],
    [`the example does not fit its schema: ${failure}`, "correct the example or the schema"],
  );
}

/** What Ajv says; undefined when the value fits or the schema itself cannot be read (reported elsewhere). */
function failureOf(value: Json, pointer: string, judge: Judge): string | undefined {
  const { document, known, fitting, closures } = judge;
  const schema = at(document, pointer) ?? null;
  if (judge.plain(schema, value) === true) return undefined;
  const word = digest([closures.hashOf(schema), value]);
  if (known.has(word)) {
    fitting.push(word);
    return undefined;
  }
  let validate: ValidateFunction;
  try {
    judge.progress(`judging the example at ${pointer}`);
    judge.ajv ??= buildAjv(document);
    validate = judge.ajv.compile({ $ref: `${documentName}#${encodePointer(pointer)}` });
  } catch {
    return undefined; // the schema is broken and has been reported by the schema check
  }
  if (verdictOf(validate, value) !== false) {
    fitting.push(word);
    return undefined;
  }
  const [first] = validate.errors ?? [];
  return first === undefined
    ? "it is refused"
    : `${first.instancePath || "it"} ${first.message ?? "is refused"}`;
}

function encodePointer(pointer: string): string {
  return pointer.split("/").map(encodeURIComponent).join("/");
}
