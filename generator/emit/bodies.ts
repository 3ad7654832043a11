// Bodies of requests: the types that handlers get, and what the runtime has to know of them.

import { plainReference } from "../model/build.ts";
import type { Body, Content, Operation } from "../model/model.ts";
import { headersText, readingsOf } from "./headers.ts";
import { literal, propertyKey, typedLiteral } from "./literals.ts";
import type { Scope } from "./printing.ts";

interface Naming {
  /** the type of the operation */
  readonly of: string;
  /** TypeScript names of the components */
  readonly identifiers: ReadonlyMap<string, string>;
}

/** With its media type where more than one may come. */
export function bodyType({ content, required }: Body, naming: Naming): string {
  const union = content.map((one) => {
    const type = contentType(one, naming);
    const isTagged = content.length > 1 || one.mediaType.includes("*");
    return isTagged
      ? `{ readonly contentType: ${mediaTypeType(one.mediaType)}; readonly value: ${type} }`
      : type;
  });
  return [...union, ...(required ? [] : ["undefined"])].join(" | ");
}

/** What is sent has one type out of a range such as `image/*`. */
export function mediaTypeType(mediaType: string): string {
  if (!mediaType.includes("*")) return literal(mediaType);
  return `\`${mediaType.replace(/[\\`$]/g, "\\$&").replaceAll("*", "${string}")}\``;
}

function contentType(content: Content, naming: Naming): string {
  const { codec, rules, items } = content;
  const isStream = rules.isStream === true;
  if (codec === "multipart" && isStream) return incomingForm(content, naming);
  if (codec === "multipart" && content.parts === undefined) return "FormData";
  if (codec === "bytes" || codec === "text") {
    if (isStream) return "ReadableStream<Uint8Array>";
    if (codec === "text") return "string";
    return rules.mayBeJson === true ? `${valueType(content, naming)} | Uint8Array` : "Uint8Array";
  }
  const type = valueType(content, naming);
  if (items === undefined) return type;
  return isStream ? `AsyncIterable<${type}>` : `readonly (${type})[]`;
}

function valueType({ schema, mediaType }: Content, { of, identifiers }: Naming): string {
  const component = plainReference(schema);
  if (component !== undefined) return `types.${identifiers.get(component) ?? component}`;
  if (schema === undefined) return "unknown";
  return `NonNullable<${of}["requestBody"]>["content"][${literal(mediaType)}]`;
}

function incomingForm(content: Content, naming: Naming): string {
  const { parts } = content;
  if (parts === undefined) {
    return "answers.IncomingForm<Readonly<Record<string, unknown>>, string>";
  }
  const names = Object.entries(parts).flatMap(([name, { kind }]) =>
    kind !== "json" && "file" in kind ? [literal(name)] : [],
  );
  const type = valueType(content, naming);
  if (names.length === 0) return `answers.IncomingForm<${type}, string>`;
  const files = names.join(" | ");
  return `answers.IncomingForm<answers.FieldsOf<${type}, ${files}>, ${files}>`;
}

/** Of the operation as data. */
export function bodyFields({ body }: Operation, scope: Scope): string[] {
  const content = body?.content ?? [];
  return [
    // kinds, plans and rules are plain data
    ...byMediaType("forms", content, ({ fields }) => fields && typedLiteral(fields)),
    ...byMediaType("parts", content, ({ parts }) => parts && typedLiteral(parts)),
    ...byMediaType("partHeaders", content, (one) => partHeadersText(one, scope)),
    ...byMediaType("bodies", content, ({ rules }) =>
      Object.keys(rules).length === 0 ? undefined : literal({ ...rules }),
    ),
  ];
}

function byMediaType(
  name: string,
  content: readonly Content[],
  print: (content: Content) => string | undefined,
): string[] {
  const entries = content.flatMap((one) => {
    const text = print(one);
    return text === undefined ? [] : [`${propertyKey(one.mediaType)}: ${text}`];
  });
  return entries.length === 0 ? [] : [`${name}: { ${entries.join(", ")} }`];
}

function partHeadersText({ partHeaders }: Content, scope: Scope): string | undefined {
  const entries = Object.entries(partHeaders).map(([name, headers]) => {
    const schema = headersText(headers, scope);
    return `${propertyKey(name)}: { schema: ${schema}, readings: ${typedLiteral(readingsOf(headers))} }`;
  });
  return entries.length === 0 ? undefined : `{ ${entries.join(", ")} }`;
}
