// Whole requests of an operation, drawn from what the document allows.

import { spotsIn } from "./breaking.ts";
import {
  type Contract,
  isJson,
  type Operation,
  type ParameterPlace,
  type Place,
} from "./contract.ts";
import type { Optional } from "./drawing.ts";
import { type Choices, flatten, schemaPlace } from "./flat.ts";
import { type FormFiles, writeForm } from "./forms.ts";
import { isObject, type Json, type JsonObject, objectAt, textOf } from "./json.ts";
import {
  compose,
  isSaidByHttp,
  keyOf,
  type Parts,
  type PlainRequest,
  schemaPointerOf,
  whyUnwritable,
} from "./requests.ts";
import type { TryWish } from "./try.ts";

export type Drawn =
  { readonly parts: Parts; readonly untried: readonly string[] } | { readonly why: string };

export function draw(operation: Operation, wish: TryWish, optional: Optional): Drawn {
  const { drawing, dice, known } = wish;
  const parameters = new Map<string, Json>();
  const untried: string[] = [];
  for (const parameter of operation.parameters) {
    const { required } = parameter;
    if (isSaidByHttp(parameter)) continue;
    if (!required && (optional === "none" || (optional === "some" && dice.chance(0.5)))) continue;
    const value = known.get(keyOf(parameter)) ?? drawParameter(parameter, wish, optional);
    if (value !== undefined) parameters.set(keyOf(parameter), value);
    else if (required) return { why: `all of it: no value was found for ${keyOf(parameter)}` };
    else untried.push(keyOf(parameter));
  }
  const { body, isBodyRequired } = operation;
  if (body === undefined) {
    const isElse = operation.otherMediaTypes.length > 0 && isBodyRequired;
    return isElse
      ? { why: "all of it: its body is none of JSON" }
      : { parts: { parameters, body }, untried };
  }
  if (!isBodyRequired && optional === "none")
    return { parts: { parameters, body: undefined }, untried };
  if (body.node["schema"] === undefined) return { parts: { parameters, body: {} }, untried };
  const drawn = drawing.valueAt(`${body.pointer}/schema`, optional, dice);
  if (drawn === undefined) return { why: "all of it: no body was found that fits" };
  return { parts: { parameters, body: drawn.value }, untried };
}

const writableTries = 20;

function drawParameter(
  parameter: ParameterPlace,
  { drawing, dice }: TryWish,
  optional: Optional,
): Json | undefined {
  const pointer = schemaPointerOf(parameter);
  if (pointer === undefined) return undefined;
  for (let tries = 0; tries < writableTries; tries++) {
    const drawn = drawing.valueAt(pointer, optional, dice);
    if (drawn === undefined) return undefined;
    if (whyUnwritable(parameter, drawn.value) === undefined) return drawn.value;
  }
  return undefined;
}

export interface WholeForm {
  /** of the schema of the form */
  readonly pointer: string;
  readonly value: Json;
  /** the request with another object in the form; undefined: it cannot be written as a form */
  readonly withValue: (value: Json) => PlainRequest | undefined;
}

/** Undefined: it is no form, or none can be drawn. */
export function formOf(
  operation: Operation,
  mediaType: string,
  wish: TryWish,
): WholeForm | undefined {
  const { contract } = wish.drawing;
  const content = contract.members(contract.below(operation, "requestBody"), "content");
  const media = content.get(mediaType);
  if (media !== undefined && isStyled(media)) return undefined;
  const drawn = draw({ ...operation, body: undefined, otherMediaTypes: [] }, wish, "all");
  if (media?.node["schema"] === undefined || "why" in drawn) return undefined;
  const pointer = `${media.pointer}/schema`;
  const whole = wish.drawing.valueAt(pointer, "all", wish.dice);
  const { headers, ...request } = compose(operation, { ...drawn.parts, body: undefined });
  const files = filesOf(contract, media);
  const withValue = (value: Json): PlainRequest | undefined => {
    const form = writeForm(mediaType, value, files);
    if (form === undefined) return undefined;
    return { ...request, headers: { ...headers, "Content-Type": form.type }, body: form.text };
  };
  const isForm = whole !== undefined && withValue(whole.value) !== undefined;
  return isForm ? { pointer, value: whole.value, withValue } : undefined;
}

/** Fields are written in the usual way; whoever wants another one, or headers of parts, tests it by hand. */
function isStyled({ node }: Place): boolean {
  return Object.values(objectAt(node, "encoding")).some((one) => {
    if (!isObject(one)) return false;
    const { style = "form", explode = true, headers, contentType } = one;
    const isUsual = style === "deepObject" || (style === "form" && explode === true);
    return !isUsual || headers !== undefined || isJson(textOf(contentType));
  });
}

/** Properties with the format binary, or with a list of such. */
function filesOf(contract: Contract, media: Place): FormFiles {
  const first: Choices = { pick: (places) => places[0] };
  const flat = flatten(contract, [schemaPlace(contract, `${media.pointer}/schema`)], first);
  const files = new Map<string, string>();
  for (const [name, places] of flat.properties) {
    const own = flatten(contract, places, first);
    const items = flatten(contract, own.items, first);
    const isFile = [...places, ...own.items].some(({ node }) => isRaw(node));
    if (own.format !== "binary" && items.format !== "binary" && !isFile) continue;
    const encoding = objectAt(objectAt(media.node, "encoding"), name);
    const [type = ""] = textOf(encoding["contentType"]).split(",");
    files.set(name, type.includes("*") ? "" : type.trim());
  }
  return files;
}

/** Bytes as OpenAPI 3.1 says them, without a format. */
function isRaw({ type, contentEncoding, contentMediaType }: JsonObject): boolean {
  if (contentEncoding === "binary") return true;
  return type === undefined && contentMediaType !== undefined && contentEncoding === undefined;
}

/** Values for the schema at the pointer until no schema is in them that was not there before: every alternative is met. */
export function wholesAt(
  pointer: string,
  { drawing, dice }: Pick<TryWish, "drawing" | "dice">,
): readonly Json[] {
  const found: Json[] = [];
  const seen = new Set<string>();
  for (let tries = 0, vain = 0; tries < wholesMax && vain < vainMax; tries++) {
    const drawn = drawing.valueAt(pointer, tries % 3 === 2 ? "some" : "all", dice);
    if (drawn === undefined) break;
    const wish = { drawing, pointer, dice, isRequest: true };
    const places = [...spotsIn(wish, drawn.value)].map(({ flat }) => flat.from.join(" "));
    const isNew = places.some((one) => !seen.has(one));
    for (const one of places) seen.add(one);
    if (isNew) found.push(drawn.value);
    vain = isNew ? 0 : vain + 1;
  }
  return found;
}

export function bodiesOf(
  { body }: Operation,
  wish: Pick<TryWish, "drawing" | "dice">,
): readonly Json[] {
  return body?.node["schema"] === undefined ? [] : wholesAt(`${body.pointer}/schema`, wish);
}

const wholesMax = 60;
const vainMax = 12;
