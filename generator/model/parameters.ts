// Parameters: where they stand, how their text is taken apart, and whether they fit their path.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, put, textOf } from "../json.ts";
import { defaultOwner } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import { closest } from "../read/similar.ts";
import type { ParameterKind, ParameterLocation, ParameterPlan } from "../runtime/runtime.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import type { Parameter } from "./model.ts";
import { kindOf } from "./kinds.ts";
import { isFlat, isText, treeOf } from "./trees.ts";

interface Source {
  readonly document: JsonObject;
  readonly node: JsonObject;
  readonly shared: string | undefined;
  readonly report: Report;
}

const styles: Readonly<Record<ParameterLocation, readonly ParameterPlan["style"][]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** Headers that describe the message itself and are no parameters (OpenAPI 3.1.1 section 4.8.12). */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

export function buildParameter({ document, node, shared, report }: Source): Parameter | undefined {
  const name = textOf(node["name"]);
  const location = (["path", "query", "header", "cookie"] as const).find(
    (one) => one === node["in"],
  );
  if (name === undefined || location === undefined) return undefined; // reported by the shape check
  if (location === "header" && ignoredHeaders.has(name.toLowerCase())) {
    report.warning(
      "OAG501",
      [node, "name"],
      [
        `the header "${name}" is ignored as a parameter`,
        "describe it with content or security instead",
      ],
    );
    return undefined;
  }
  const [media] = Object.entries(isObject(node["content"]) ? node["content"] : {});
  const allowed = styles[location];
  const written = allowed.find((one) => one === node["style"]);
  checkFields({ node, name, location, report });
  const owner = media === undefined ? node : media[1];
  const schema = (isObject(owner) ? owner["schema"] : undefined) ?? true;
  const usual = allowed[0] ?? "simple";
  const wanted = media === undefined ? (written ?? usual) : usual;
  const kind = media === undefined ? styledKind(document, schema, wanted) : contentKind(media[0]);
  const isFitting = media === undefined && fitsStyle({ style: wanted, kind, node, report });
  const style = isFitting ? wanted : usual;
  const base = {
    name,
    in: location,
    required: node["required"] === true,
    style,
    explode: typeof node["explode"] === "boolean" ? node["explode"] : isExploded(style),
    schema,
    default: defaultOwner(document, schema)?.["default"],
    shared,
    node,
  };
  if (media === undefined) checkNesting({ document, name, schema, style, node, report });
  const isEmpty = location === "query" && node["allowEmptyValue"] === true;
  return { ...base, kind, allowEmptyValue: isEmpty };
}

interface FieldsCheck {
  readonly node: JsonObject;
  readonly name: string;
  readonly location: ParameterLocation;
  readonly report: Report;
}

function checkFields({ node, name, location, report }: FieldsCheck): void {
  const hasContent = entriesOf(node["content"]).length > 0;
  if ((node["schema"] === undefined) !== hasContent) {
    report.error(
      "OAG502",
      [node],
      [
        `the parameter "${name}" needs exactly one of "schema" and "content"`,
        'keep "schema" unless the text is itself a document',
      ],
    );
  }
  const style = node["style"];
  const allowed: readonly string[] = styles[location];
  if (style !== undefined && hasContent) {
    report.error(
      "OAG506",
      [node, "style", "key"],
      ['"style" says nothing beside "content"', "remove it"],
    );
  } else if (style !== undefined && !allowed.includes(textOf(style) ?? "")) {
    report.error(
      "OAG503",
      [node, "style"],
      [
        `the style "${textOf(style) ?? "?"}" does not fit a ${location} parameter`,
        `write one of ${allowed.join(", ")}`,
      ],
    );
  }
  if (location === "path" && node["required"] !== true) {
    report.error(
      "OAG504",
      [node],
      [`the path parameter "${name}" must be required`, 'add "required: true"'],
    );
    if (report.allows("OAG504")) put(node, "required", true);
  }
}

/** Where "explode" is not written. */
function isExploded(style: ParameterPlan["style"]): boolean {
  return style === "form" || style === "cookie";
}

/** How the text of a parameter or header with `content` is read. */
export function contentKind(mediaType: string): ParameterKind {
  return codecOf(essenceOf(mediaType)) === "json" ? "json" : { scalar: ["string"] };
}

/** A deepObject with more than texts in it is a tree. */
function styledKind(
  document: JsonObject,
  schema: Json,
  style: ParameterPlan["style"],
): ParameterKind {
  const kind = kindOf(document, schema);
  if (style !== "deepObject") return kind;
  const tree = treeOf(document, schema);
  return isFlat(tree) || isText(tree) ? kind : { tree };
}

interface NestingCheck extends Omit<StyleCheck, "kind"> {
  readonly document: JsonObject;
  readonly name: string;
  readonly schema: Json;
}

/** Lists and objects inside a list or an object have no way to be written but a deepObject's. */
function checkNesting({ document, name, schema, style, node, report }: NestingCheck): void {
  if (style === "deepObject") return;
  const { items, object = {}, others } = treeOf(document, schema);
  const inner = [...(items === undefined ? [] : [items]), ...Object.values(object)];
  if (others !== undefined) inner.push(others);
  if (inner.every(({ scalar }) => scalar !== undefined)) return;
  report.warning(
    "OAG505",
    [node, "schema", "key"],
    [
      `"${name}" has lists or objects inside, and the style "${style}" cannot write them: each is refused`,
      'write "style: deepObject", or "content" with application/json in place of "schema"',
    ],
  );
}

interface StyleCheck {
  readonly style: ParameterPlan["style"];
  readonly kind: ParameterKind;
  readonly node: JsonObject;
  readonly report: Report;
}

/** Some styles say how parts are told apart, and need a value that has parts (OpenAPI 3.1.1, 4.8.12.3). */
function fitsStyle({ style, kind, node, report }: StyleCheck): boolean {
  if (kind === "json") return true;
  const needed = {
    deepObject: "an object or array",
    spaceDelimited: "an array",
    pipeDelimited: "an array",
  };
  if (style !== "deepObject" && style !== "spaceDelimited" && style !== "pipeDelimited")
    return true;
  const fits = "object" in kind || "tree" in kind || (style !== "deepObject" && "array" in kind);
  if (fits) return true;
  report.error(
    "OAG507",
    [node, "style"],
    [
      `the style "${style}" needs a schema of ${needed[style]}`,
      'give the schema that type, or leave "style" out',
    ],
  );
  return false;
}

interface PathCheck {
  readonly path: string;
  readonly node: JsonObject;
  readonly parameters: readonly Parameter[];
  /** no parameter is broken, which could be one of the path */
  readonly areWhole: boolean;
  readonly report: Report;
}

/** @returns names of the path that have no parameter */
export function checkPathParameters(check: PathCheck): readonly string[] {
  const { path, node, parameters, areWhole, report } = check;
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
  const declared = parameters
    .filter((parameter) => parameter.in === "path")
    .map((parameter) => parameter.name);
  const unnamed = [...new Set(inPath)].filter((one) => !declared.includes(one));
  const unplaced = declared.filter((one) => !inPath.includes(one));
  const isAllowed = report.allows("OAG607");
  for (const name of areWhole || isAllowed ? unnamed : []) {
    const guess = closest(name, unplaced);
    const add = `add a parameter with "name: ${name}" and "in: path"`;
    const advice =
      guess === undefined ? add : `did you mean "${guess}", as the parameter is called?`;
    const message = `the path names {${name}}, and the operation has no such path parameter`;
    report.error("OAG607", [node], [message, advice]);
    // one slip, said once
    if (guess !== undefined && !isAllowed) unplaced.splice(unplaced.indexOf(guess), 1);
  }
  for (const name of unplaced) {
    report.warning(
      "OAG608",
      [node],
      [
        `the path parameter "${name}" does not stand in "${path}", and is ignored`,
        `write {${name}} in the path or remove the parameter`,
      ],
    );
  }
  const twice = inPath.filter((one, index) => inPath.indexOf(one) !== index);
  for (const name of new Set(twice)) {
    report.error("OAG609", [node], [`the path names {${name}} twice`, "give each its own name"]);
  }
  return unnamed;
}
