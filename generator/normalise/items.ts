// Media types that are a row of items: afterwards their `schema` is that of one item, wherever the document has said
// it. OpenAPI 3.2 has `itemSchema` for it, and takes `schema` for the list of all; before that most documents give
// the schema of one item, and of server-sent events that of their data.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, put } from "../json.ts";
import { expand } from "../model/kinds.ts";
import { namedTypes } from "../model/kinds.ts";
import type { Origins, Report } from "../read/origins.ts";
import { walk } from "../read/walk.ts";
import { itemFormat } from "../runtime/media-types.ts";
import { codecOf, essenceOf } from "./codecs.ts";
import { endOf, PropertyRewriter } from "./properties.ts";

/** Stands in a media type whose `schema` is that of an item; `isJson`: texts in the data of events are JSON, too. */
export const itemMark = "x-generated-items";

interface Sources {
  readonly document: JsonObject;
  readonly origins: Origins;
  readonly report: Report;
}

/** Changes the document in place (it is the generator's own copy). */
export function markItems(sources: Sources): void {
  walk(sources.document, "Document", (node, kind) => {
    if (kind !== "Response" && kind !== "RequestBody") return;
    for (const [mediaType, media] of entriesOf(node["content"])) {
      const format = itemFormat(essenceOf(mediaType));
      if (format === undefined || !isObject(media)) continue;
      // nobody sends events to a server
      if (format === "events" && kind === "RequestBody") continue;
      mark(media, format === "events", sources);
    }
  });
}

function mark(media: JsonObject, isEvents: boolean, sources: Sources): void {
  if (media[itemMark] !== undefined) return;
  const { schema, itemSchema } = media;
  if (schema !== undefined && itemSchema !== undefined) {
    sources.report.warning(
      "OAG527",
      [media, "schema", "key"],
      [
        '"schema" is that of the whole stream, and is not looked at: each item is held against "itemSchema"',
        'say in "itemSchema" what holds of each item, and remove "schema"',
      ],
    );
  }
  const item = itemSchema ?? (schema === undefined ? undefined : ofEach(sources.document, schema));
  const shaped = isEvents ? eventSchema(media, item, sources) : { schema: item, isJson: false };
  delete media["itemSchema"];
  if (shaped.schema === undefined) delete media["schema"];
  else put(media, "schema", shaped.schema);
  put(media, itemMark, { isJson: shaped.isJson });
}

/** Of a list its items; of a text, which is the stream as it is written, nothing; else the schema is an item's. */
function ofEach(document: JsonObject, schema: Json): Json | undefined {
  const target = endOf(document, schema);
  if (!isObject(target)) return schema;
  const types = namedTypes(target);
  if (types.length === 1 && types[0] === "array") return target["items"] ?? true;
  const isPlainText = types.length === 1 && types[0] === "string" && target["enum"] === undefined;
  return isPlainText && target["contentMediaType"] === undefined ? undefined : schema;
}

// ---------------------------------------------------------------------------------------------
// Server-sent events

const eventFields: ReadonlySet<string> = new Set(["data", "event", "id", "retry"]);

/** Of the event as an object, whose `data` is what the text stands for. */
function eventSchema(
  media: JsonObject,
  item: Json | undefined,
  sources: Sources,
): { readonly schema: Json; readonly isJson: boolean } {
  const data = new EventData(sources);
  const names = item === undefined ? new Set<string>() : propertiesOf(sources.document, item);
  if (item !== undefined && isEvent(names, media)) {
    const schema = data.ofEvents(item);
    return { schema, isJson: data.isJson };
  }
  const isMisplaced = media["itemSchema"] !== undefined && names.size > 0;
  if (isMisplaced) {
    sources.report.warning(
      "OAG528",
      [media, "itemSchema", "key"],
      [
        "the schema of an event has none of data, event, id and retry: it is taken for that of its data",
        'write "properties: { data: ... }" around it (OpenAPI 3.2, server-sent events)',
      ],
    );
  }
  const isOfData = media["itemSchema"] === undefined || isMisplaced;
  const schema = sources.origins.copy(media, {
    type: "object",
    properties: {
      data: isOfData ? data.of(item ?? true) : true,
      event: { type: "string" },
      id: { type: "string" },
      retry: { type: "integer", minimum: 0 },
    },
    required: ["data"],
  });
  return { schema, isJson: data.isJson };
}

/** What has other members than an event can have is its data. */
function isEvent(names: ReadonlySet<string>, media: JsonObject): boolean {
  if (names.size === 0 || ![...names].every((name) => eventFields.has(name))) return false;
  return media["itemSchema"] !== undefined || names.has("data");
}

function propertiesOf(document: JsonObject, schema: Json): Set<string> {
  const members = expand(document, schema).filter(isObject);
  return new Set(
    members.flatMap((member) => entriesOf(member["properties"]).map(([name]) => name)),
  );
}

/** Takes texts that hold JSON for what they hold. */
class EventData {
  readonly #document: JsonObject;
  readonly #properties: PropertyRewriter;
  #holdsJson = false;
  #holdsText = false;

  constructor({ document, origins }: Sources) {
    this.#document = document;
    this.#properties = new PropertyRewriter(document, origins, (name, schema) =>
      name === "data" ? this.of(schema) : schema,
    );
  }

  /** Where some events have a text that is none of JSON, texts stand as they are. */
  get isJson(): boolean {
    return this.#holdsJson && !this.#holdsText;
  }

  ofEvents(schema: Json): Json {
    return this.#properties.rewritten(schema);
  }

  of(schema: Json): Json {
    const target = endOf(this.#document, schema);
    if (isObject(target) && holdsJson(target)) {
      this.#holdsJson = true;
      return target["contentSchema"] ?? true;
    }
    const types = expand(this.#document, schema).filter(isObject).flatMap(namedTypes);
    if (types.includes("string")) this.#holdsText = true;
    return schema;
  }
}

function holdsJson({ contentMediaType, contentEncoding }: JsonObject): boolean {
  if (typeof contentMediaType !== "string" || contentEncoding !== undefined) return false;
  return codecOf(essenceOf(contentMediaType)) === "json";
}
