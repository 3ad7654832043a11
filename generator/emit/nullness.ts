// Whether null fits a schema. Words that speak of objects alone let it pass, and a type of them would not.

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf, textOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import { assertedTypes, valuesOf } from "./schema-facts.ts";

/** "open": neither is said, as of null no word is. */
export type Nullness = "refused" | "named" | "open";

/** Of schemas of this document; what a reference leads to is looked at once. */
export function nullnessIn(document: JsonObject): (schema: Json) => Nullness {
  const known = new Map<string, Nullness>();

  function ofReference(name: string): Nullness {
    const answer = known.get(name);
    if (answer !== undefined) return answer;
    known.set(name, "open"); // a circle says nothing that its other members do not say
    const found = ofSchema(schemasOf(document)[name] ?? true);
    known.set(name, found);
    return found;
  }

  function ofSchema(schema: Json): Nullness {
    if (!isObject(schema)) return schema === false ? "refused" : "open";
    const { anyOf, oneOf, allOf } = schema;
    const name = componentName(textOf(schema["$ref"]) ?? "");
    return together([
      ofValues(assertedTypes(schema)?.has("null")),
      ofValues(valuesOf(schema)?.includes(null)),
      ...(name === undefined ? [] : [ofReference(name)]),
      ...itemsOf(allOf).map(ofSchema),
      ...[anyOf, oneOf].map((ways) => (ways === undefined ? "open" : oneOfThem(ways))),
    ]);
  }

  function oneOfThem(ways: Json): Nullness {
    const found = itemsOf(ways).map(ofSchema);
    if (found.includes("named")) return "named";
    return found.every((one) => one === "refused") ? "refused" : "open";
  }

  return ofSchema;
}

function ofValues(hasNull: boolean | undefined): Nullness {
  return hasNull === undefined ? "open" : hasNull ? "named" : "refused";
}

function together(all: readonly Nullness[]): Nullness {
  if (all.includes("refused")) return "refused";
  return all.includes("named") ? "named" : "open";
}
