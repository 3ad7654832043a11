// One change of a document, said by pointers. A change of something that is not there is a mistake in
// the table, so it throws.

import {
  at,
  isObject,
  type Json,
  type JsonObject,
  pointerTokens,
} from "../../../generator/json.ts";

export type Edit = (document: JsonObject) => void;

/** What was done, the edit, the rule and the pointer that it is found by. */
export type Breaking = readonly [what: string, edit: Edit, rule: string, pointer: string];
export type Harmless = readonly [what: string, edit: Edit];

function parentOf(document: JsonObject, pointer: string): readonly [Json[] | JsonObject, string] {
  const cut = pointer.lastIndexOf("/");
  const parent = at(document, pointer.slice(0, cut));
  const [name] = pointerTokens(pointer.slice(cut));
  if (name === undefined || typeof parent !== "object" || parent === null) {
    throw new Error(`there is nothing above ${pointer}`);
  }
  return [parent, name];
}

/** In place of what is there. */
export function change(pointer: string, value: Json): Edit {
  return (document) => {
    const [parent, name] = parentOf(document, pointer);
    if (at(document, pointer) === undefined) throw new Error(`there is nothing at ${pointer}`);
    Reflect.set(parent, name, value);
  };
}

/** Where nothing is yet; at the end of a list. */
export function add(pointer: string, value: Json): Edit {
  return (document) => {
    const target = at(document, pointer);
    if (Array.isArray(target)) target.push(value);
    else if (target === undefined) {
      const [parent, name] = parentOf(document, pointer);
      Reflect.set(parent, name, value);
    } else throw new Error(`there is something at ${pointer}`);
  };
}

export function remove(pointer: string): Edit {
  return (document) => {
    const [parent, name] = parentOf(document, pointer);
    if (at(document, pointer) === undefined) throw new Error(`there is nothing at ${pointer}`);
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else Reflect.deleteProperty(parent, name);
  };
}

/** Takes one value out of a list of texts or numbers. */
export function without(pointer: string, value: Json): Edit {
  return (document) => {
    const list = at(document, pointer);
    const index = Array.isArray(list) ? list.indexOf(value) : -1;
    if (index < 0) throw new Error(`${JSON.stringify(value)} is not at ${pointer}`);
    remove(`${pointer}/${index}`)(document);
  };
}

export function move(from: string, to: string): Edit {
  return (document) => {
    const value = at(document, from);
    if (value === undefined) throw new Error(`there is nothing at ${from}`);
    remove(from)(document);
    add(to, value)(document);
  };
}

export function both(...edits: readonly Edit[]): Edit {
  return (document) => {
    for (const edit of edits) edit(document);
  };
}

export function isDocument(value: Json): JsonObject {
  if (!isObject(value)) throw new Error("a document is an object");
  return value;
}
