// What is made, read, changed and removed, over collections that the paths of the contract show.

import type { RawRequest } from "../runtime/runtime.ts";
import type { Contract, Operation, Place } from "../suite/contract.ts";
import { Dice } from "../suite/dice.ts";
import { isObject, type Json, type JsonObject, textOf } from "../suite/json.ts";
import { schemaPointerOf, whyUnwritable } from "../suite/requests.ts";
import type { Answers, AnswerWish, Made, Shape } from "./answers.ts";
import { type Collection, collectionsOf, type Part } from "./collections.ts";
import { chooseStatus } from "./choosing.ts";
import { NotThereError, TakenError } from "./refusals.ts";
import { Store } from "./store.ts";
import { patched } from "./patches.ts";
import { type Page, thingIn, withList, without, withThing } from "./things.ts";

/** A request that has been read. */
export interface Asked {
  readonly raw: RawRequest;
  /** what was sent, where it was an object or a list of JSON or of a form */
  readonly body: Json | undefined;
  readonly query: Readonly<Record<string, unknown>>;
}

const idTries = 50;

export class State {
  readonly store = new Store();
  readonly #contract: Contract;
  readonly #answers: Answers;
  readonly #parts: ReadonlyMap<Operation, Part>;
  readonly #idNames = new Map<Collection, string>();

  constructor(answers: Answers) {
    this.#answers = answers;
    this.#contract = answers.contract;
    this.#parts = collectionsOf(answers.contract);
  }

  /**
   * The answer, with what is kept. Throws `NotThereError` where the thing is not there and the contract has an
   * answer for that, `TakenError` likewise. Undefined: the operation is about no collection.
   */
  answer(asked: Asked, wish: AnswerWish): Made | undefined {
    const { operation } = wish;
    const part = operation === undefined ? undefined : this.#parts.get(operation);
    if (operation === undefined || part === undefined) return undefined;
    const { path } = asked.raw;
    const { collection, role } = part;
    if (role === "create") return this.#create(asked, { wish, collection });
    if (role === "list") return this.#list(asked, wish);
    const end = path.lastIndexOf("/");
    const at = { folder: path.slice(0, end), id: decoded(path.slice(end + 1)) };
    const kept = this.store.get(at.folder, at.id);
    if (kept === undefined && (role !== "replace" || !this.#makes(operation))) {
      if (this.#contract.responseFor(operation, 404) !== undefined) throw new NotThereError();
      if (role !== "replace") return undefined;
    }
    if (role === "delete") {
      this.store.delete(at.folder, at.id);
      return this.#show(kept ?? {}, { wish, collection });
    }
    if (role === "read") return this.#show(kept ?? {}, { wish, collection });
    const body = asked.body ?? {};
    const value = this.#shownOf(operation, role === "patch" ? patched(kept ?? {}, body) : body);
    const whole = isObject(value) ? this.#withId(value, at.id, { kept, collection }) : value;
    this.store.put(at.folder, at.id, whole);
    return this.#show(whole, { wish: this.#asMade(wish, kept === undefined), collection });
  }

  /** PUT makes what is not there where the contract says 201. */
  #makes({ responses }: Operation): boolean {
    return responses.has("201");
  }

  #asMade(wish: AnswerWish, isNew: boolean): AnswerWish {
    const { operation } = wish;
    const response =
      operation === undefined ? undefined : this.#contract.responseFor(operation, 201);
    return isNew && response !== undefined && wish.status !== 201
      ? { ...wish, status: 201, response, mediaType: undefined }
      : wish;
  }

  #create({ raw, body: sent }: Asked, { wish, collection }: Work): Made {
    const { path } = raw;
    const shown = this.#shownOf(wish.operation, sent ?? {});
    const given = isObject(shown) ? shown : {};
    const named = idIn(given, collection);
    const isTaken = named !== undefined && this.store.has(path, textOf(named));
    const { operation } = wish;
    if (isTaken && operation !== undefined && this.#contract.responseFor(operation, 409)) {
      throw new TakenError();
    }
    let id: Json | undefined;
    let kept: JsonObject = {};
    const dice = new Dice(wish.dice.below(2 ** 31) + this.store.made * 7_919);
    const made = this.#answers.make({
      ...wish,
      dice,
      adjust: (body, { isFitting, schemaAt }) => {
        const found = thingIn(body, collection.idNames);
        if (found === undefined) return body;
        const { path: place } = found;
        // the answer does not make up what a caller may send and has not
        const unsent = this.#namesOf(wish.operation)
          .sent.filter((name) => name !== found.idName && !Object.hasOwn(given, name))
          .map((name) => [...place, name]);
        const less = without(body, unsent, isFitting);
        const known = withThing(less, { path: place, thing: given }, isFitting);
        const { thing, idName } = thingIn(known, collection.idNames) ?? found;
        kept = thing;
        if (idName === undefined) return known;
        const wanted = Object.hasOwn(given, idName) ? given[idName] : thing[idName];
        const schema = schemaAt(known, [...place, idName]);
        id = this.#freeId(path, { wanted, schema, collection, dice });
        const whole = withThing(
          known,
          { path: place, thing: { ...thing, [idName]: id } },
          isFitting,
        );
        kept = { ...thingIn(whole, collection.idNames)?.thing, [idName]: id };
        return whole;
      },
    });
    id ??= this.#freeId(path, { wanted: named, schema: undefined, collection, dice });
    const whole = { ...given, ...kept };
    const isNamed = collection.idNames.some((name) => Object.hasOwn(whole, name));
    const own = isNamed ? whole : { ...whole, [this.#idNameOf(collection)]: id };
    this.store.put(path, textOf(id), own);
    return this.#withLocation(made, raw, { id, response: wish.response });
  }

  /** Where the contract has such a header, as a path or whole. */
  #withLocation(
    made: Made,
    { path, headers: { host = "" } }: RawRequest,
    { id, response }: { readonly id: Json; readonly response: Place },
  ): Made {
    const name = Object.keys(made.headers).find((one) => one.toLowerCase() === "location");
    if (name === undefined) return made;
    const own = `${path}/${encodeURIComponent(textOf(id))}`;
    const location = [own, `http://${textOf(host)}${own}`].find((one) =>
      this.#answers.mayBeHeader(response, name, one),
    );
    if (location === undefined) return made;
    return { ...made, headers: { ...made.headers, [name]: location } };
  }

  #namesOf(operation: Operation | undefined): ReturnType<Answers["namesAt"]> {
    const { body } = operation ?? {};
    return body?.node["schema"] === undefined
      ? { sent: [], hidden: [] }
      : this.#answers.namesAt(`${body.pointer}/schema`);
  }

  /** Without what only requests have. */
  #shownOf(operation: Operation | undefined, sent: Json): Json {
    const { hidden } = this.#namesOf(operation);
    if (!isObject(sent)) return sent;
    return Object.fromEntries(Object.entries(sent).filter(([name]) => !hidden.includes(name)));
  }

  /** The one that is wanted, the next number, or one that is drawn. */
  #freeId(folder: string, { wanted, schema, collection: { parameter }, dice }: IdWish): Json {
    const inPath = parameter === undefined ? undefined : schemaPointerOf(parameter);
    const schemas = [schema, inPath].filter((one) => one !== undefined);
    const isFree = (id: Json): boolean =>
      (typeof id === "string" || typeof id === "number") &&
      id !== "" &&
      !this.store.has(folder, textOf(id)) &&
      (parameter === undefined || whyUnwritable(parameter, id) === undefined) &&
      schemas.every((one) => this.#answers.isValid(one, id));
    const number = typeof wanted === "number" ? wanted + this.store.made : 0;
    const near = Array.from({ length: idTries }, (_, step) => number + step);
    const found = [wanted, ...(typeof wanted === "number" ? near : [])].find(
      (one) => one !== undefined && isFree(one),
    );
    if (found !== undefined) return found;
    for (let tries = 0; schemas.length > 0 && tries < idTries; tries++) {
      const pointer = schemas[tries % schemas.length] ?? "";
      const drawn = this.#answers.valueAt(pointer, { isDynamic: true, dice });
      if (isFree(drawn)) return drawn;
    }
    return wanted ?? String(this.store.made + 1);
  }

  #withId(value: JsonObject, id: string, { kept, collection }: Kept): JsonObject {
    const name = collection.idNames.find((one) => isObject(kept) && Object.hasOwn(kept, one));
    const own =
      name ??
      collection.idNames.find((one) => Object.hasOwn(value, one)) ??
      this.#idNameOf(collection);
    const before = isObject(kept) ? kept[own] : undefined;
    const { parameter } = collection;
    const pointer = parameter === undefined ? undefined : schemaPointerOf(parameter);
    const number = Number(id);
    const isNumber = pointer !== undefined && !this.#answers.isValid(pointer, id);
    return { ...value, [own]: before ?? (isNumber && !Number.isNaN(number) ? number : id) };
  }

  /** As answers about one thing call it. */
  #idNameOf(collection: Collection): string {
    const known = this.#idNames.get(collection);
    if (known !== undefined) return known;
    const found = [...this.#parts].flatMap(([operation, part]) => {
      if (part.collection !== collection || part.role === "list") return [];
      const chosen = chooseStatus(this.#contract, operation, undefined);
      const dice = new Dice(1);
      const { body } = this.#answers.make({ operation, ...chosen, isDynamic: true, dice });
      return thingIn(body ?? null, collection.idNames)?.idName ?? [];
    });
    const name = found[0] ?? "id";
    this.#idNames.set(collection, name);
    return name;
  }

  #show(thing: Json, { wish, collection }: Work): Made {
    return this.#answers.make({
      ...wish,
      isDynamic: true,
      adjust: (body, { isFitting }) => {
        const { path = [], thing: made = {} } = thingIn(body, collection.idNames) ?? {};
        const names = Object.keys(made).filter(
          (one) => isObject(thing) && !Object.hasOwn(thing, one),
        );
        const extra = names.map((name) => [...path, name]);
        return without(withThing(body, { path, thing }, isFitting), extra, isFitting);
      },
    });
  }

  #list({ raw: { path }, query }: Asked, wish: AnswerWish): Made {
    const page = pageOf(this.store.list(path), query);
    const adjust = (body: Json, { isFitting }: Shape): Json => withList(body, page, isFitting);
    return this.#answers.make({ ...wish, isDynamic: true, adjust });
  }
}

interface Work {
  readonly wish: AnswerWish;
  readonly collection: Collection;
}

interface IdWish {
  readonly wanted: Json | undefined;
  /** of the id in the answer */
  readonly schema: string | undefined;
  readonly collection: Collection;
  readonly dice: Dice;
}

interface Kept {
  readonly kept: Json | undefined;
  readonly collection: Collection;
}

function idIn(given: JsonObject, { idNames }: Collection): Json | undefined {
  const name = idNames.find((one) => Object.hasOwn(given, one));
  return name === undefined ? undefined : given[name];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // of no thing that was made here
  }
}

const limitNames = ["limit", "per_page", "perPage", "page_size", "pageSize", "size", "max_results"];

/** As far as the query says it in numbers. */
function pageOf(all: readonly Json[], query: Asked["query"]): Page {
  const numberIn = (names: readonly string[]): number | undefined =>
    names.map((name) => query[name]).find((one) => typeof one === "number");
  const limit = Math.max(0, numberIn(limitNames) ?? all.length);
  const pages = Math.max(0, (numberIn(["page"]) ?? 1) - 1);
  const start = Math.max(0, numberIn(["offset", "skip"]) ?? pages * limit);
  const things = all.slice(start, start + limit);
  return { things, total: all.length, hasMore: start + things.length < all.length };
}
