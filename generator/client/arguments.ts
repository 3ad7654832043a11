// The type of what a call is given.

import { docComment } from "../emit/literals.ts";
import * as types from "../emit/type-text.ts";
import type { Member } from "../emit/type-text.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import type { Writing } from "./writing.ts";
import { argumentsOf, arrangementOf, sentContent } from "./names.ts";

const places = ["path", "query", "header", "cookie"] as const;

export function argumentsType(writing: Writing): string {
  const { operation, model, added } = writing;
  const arrangement = arrangementOf(operation, added, model.document);
  const body = bodyMember(writing);
  if (arrangement === "grouped") {
    const groups = places.flatMap((place) => groupMember(place, writing));
    return types.object([...groups, ...body]).text;
  }
  const own = places.flatMap((place) => parameterMembers(place, writing));
  if (arrangement === "beside") return objectText([...own, ...body]);
  const [content] = body;
  if (content === undefined) return objectText(own);
  // an optional body may be left out as a whole
  const spread =
    content.isOptional === true ? types.named(`Partial<${content.type.text}>`) : content.type;
  return own.length === 0 ? spread.text : types.intersection([types.object(own), spread]).text;
}

function objectText(members: readonly Member[]): string {
  return members.length === 0 ? types.record(types.never).text : types.object(members).text;
}

function parameterMembers(place: (typeof places)[number], writing: Writing): readonly Member[] {
  const { operation, typed, added } = writing;
  const names = argumentsOf(operation, added)
    .filter((parameter) => parameter.in === place)
    .map(({ name }) => name);
  const { querystring } = operation;
  const whole = place === "query" && querystring !== undefined ? [querystring.name] : [];
  return [...names, ...whole].flatMap((name) => typed.parameterAt(place, name) ?? []);
}

function groupMember(place: (typeof places)[number], writing: Writing): readonly Member[] {
  const members = parameterMembers(place, writing);
  if (members.length === 0) return [];
  const isOptional = members.every((member) => member.isOptional);
  return [{ name: place, type: types.object(members), isOptional, isReadonly: true }];
}

function bodyMember({ operation, typed }: Writing): readonly Member[] {
  const content = sentContent(operation);
  if (operation.body === undefined || content === undefined) return [];
  const isOptional = !operation.body.required;
  const codec = codecOf(essenceOf(content.mediaType));
  const isValue = codec === "json" || content.schema !== undefined;
  const type =
    isValue && ["json", "form", "multipart"].includes(codec)
      ? typed.bodyAt(content.mediaType)
      : types.named(
          codec === "multipart"
            ? "FormData"
            : codec === "form"
              ? "URLSearchParams"
              : "request.RawBody",
        );
  const comment = docComment(content.mediaType);
  return [{ name: "body", type, isOptional, isReadonly: true, comment }];
}
