// Names in TypeScript for names of the contract: the same wherever that is legal.

const reserved = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false
   finally for function if import in instanceof new null return super switch this throw true try
   typeof var void while with as implements interface let package private protected public static
   yield await async any boolean bigint constructor declare get module require number object set
   string symbol type from of never unknown undefined arguments eval
   infer intrinsic keyof readonly unique
   z types schemas keywords combinations objects runtime parameters headers responses answers
   methods unevaluated security statuses calls request createRoute RouteConfig NotImplementedError AllHandlers`.split(
    /\s+/,
  ),
);

/** Hands out each name once; clashes (also those by case alone, for files) get a number. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #fold: (name: string) => string;

  constructor(options: { readonly ignoreCase?: boolean } = {}) {
    this.#fold = options.ignoreCase === true ? (name) => name.toLowerCase() : (name) => name;
  }

  assign(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(this.#fold(name)); number += 1)
      name = `${wanted}_${number}`;
    this.#taken.add(this.#fold(name));
    return name;
  }
}

export function identifier(name: string): string {
  const legal = name.replace(/[^\p{ID_Continue}$]+/gu, "_").replace(/^(?=[^\p{ID_Start}$_])/u, "_");
  if (legal === "" || legal === "_") return "_";
  return reserved.has(legal) ? `${legal}_` : legal;
}

export function words(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

export function kebabCase(name: string): string {
  return words(name).join("-").toLowerCase() || "default";
}

export function camelCase(name: string): string {
  const [first = "", ...rest] = words(name);
  return first.toLowerCase() + rest.map(capitalised).join("");
}

export function pascalCase(name: string): string {
  return words(name).map(capitalised).join("");
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The name of an operation that has none: `getPetsById` for GET /pets/{id}; the method as it is sent. */
export function derivedOperationId(method: string, path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const said = parts.map((part) => part.replace(/\{([^}]*)\}/g, " by $1"));
  return camelCase([method.toLowerCase(), ...said].join(" "));
}
