// Which ids the document's examples show, and where: by them an operation that is new is found to name a
// thing, to make one, or to show one.

import { examplesOf, isObject, type Json, members, type Operation } from "./contract-document.ts";
import { exampleOf } from "./contract-requests.ts";

/** A place of a request with the id of a thing. */
export interface NamedThing {
  readonly in: "path" | "query" | "body";
  readonly name: string;
  /** the letters before the underscore */
  readonly kind: string;
}

const idForm = /^([a-z]{3})_[0-9A-Z]{26}$/;

/** Of an id as we make them; undefined: it is another text. */
export function kindOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? idForm.exec(value)?.[1] : undefined;
}

/** What a request of the operation names, by the examples of the document. */
export function thingsNamedBy({ parameters, body }: Operation): readonly NamedThing[] {
  const found = new Map<string, NamedThing>();
  const note = (part: NamedThing["in"], name: string, value: Json): void => {
    const kind = kindOf(value);
    if (kind !== undefined) found.set(`${part} ${name}`, { in: part, name, kind });
  };
  for (const one of parameters) {
    const part = one.in;
    if (part === "path" || part === "query") note(part, one.name, exampleOf(one));
  }
  const bodies = body === undefined ? [] : examplesOf(body).values();
  for (const example of bodies) visit(example, (value, name) => note("body", name, value));
  return [...found.values()];
}

/** Each value below, with the name of the member that holds it or its list. */
export function visit(value: Json, see: (value: Json, name: string) => void, name = ""): void {
  see(value, name);
  if (Array.isArray(value)) for (const one of value) visit(one, see, name);
  if (!isObject(value)) return;
  for (const [member, one] of Object.entries(value)) visit(one, see, member);
}

/** Its answer of 201 shows a thing of the kind. */
export function isMaker({ path, responses }: Operation, kind: string): boolean {
  const made = responses.get("201");
  if (made === undefined || path.includes("{")) return false;
  return exampleBodies(made).some((one) => isObject(one) && kindOf(one["id"]) === kind);
}

export function exampleBodies(response: Parameters<typeof members>[0]): readonly Json[] {
  const media = [...members(response, "content").values()];
  return media.flatMap((one) => [...examplesOf(one).values()]);
}

/** Whether the answers of the operation show a thing by the id that its path names. */
export function showsWhatItNames({ parameters, responses }: Operation): boolean {
  const named = parameters.find((one) => one.in === "path");
  if (named === undefined) return false;
  const id = exampleOf(named);
  const bodies = Array.from(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, response]) => exampleBodies(response));
  const shown = bodies.filter((one) => isObject(one) && one["id"] !== undefined);
  return (
    shown.length > 0 && shown.every((one) => isObject(one) && kindOf(one["id"]) === kindOf(id))
  );
}
