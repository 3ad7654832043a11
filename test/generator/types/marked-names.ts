// Names that the library behind types.ts would read as something else, so that it gets marks instead, and the names
// return in its text. It looks up those that every JavaScript object inherits (`constructor`, `toString`,
// `__proto__`), and takes any name for a part of a reference, where "%" begins an escape and "#" a fragment.

import type { Json, JsonObject } from "../../../generator/json.ts";
import { isObject, put } from "../../../generator/json.ts";
import { decodeFragment } from "../../../generator/read/locate.ts";

/** Of one document: nothing in it looks like one of its marks. */
export class Marks {
  /** makes them others than whatever the document says */
  readonly #number: string;

  constructor(document: Json) {
    const text = JSON.stringify(document);
    const isTaken = (number: string): boolean =>
      text.includes(`inherited${number}$`) || text.includes(`sign${number}$`);
    let count = 0;
    while (isTaken(suffix(count))) count += 1;
    this.#number = suffix(count);
  }

  /** A copy with marks for such names, as properties, in references, as required and operation ids. */
  withMarks(value: Json, property?: string): Json {
    if (Array.isArray(value)) {
      const names = property === "required";
      return value.map((item) =>
        names && typeof item === "string" ? this.marked(item) : this.withMarks(item),
      );
    }
    if (isObject(value)) {
      const copy: JsonObject = {};
      for (const [name, item] of Object.entries(value))
        put(copy, this.marked(name), this.withMarks(item, name));
      return copy;
    }
    if (typeof value !== "string") return value;
    if (property === "$ref") return this.#markedReference(value);
    return property === "operationId" ? this.marked(value) : value;
  }

  /** The same for properties of plain data that are called `$ref` and refer to nothing. */
  withMarkedReferences(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.withMarkedReferences(item));
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      put(copy, name === "$ref" ? this.#inherited(name) : name, this.withMarkedReferences(item));
    }
    return copy;
  }

  withoutMarks(text: string): string {
    const names = new RegExp(`inherited${this.#number}\\$(\\$ref|[a-zA-Z_]+)\\$`, "g");
    const signs = new RegExp(` sign${this.#number}\\$(2[35])\\$ `, "g");
    return text
      .replace(names, "$1")
      .replace(signs, (_, code: string) => (code === "25" ? "%" : "#"));
  }

  marked(name: string): string {
    if (name in Object.prototype) return this.#inherited(name);
    // with spaces, so that it is no identifier: what had to be quoted stays quoted
    return name.replace(/[%#]/g, (sign) => ` sign${this.#number}$${sign === "%" ? "25" : "23"}$ `);
  }

  #inherited(name: string): string {
    return `inherited${this.#number}$${name}$`;
  }

  /** All of them are within the document by now. */
  #markedReference(reference: string): string {
    const tokens = reference.slice(1).split("/");
    return `#${tokens.map((token) => this.marked(decodeFragment(token))).join("/")}`;
  }
}

function suffix(count: number): string {
  return count === 0 ? "" : String(count);
}
