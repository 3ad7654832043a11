// Do defaults and examples fit their own schemas? Ajv judges, so that the answer does not depend
// on the validation we generate.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Json, JsonObject } from "../json.ts";
import { entriesOf, escapeToken, isObject, itemsOf } from "../json.ts";
import { follow } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import type { Kind } from "../read/shapes.ts";
import { childrenOf } from "../read/walk.ts";

const documentName = "contract";

export function checkExamples(document: JsonObject, report: Report): void {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: true,
    addUsedSchema: false,
    logger: false,
  });
  addFormats.default(ajv);
  ajv.addSchema(document, documentName);
  visit({ value: document, kind: "Document", pointer: "" }, { ajv, document, report });
}

interface Judge {
  readonly ajv: Ajv2020;
  readonly document: JsonObject;
  readonly report: Report;
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

function checkSchemaValues(node: JsonObject, pointer: string, judge: Judge): void {
  const { report } = judge;
  const defaultValue = node["default"];
  if (defaultValue !== undefined) {
    const failure = failureOf(defaultValue, pointer, judge);
    if (failure !== undefined)
      report.error(
        [node, "default"],
        `the default does not fit its own schema: ${failure}`,
        "correct the default or the schema",
      );
  }
  if (node["example"] !== undefined)
    checkExample({ owner: node, name: "example", value: node["example"], pointer, judge });
  const list = node["examples"];
  for (const [index, value] of itemsOf(list).entries()) {
    if (Array.isArray(list)) checkExample({ owner: list, name: index, value, pointer, judge });
  }
}

function checkMediaExamples(node: JsonObject, pointer: string, judge: Judge): void {
  if (node["schema"] === undefined) return;
  const schema = `${pointer}/schema`;
  if (node["example"] !== undefined)
    checkExample({ owner: node, name: "example", value: node["example"], pointer: schema, judge });
  for (const [, entry] of entriesOf(node["examples"])) {
    const example = follow(judge.document, entry);
    const value = example?.["value"];
    if (example !== undefined && value !== undefined)
      checkExample({ owner: example, name: "value", value, pointer: schema, judge });
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
    [owner, name],
    `the example does not fit its schema: ${failure}`,
    "correct the example or the schema",
  );
}

/** What Ajv says; undefined when the value fits or the schema itself cannot be read (reported elsewhere). */
function failureOf(value: Json, pointer: string, { ajv }: Judge): string | undefined {
  let validate: ValidateFunction;
  try {
    validate = ajv.compile({ $ref: `${documentName}#${encodePointer(pointer)}` });
  } catch {
    return undefined; // the schema is broken and has been reported by the schema check
  }
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return first === undefined
    ? "it is refused"
    : `${first.instancePath || "it"} ${first.message ?? "is refused"}`;
}

function encodePointer(pointer: string): string {
  return pointer.split("/").map(encodeURIComponent).join("/");
}
