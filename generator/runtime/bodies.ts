// Media types of request bodies, and how each is read.

import type { z } from "zod";
import * as checking from "./checking.ts";
import * as pairs from "./pairs.ts";
import type { Operation, PartPlan } from "./runtime.ts";

export type Checked = checking.Check | undefined;

/** The route may also hold schemas as plain JSON Schema or references: those are not checked. */
export function checkOf(schema: unknown): Checked {
  if (typeof schema !== "object" || schema === null || !("_zod" in schema)) return undefined;
  return checking.check(schema as z.ZodType); // only zod's schemas have `_zod`
}

type Codec = "json" | "form" | "multipart" | "text" | "bytes";

export interface MediaPlan {
  /** as the contract writes it */
  readonly contentType: string;
  readonly codec: Codec;
  readonly check: Checked;
  readonly form: pairs.PairsPlan;
  /** of multipart bodies; undefined: the handler gets the form as it is */
  readonly parts: ReadonlyMap<string, PartPlan> | undefined;
  /** the operation takes more than one media type, so the handler is told which one came */
  readonly several: boolean;
}

export interface BodyPlan {
  readonly required: boolean;
  /** by lower-case type without parameters; ranges such as "image/*" too */
  readonly media: ReadonlyMap<string, MediaPlan>;
}

export function buildBodyPlan({ route, forms = {}, parts = {} }: Operation): BodyPlan | undefined {
  const body = route.request?.body;
  if (body === undefined) return undefined;
  const contentTypes = Object.keys(body.content);
  const media = new Map<string, MediaPlan>();
  for (const contentType of contentTypes) {
    const essence = essenceOf(contentType);
    if (media.has(essence)) continue;
    // the keys of `content` are typed as a list of well-known types; any text can stand there
    const entry: unknown = Reflect.get(body.content, contentType);
    const schema =
      typeof entry === "object" && entry !== null && "schema" in entry ? entry.schema : undefined;
    const kinds = Object.hasOwn(forms, contentType) ? forms[contentType] : undefined;
    media.set(essence, {
      contentType,
      codec: codecOf(essence),
      check: checkOf(schema),
      form: pairs.formPlan(kinds ?? {}),
      parts: Object.hasOwn(parts, contentType)
        ? new Map(Object.entries(parts[contentType] ?? {}))
        : undefined,
      several: contentTypes.length > 1,
    });
  }
  return { required: body.required === true, media };
}

export function essenceOf(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

export const jsonType = /^(?:application|text)\/json$|\+json$/;

function codecOf(essence: string): Codec {
  if (jsonType.test(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  return essence.startsWith("text/") ? "text" : "bytes";
}

const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i;

const charsets: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);

export function findMedia(
  media: ReadonlyMap<string, MediaPlan>,
  contentType: string,
): MediaPlan | undefined {
  const essence = essenceOf(contentType);
  const slash = essence.indexOf("/");
  if (slash < 1) return undefined;
  const found = media.get(essence) ?? media.get(`${essence.slice(0, slash)}/*`) ?? media.get("*/*");
  if (found === undefined) return undefined;
  const codec = codecOf(essence);
  const set = charset.exec(contentType)?.[1]?.toLowerCase();
  if (set !== undefined && codec !== "bytes" && !charsets.has(set)) return undefined;
  return codec === found.codec ? found : { ...found, codec };
}
