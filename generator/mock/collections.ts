// Collections that the paths of a contract show: where things are made, and where each of them is.

import type { Contract, Operation, ParameterPlace } from "../suite/contract.ts";

export type Role = "create" | "delete" | "list" | "patch" | "read" | "replace";

export interface Part {
  readonly role: Role;
  readonly collection: Collection;
}

export interface Collection {
  /** of the template: "/shops/{shop}/items" */
  readonly path: string;
  /** the parameter at the end of the path of one thing */
  readonly parameter: ParameterPlace | undefined;
  /** names that the property with the id may have, the likeliest first */
  readonly idNames: readonly string[];
}

const itemRoles: ReadonlyMap<string, Role> = new Map([
  ["GET", "read"],
  ["PUT", "replace"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** What operations do to collections. What nobody can add to is none. */
export function collectionsOf({ operations }: Contract): ReadonlyMap<Operation, Part> {
  const found = new Map<Operation, Part>();
  const byPath = Map.groupBy(operations, ({ path }) => path);
  for (const [itemPath, items] of byPath) {
    const [, path = "", name = ""] = /^(\/.*?[^/{}])\/\{([^{}/]+)\}$/.exec(itemPath) ?? [];
    if (name === "") continue;
    const all = byPath.get(path) ?? [];
    const isMade =
      all.some(({ method }) => method === "POST") || items.some(({ method }) => method === "PUT");
    if (!isMade) continue;
    const parameter = items
      .flatMap(({ parameters }) => parameters)
      .find((one) => one.in === "path" && one.name === name);
    const collection = { path, parameter, idNames: idNamesOf(name, path) };
    for (const operation of items) {
      const role = itemRoles.get(operation.method);
      if (role !== undefined) found.set(operation, { role, collection });
    }
    for (const operation of all) {
      if (operation.method === "POST") found.set(operation, { role: "create", collection });
      if (operation.method === "GET") found.set(operation, { role: "list", collection });
    }
  }
  return found;
}

/** `petId` of /pets is `petId`, `pet_id` or `id`; `slug` is `slug`. */
function idNamesOf(parameter: string, path: string): readonly string[] {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const segment = plain(path.split("/").at(-1) ?? "");
  const rest = (one: string): string => {
    const starts = [segment, segment.replace(/ies$/, "y"), segment.replace(/e?s$/, "")];
    const start = starts.find((each) => each !== "" && one.startsWith(each) && one !== each);
    return start === undefined ? one : one.slice(start.length);
  };
  const snake = parameter.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const camel = parameter.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [parameter, snake, camel, rest(plain(parameter)), "id", "_id", "uuid", "key"];
  return [...new Set(names)];
}
