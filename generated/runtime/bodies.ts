// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Media types of request bodies, and how each is read.

import { headersPlan, type HeadersPlan } from "./answer-plans.ts";
import { checkOf, type Checked } from "./checked.ts";
import * as pairs from "./pairs.ts";
import {
  codecOf,
  essenceOf,
  itemFormat,
  jsonType,
  type Codec,
  type ItemFormat,
} from "./media-types.ts";
import type { Operation, PartPlan } from "./runtime.ts";

export interface MediaPlan {
  /** as the contract writes it */
  readonly contentType: string;
  readonly codec: Codec;
  readonly check: Checked;
  readonly form: pairs.PairsPlan;
  /** of multipart bodies; undefined: the handler gets the form as it is */
  readonly parts: ReadonlyMap<string, PartPlan> | undefined;
  /** of those parts that have to come with some, by their names */
  readonly partHeaders: ReadonlyMap<string, HeadersPlan>;
  readonly items: ItemFormat | undefined;
  readonly isRange: boolean;
  /** what comes as JSON in a range is read as such, and anything else is bytes */
  readonly mayBeJson: boolean;
  /** more than one media type may come, so the handler is told which one did */
  readonly isTagged: boolean;
  /** the handler reads the body while it comes */
  readonly isStream: boolean;
  /** of the whole body */
  readonly bytesMin: number | undefined;
  readonly bytesMax: number | undefined;
}

export interface BodyPlan {
  readonly required: boolean;
  /** by lower-case type without parameters; ranges such as "image/*" too */
  readonly media: ReadonlyMap<string, MediaPlan>;
  /** a body of some type is a stream */
  readonly hasStream: boolean;
}

export function buildBodyPlan(operation: Operation): BodyPlan | undefined {
  const { route, forms = {}, parts = {}, partHeaders = {}, bodies = {} } = operation;
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
    const kinds = ownOf(forms, contentType);
    const rules = ownOf(bodies, contentType);
    const known = ownOf(parts, contentType);
    const isRange = essence.includes("*");
    media.set(essence, {
      contentType,
      codec: codecOf(essence),
      check: checkOf(schema),
      form: pairs.formPlan(kinds ?? {}),
      parts: known === undefined ? undefined : new Map(Object.entries(known)),
      partHeaders: new Map(
        Object.entries(ownOf(partHeaders, contentType) ?? {}).map(
          ([name, { schema, readings }]) => [name, headersPlan(schema, readings)],
        ),
      ),
      items: itemFormat(essence),
      isRange,
      mayBeJson: rules?.mayBeJson === true,
      isTagged: isRange || contentTypes.length > 1,
      isStream: rules?.isStream === true,
      bytesMin: rules?.bytesMin,
      bytesMax: rules?.bytesMax,
    });
  }
  const hasStream = Array.from(media.values()).some((one) => one.isStream);
  return { required: body.required === true, media, hasStream };
}

/** Names come from the contract: one may be "constructor". */
function ownOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
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
  const isJson = found.isRange && found.mayBeJson && jsonType.test(essence);
  const codec = isJson ? "json" : found.codec;
  const set = charset.exec(contentType)?.[1]?.toLowerCase();
  if (set !== undefined && codec !== "bytes" && !charsets.has(set)) return undefined;
  return isJson ? { ...found, codec } : found;
}
