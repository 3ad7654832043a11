// Answers that the contract allows: from what it shows, else from what its schemas say.

import { Contract, isJson, mediaFor, type Operation, type Place } from "../suite/contract.ts";
import type { Dice } from "../suite/dice.ts";
import { Drawing, type Optional } from "../suite/drawing.ts";
import { forAnswers } from "../suite/directions.ts";
import { type Choices, flatten, schemaPlace } from "../suite/flat.ts";
import { isObject, type Json, type JsonObject, listAt, objectAt, textOf } from "../suite/json.ts";
import { schemaPointerOf, simpleText, whyUnwritable } from "../suite/requests.ts";
import { buildJudges, type Judge, type Judges } from "../suite/schemas.ts";
import { upgrade } from "../suite/upgrade.ts";
import { itemPlace, rowFormat } from "../suite/streams.ts";
import { fitting } from "./fitting.ts";
import { PreferenceError } from "./preferences.ts";
import { writeXml } from "./xml.ts";

/** What an answer is before it is written. */
export interface Made {
  readonly operationId: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** of a stream the list of what comes; where it is no JSON, text */
  readonly body: Json | undefined;
  readonly contentType: string | undefined;
  /** of server-sent events: each item is the data of one */
  readonly isOfData?: boolean;
}

export interface AnswerWish {
  readonly operation: Operation | undefined;
  readonly response: Place;
  readonly status: number;
  /** undefined: the first one, JSON before others */
  readonly mediaType?: string | undefined;
  /** by its name */
  readonly example?: string | undefined;
  /** values are drawn, whatever is shown */
  readonly isDynamic?: boolean;
  readonly optional?: Optional;
  /** puts into a body what is known better */
  readonly adjust?: (body: Json, shape: Shape) => Json;
  readonly dice: Dice;
}

/** What the contract says of a body. */
export interface Shape {
  readonly isFitting: (body: Json) => boolean;
  /** the schema of a member of the body; undefined: it has none of its own */
  readonly schemaAt: (body: Json, path: readonly string[]) => string | undefined;
}

/** The contract is right, and still nobody has found a value for one of its schemas. */
export class NoValueError extends Error {
  readonly pointer: string;

  constructor(pointer: string) {
    super(`no value was found for the schema at ${pointer}`);
    this.name = "NoValueError";
    this.pointer = pointer;
  }
}

/** Of HTTP, not of the contract; a coding that nobody has applied would make the body unreadable. */
const leftOut: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "transfer-encoding",
]);

const headerTries = 20;
const streamItems = 3;
/** People read it: what goes on for ever inside ends here. */
const depth = 5;

export class Answers {
  readonly contract: Contract;
  /** by what is shown, and by chance */
  readonly #shown: Drawing;
  readonly #dynamic: Drawing;
  readonly #judges: Judges;
  readonly #closed = new Map<string, Judge>();

  /** @param document OpenAPI 3.0 or 3.1 in one piece */
  constructor(document: JsonObject) {
    const written = forAnswers(upgrade(document));
    this.contract = new Contract(written);
    const judges = buildJudges(written);
    this.#judges = judges;
    const options = { isAnswer: true, depth };
    this.#shown = new Drawing(this.contract, judges, { ...options, examples: "first" });
    this.#dynamic = new Drawing(this.contract, judges, options);
  }

  /** Whether a value is one of the schema at a pointer. */
  isValid(pointer: string, value: Json): boolean {
    return this.#shown.judgeAt(pointer)(value).length === 0;
  }

  /** Names of the properties that the schema of a request describes: all that may be sent, and what is never shown. */
  namesAt(pointer: string): {
    readonly sent: readonly string[];
    readonly hidden: readonly string[];
  } {
    const choices: Choices = { pick: (all) => all[0] };
    const { properties } = flatten(this.contract, [schemaPlace(this.contract, pointer)], choices);
    const named = Array.from(properties, ([name, places]) => {
      return { name, ...flatten(this.contract, places, choices) };
    });
    return {
      sent: named.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name),
      hidden: named.filter(({ isWriteOnly }) => isWriteOnly).map(({ name }) => name),
    };
  }

  /** Throws `NoValueError`. */
  valueAt(pointer: string, { isDynamic = false, optional = "all", dice }: Drawn): Json {
    const drawing = isDynamic ? this.#dynamic : this.#shown;
    const drawn = drawing.valueAt(pointer, optional, dice);
    if (drawn === undefined) throw new NoValueError(pointer);
    return drawn.value;
  }

  /** Throws `NoValueError`, and `PreferenceError` where the named example is not there. */
  make(wish: AnswerWish): Made {
    const { operation, response, status } = wish;
    const content = this.contract.members(response, "content");
    const [first] = [...content.keys()].toSorted(
      (one, other) => Number(isJson(other)) - Number(isJson(one)),
    );
    const contentType = wish.mediaType ?? first;
    const media = contentType === undefined ? undefined : mediaFor(content, contentType);
    const made =
      media === undefined || contentType === undefined
        ? undefined
        : this.#body(media, contentType, wish);
    const body = made === undefined ? undefined : this.#adjusted(made, { media, response, wish });
    const headers = this.#headers(response, body, wish);
    return {
      operationId: operation?.operationId ?? "",
      status,
      headers: withRequestId(headers, body),
      body:
        media === undefined || contentType === undefined || body === undefined
          ? undefined
          : this.#written(body, media, contentType),
      contentType: body === undefined ? undefined : contentType,
      isOfData: media === undefined || itemPlace(this.contract, media)?.isOfData !== false,
    };
  }

  /** As the media type has it: JSON and streams as they are, else text. */
  #written(body: Json, { pointer }: Place, contentType: string): Json {
    if (isJson(contentType) || rowFormat(contentType) !== undefined) return body;
    if (typeof body === "string") return body;
    if (/[/+]xml\b/i.test(contentType)) return writeXml(body, `${pointer}/schema`, this.contract);
    return textOf(body);
  }

  #body(media: Place, contentType: string, wish: AnswerWish): Json {
    const shown = this.#shownBody(media, wish);
    if (rowFormat(contentType) !== undefined)
      return Array.isArray(shown) ? shown : this.#items(media, wish);
    return shown ?? this.#described(media, wish) ?? (isJson(contentType) ? {} : "text");
  }

  /** Undefined: nothing is said of it. */
  #described(media: Place, wish: AnswerWish): Json | undefined {
    if (media.node["schema"] === undefined) return undefined;
    const pointer = `${media.pointer}/schema`;
    const value = this.valueAt(pointer, wish);
    // what an example has beside all that is described is no part of the answer
    if (wish.isDynamic === true || this.#isBody(media, value)) return value;
    const drawn = this.valueAt(pointer, { ...wish, isDynamic: true });
    return this.#isBody(media, drawn) ? drawn : value;
  }

  /** Examples of the media type; undefined: there are none that fit. */
  #shownBody(media: Place, { example, isDynamic }: AnswerWish): Json | undefined {
    const named = new Map(
      Array.from(this.contract.members(media, "examples"), ([name, { node }]) => {
        return [name, node["value"] ?? node["dataValue"]] as const;
      }),
    );
    if (example !== undefined) {
      const value = named.get(example);
      if (value !== undefined) return value;
      throw new PreferenceError(`there is no example of this name for this answer`, [
        ...named.keys(),
      ]);
    }
    if (isDynamic === true) return undefined;
    return [media.node["example"], ...named.values()].find(
      (one): one is Json => one !== undefined && this.#isBody(media, one),
    );
  }

  /** What a stream sends; a schema of the whole is one of a list (OpenAPI 3.2, section 4.14.3). */
  #items({ node, pointer }: Place, wish: AnswerWish): Json[] {
    const name = node["itemSchema"] === undefined ? "schema" : "itemSchema";
    if (node[name] === undefined) return Array.from({ length: streamItems }, () => ({}));
    const list = this.valueAt(`${pointer}/${name}`, wish);
    if (name === "schema" && Array.isArray(list)) return list;
    const more = Array.from({ length: streamItems - 1 }, () =>
      this.valueAt(`${pointer}/${name}`, { ...wish, isDynamic: true }),
    );
    return [list, ...more];
  }

  #adjusted(value: Json, { media, response, wish }: Adjusting): Json {
    const codes = listAt(response.node, "x-error-codes");
    // `x-error-codes`: of a code, one of those that the response lists
    const isListed = (body: Json): boolean =>
      codes.length === 0 || !isObject(body) || codes.includes(body["code"] ?? null);
    const isFitting = (body: Json): boolean => isListed(body) && this.#isBody(media, body);
    const coded = isListed(value) ? value : fitting(value, [[["code"], codes]], isFitting);
    const schemaAt: Shape["schemaAt"] = (body, path) =>
      media?.node["schema"] === undefined
        ? undefined
        : this.#schemaAt(`${media.pointer}/schema`, body, path);
    return wish.adjust?.(coded, { isFitting, schemaAt }) ?? coded;
  }

  #schemaAt(pointer: string, value: Json, path: readonly string[]): string | undefined {
    let places: readonly Place[] = [schemaPlace(this.contract, pointer)];
    let here: Json | undefined = value;
    for (const step of path) {
      const flat = this.#shown.flatOf(places, here ?? null);
      const found: readonly Place[] = flat.properties.get(step) ?? [];
      places = found;
      here = isObject(here) ? here[step] : undefined;
    }
    return places[0]?.pointer;
  }

  /** Answers have what the contract describes, and no more. */
  #isBody(media: Place | undefined, value: Json): boolean {
    if (media?.node["schema"] === undefined) return true;
    const pointer = `${media.pointer}/schema`;
    const judge = this.#closed.get(pointer) ?? this.#judges.judgeAnswerAt(pointer);
    this.#closed.set(pointer, judge);
    return judge(value).length === 0;
  }

  #headers(response: Place, body: Json | undefined, wish: AnswerWish): Record<string, string> {
    const code = isObject(body) ? textOf(body["code"]) : "";
    const headers: Record<string, string> = {};
    for (const [name, place] of this.contract.members(response, "headers")) {
      const codes = place.node["x-required-with"];
      if (leftOut.has(name.toLowerCase())) continue;
      if (Array.isArray(codes) && !codes.includes(code)) continue;
      const text = this.#headerText(place, wish);
      if (text !== undefined) headers[name] = text;
      else if (place.node["required"] === true) throw new NoValueError(place.pointer);
    }
    return headers;
  }

  /** Whether a header of an answer may be so. */
  mayBeHeader(response: Place, name: string, text: string): boolean {
    const place = this.contract.members(response, "headers").get(name);
    const pointer = place === undefined ? undefined : schemaPointerOf(place);
    return pointer === undefined || this.isValid(pointer, text);
  }

  #headerText(place: Place, wish: AnswerWish): string | undefined {
    const header = { ...place, in: "header" };
    const pointer = schemaPointerOf(header);
    const named = Array.from(
      this.contract.members(place, "examples"),
      ([, { node }]) => node["value"],
    );
    const shown = [place.node["example"], ...named].find(
      (one): one is Json =>
        one !== undefined &&
        whyUnwritable(header, one) === undefined &&
        (pointer === undefined || this.isValid(pointer, one)),
    );
    if (shown !== undefined) return simpleText(header, shown);
    if (pointer === undefined) return "text";
    for (let tries = 0; tries < headerTries; tries++) {
      const value = this.valueAt(pointer, { ...wish, isDynamic: wish.isDynamic ?? tries > 0 });
      if (whyUnwritable(header, value) === undefined) return simpleText(header, value);
    }
    return undefined;
  }
}

interface Adjusting {
  readonly media: Place | undefined;
  readonly response: Place;
  readonly wish: AnswerWish;
}

type Drawn = Pick<AnswerWish, "dice" | "isDynamic" | "optional">;

/** Where an error names the request, its header names the same one. */
function withRequestId(
  headers: Readonly<Record<string, string>>,
  body: Json | undefined,
): Readonly<Record<string, string>> {
  const id = isObject(body) ? objectAt(body, "details")["request_id"] : undefined;
  const name = Object.keys(headers).find((one) => one.toLowerCase() === "x-request-id");
  return typeof id !== "string" || name === undefined ? headers : { ...headers, [name]: id };
}
