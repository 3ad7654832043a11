// Bodies of XML, as the `xml` objects of the schemas name them (OpenAPI 3.1.1 section 4.8.26).

import type { Contract, Place } from "../suite/contract.ts";
import { flatten, schemaPlace } from "../suite/flat.ts";
import { isObject, type Json, type JsonObject, objectAt, textOf } from "../suite/json.ts";

export function writeXml(value: Json, pointer: string, contract: Contract): string {
  const writer = new Writer(contract);
  const place = schemaPlace(contract, pointer);
  const element = writer.element(writer.nameOf([place]) ?? "root", value, [place]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element}`;
}

class Writer {
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** As the schema says, or after the component. */
  nameOf(places: readonly Place[]): string | undefined {
    const own = textOf(this.#xml(places)["name"]);
    if (own !== "") return own;
    const references = places.map(({ node }) => textOf(node["$ref"]));
    const name = references
      .find((one) => one !== "")
      ?.split("/")
      .at(-1);
    return name === undefined || !isName(name) ? undefined : name;
  }

  element(name: string, value: Json, places: readonly Place[]): string {
    if (Array.isArray(value)) return this.#wrapped(name, value, places);
    if (!isObject(value)) {
      return value === null ? `<${name}/>` : `<${name}>${escaped(textOf(value))}</${name}>`;
    }
    const { properties } = this.#flat(places);
    let attributes = "";
    let inner = "";
    for (const [key, member] of Object.entries(value)) {
      const own = properties.get(key) ?? [];
      const xml = this.#xml(own);
      const named = textOf(xml["name"] ?? key);
      const tag = isName(named) ? named : "item";
      const isPlain = !isObject(member) && !Array.isArray(member);
      if (xml["attribute"] === true && isPlain)
        attributes += ` ${tag}="${escaped(textOf(member))}"`;
      else if (Array.isArray(member)) inner += this.#list(tag, member, own);
      else inner += this.element(tag, member, own);
    }
    return `<${name}${attributes}>${inner}</${name}>`;
  }

  #list(name: string, list: readonly Json[], places: readonly Place[]): string {
    if (this.#xml(places)["wrapped"] === true) return this.#wrapped(name, list, places);
    const { items } = this.#flat(places);
    const own = textOf(this.#xml(items)["name"] ?? name);
    return list.map((item) => this.element(isName(own) ? own : name, item, items)).join("");
  }

  #wrapped(name: string, list: readonly Json[], places: readonly Place[]): string {
    const { items } = this.#flat(places);
    const own = this.nameOf(items) ?? name;
    return `<${name}>${list.map((item) => this.element(own, item, items)).join("")}</${name}>`;
  }

  #flat(places: readonly Place[]) {
    return flatten(this.#contract, places, { pick: (all) => all[0] });
  }

  #xml(places: readonly Place[]): JsonObject {
    const own = places.map(({ node }) => objectAt(node, "xml"));
    const referred = places.flatMap(({ node }) => {
      const reference = node["$ref"];
      if (typeof reference !== "string") return [];
      const target = schemaPlace(this.#contract, decodeURIComponent(reference.slice(1)));
      return [objectAt(target.node, "xml")];
    });
    return [...own, ...referred].find((one) => Object.keys(one).length > 0) ?? {};
  }
}

/** Of names of XML the plain ones (XML 1.0 section 2.3). */
function isName(text: string): boolean {
  return /^[A-Za-z_][\w.:-]*$/.test(text);
}

function escaped(text: string): string {
  const plain = text
    // control characters have no place in XML 1.0
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
  return plain.replaceAll('"', "&quot;");
}
