// The other validator: Ajv 2020 on the document as it is written.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { withoutExamples } from "../../generator/suite/without-examples.ts";
import type { JsonObject } from "../../generator/suite/json.ts";
import { patternEngine } from "../../generator/suite/patterns.ts";
import { type Judge, judgeBy, type Judges } from "../../generator/suite/schemas.ts";

/**
 * What JSON Schema and OpenAPI define. Ajv's own ones ("url", "iso-time", ...) are annotations to anybody else,
 * and the generator says so of each (OAG417).
 */
const formats = (
  "date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid regex json-pointer " +
  "relative-json-pointer int32 int64 float double"
).split(" ") as addFormats.FormatName[];

/** One text (RFC 4648, section 3.3); Ajv's own takes several lines of it for one. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** With the padding of RFC 4648 (section 5), or without it: Ajv knows none. */
const base64Url = /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/;

export interface Oracle extends Judges {
  /** Without saying what is wrong, and so in a fraction of the time. */
  readonly accepts: (pointer: string) => (value: unknown) => boolean;
}

export function buildOracle(document: JsonObject): Oracle {
  const text = withoutExamples(document);
  const careful = buildAjv(text, true);
  const quick = buildAjv(text, false);
  const judgeAt = (pointer: string): Judge => judgeBy(careful, pointer, () => quick);
  return {
    judgeAt,
    judgeAnswerAt: judgeAt,
    accepts: (pointer) => {
      const judge = judgeBy(quick, pointer, () => quick);
      return (value) => judge(value as never).length === 0;
    },
  };
}

function buildAjv(document: JsonObject, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    ownProperties: true,
    logger: false,
    inlineRefs: false,
    validateSchema: false,
    // decimals are compared as such: 0.3 is a multiple of 0.1
    multipleOfPrecision: 9,
    code: { regExp: patternEngine },
  });
  addFormats.default(ajv, formats);
  ajv.addFormat("byte", base64);
  ajv.addFormat("base64url", base64Url);
  ajv.addSchema(document, "contract");
  return ajv;
}
