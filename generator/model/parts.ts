// The parts of a multipart body: texts, JSON and files, each once or as often as it comes.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, textOf } from "../json.ts";
import { fileMark, type FileBounds } from "../normalise/files.ts";
import type { PartKind, PartPlan } from "../runtime/runtime.ts";
import { codecOf } from "../normalise/codecs.ts";
import { expand } from "./kinds.ts";
import type { Content } from "./model.ts";
import { treeOf } from "./trees.ts";

/** By name; undefined: the schema names none, and the handler gets the form as it is. */
export function partPlans(
  document: JsonObject,
  { schema, node }: Pick<Content, "schema" | "node">,
): Readonly<Record<string, PartPlan>> | undefined {
  const encoding = isObject(node["encoding"]) ? node["encoding"] : {};
  const plans = new Map<string, PartPlan>();
  for (const member of expand(document, schema ?? true).filter(isObject)) {
    for (const [name, property] of entriesOf(member["properties"])) {
      const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
      if (!plans.has(name)) plans.set(name, planOf(document, property, own));
    }
  }
  return plans.size === 0 ? undefined : Object.fromEntries(plans);
}

/** As OpenAPI 3.1.1, section 4.8.14.4, says what a part is where `encoding` does not. */
function planOf(document: JsonObject, schema: Json, encoding: Json | undefined): PartPlan {
  const contentTypes = typesOf(encoding);
  const file = boundsOf(schema);
  if (file !== undefined) return { kind: fileKind(file, contentTypes), isList: false };
  const members = expand(document, schema).filter(isObject);
  const items = members.flatMap((member) => member["items"] ?? []);
  const files = items.flatMap((item) => boundsOf(item) ?? []);
  if (files[0] !== undefined) {
    const bounds = members.flatMap(({ maxItems }) =>
      typeof maxItems === "number" ? maxItems : [],
    );
    const most = bounds.length === 0 ? {} : { itemsMax: Math.min(...bounds) };
    return { kind: fileKind(files[0], contentTypes), isList: true, ...most };
  }
  const tree = treeOf(document, schema);
  const sent = contentTypes.length === 0 ? {} : { contentTypes };
  const isJson = contentTypes.some((type) => codecOf(type) === "json");
  if (tree.items !== undefined && tree.scalar === undefined && tree.object === undefined) {
    const kind = isJson || tree.items.scalar === undefined ? "json" : { text: tree.items.scalar };
    return { kind, isList: true, ...sent };
  }
  const kind = isJson || tree.scalar === undefined ? "json" : { text: tree.scalar };
  return { kind, isList: false, ...sent };
}

function boundsOf(schema: Json): FileBounds | undefined {
  const mark = isObject(schema) ? schema[fileMark] : undefined;
  // only `markFiles` writes it
  return isObject(mark) ? mark : undefined;
}

function fileKind(bounds: FileBounds, contentTypes: readonly string[]): PartKind {
  return { file: { ...bounds, ...(contentTypes.length === 0 ? {} : { contentTypes }) } };
}

/** A list with commas, ranges among them. */
function typesOf(encoding: Json | undefined): readonly string[] {
  const text = isObject(encoding) ? (textOf(encoding["contentType"]) ?? "") : "";
  return text.split(",").flatMap((one) => {
    const type = one.split(";")[0]?.trim().toLowerCase() ?? "";
    return type === "" ? [] : [type];
  });
}
