// Fields of `application/x-www-form-urlencoded`: how the text of each is read.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, textOf } from "../json.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import type { Report, Where } from "../read/origins.ts";
import type { FormField, ParameterKind, ParameterPlan } from "../runtime/runtime.ts";
import { expand, kindOf } from "./kinds.ts";
import { isFlat, isNested, isText, treeOf } from "./trees.ts";

/** `media`: with `encoding`, which may say how (OpenAPI 3.1.1, section 4.8.15). */
export function fieldKinds(
  document: JsonObject,
  schema: Json,
  media: JsonObject,
): Record<string, FormField> {
  const encoding = isObject(media["encoding"]) ? media["encoding"] : {};
  const fields: [string, FormField][] = [];
  for (const member of expand(document, schema).filter(isObject)) {
    for (const [name, property] of entriesOf(member["properties"])) {
      const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
      fields.push([name, fieldOf(document, property, isObject(own) ? own : {})]);
    }
  }
  return Object.fromEntries(fields);
}

const delimited = ["form", "spaceDelimited", "pipeDelimited"] as const;

/** Where a style is said, the content type is not looked at. */
function fieldOf(document: JsonObject, schema: Json, encoding: JsonObject): FormField {
  const { style, explode, contentType } = encoding;
  const tree = treeOf(document, schema);
  const kind = kindOf(document, schema);
  if (style === "deepObject") return isFlat(tree) || isText(tree) ? kind : { tree };
  if (style !== undefined || explode !== undefined) {
    const known = delimited.find((one) => one === (style ?? "form"));
    if (known !== undefined && fits(known, kind) && !isNested(tree)) {
      const isExploded = typeof explode === "boolean" ? explode : known === "form";
      // the usual way of everything but objects, and all ways of one value
      if ((isExploded && !isObjectKind(kind)) || (kind !== "json" && "scalar" in kind)) return kind;
      return { kind, style: known, explode: isExploded };
    }
  } else if (codecOfField(contentType) === "json") {
    return "json";
  }
  return isNested(tree) ? { tree } : kind;
}

function isObjectKind(kind: ParameterKind): boolean {
  return kind !== "json" && "object" in kind;
}

/** The others say how a list is cut. */
function fits(style: ParameterPlan["style"], kind: ParameterKind): boolean {
  return style === "form" || (kind !== "json" && "array" in kind);
}

function codecOfField(contentType: Json | undefined): string | undefined {
  const text = textOf(contentType);
  return text === undefined ? undefined : codecOf(essenceOf(text.split(",")[0] ?? ""));
}

export function reportEncoding(
  report: Report,
  where: Where,
  said: readonly [message: string, advice: string],
): void {
  report.warning("OAG525", where, said);
}

/** Says what of `encoding` nobody looks at. */
export function checkFieldEncoding(document: JsonObject, media: JsonObject, report: Report): void {
  const properties = new Map(
    expand(document, media["schema"] ?? true)
      .filter(isObject)
      .flatMap((member) => entriesOf(member["properties"])),
  );
  for (const [name, encoding] of entriesOf(media["encoding"])) {
    const property = properties.get(name);
    if (!isObject(encoding) || property === undefined) continue;
    const { style, contentType } = encoding;
    const known = delimited.find((one) => one === style);
    const kind = kindOf(document, property);
    const isNeedless = known !== undefined && !fits(known, kind);
    if (isNeedless || (known !== undefined && isNested(treeOf(document, property)))) {
      const message = `the style "${known}" cannot write "${name}", and is not looked at`;
      const advice = 'write "style: deepObject", or "contentType: application/json" in its place';
      reportEncoding(report, [encoding, "style"], [message, advice]);
    }
    const codec = codecOfField(contentType);
    if (style === undefined && codec !== undefined && codec !== "json" && codec !== "text") {
      const message = `a field of a form is a text or JSON: "${textOf(contentType) ?? ""}" is not looked at`;
      reportEncoding(report, [encoding, "contentType"], [message, "check it in the handler"]);
    }
  }
}
