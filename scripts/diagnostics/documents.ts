// Small documents around the lines that matter.

/** Something of which a code is said. */
export interface Example {
  /** by name; the first is the document, and what is not text is bytes */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** of the configuration */
  readonly basePath?: string;
}

const head = (version: string): string => `openapi: ${version}
info: { title: Shop, version: "1" }
`;

function indented(text: string, by: number): string {
  return text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? "" : `${" ".repeat(by)}${line}`))
    .join("\n");
}

export function whole(text: string, others: Example["files"] = {}): Example {
  return { files: { "openapi.yaml": text, ...others } };
}

/** What stands below the title. */
export function below(text: string, version = "3.1.0"): Example {
  return whole(`${head(version)}${text.trim()}\n`);
}

/** The schema Pet, and others. */
export function schema(text: string, version = "3.1.0"): Example {
  return below(`paths: {}\ncomponents:\n  schemas:\n    Pet:\n${indented(text, 6)}`, version);
}

/** An operation without its answers. */
export function operation(text: string, path = "/pets"): Example {
  const answers = 'responses: { "204": { description: Done } }';
  return below(
    `paths:\n  ${path}:\n    post:\n${indented(`operationId: addPet\n${text.trim()}\n${answers}`, 6)}`,
  );
}

export function parameter(text: string, path = "/pets"): Example {
  return operation(`parameters:\n${indented(text, 2)}`, path);
}

export function body(text: string): Example {
  return operation(`requestBody:\n${indented(text, 2)}`);
}

export function answers(text: string): Example {
  return below(
    `paths:\n  /pets:\n    get:\n      operationId: listPets\n      responses:\n${indented(text, 8)}`,
  );
}

/** What stands below `paths`. */
export function paths(text: string): Example {
  return below(`paths:\n${indented(text, 2)}`);
}

/** A document of JSON, as it is. */
export function json(text: string): Example {
  return { files: { "openapi.json": text } };
}

/** Each of so many names means one of two things, depending on the way that was taken: 2 ** steps meanings. */
export function manyMeanings(steps: number): Example {
  const own = "file:///openapi.json#/components/schemas";
  const numbers = [...Array(steps).keys()];
  const schemas = numbers.flatMap((step) => {
    const next = step + 1 === steps ? "leaf" : `choice${step + 1}`;
    const way = (side: string): object => ({
      $id: `https://example.com/${side}${step}`,
      $defs: { own: { $dynamicAnchor: `name${step}`, title: side } },
      $ref: `${own}/${next}`,
    });
    const sides = ["a", "b"].map((side) => [`${side}${step}`, way(side)] as const);
    const anyOf = sides.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
    return [[`choice${step}`, { anyOf }] as const, ...sides];
  });
  const properties = Object.fromEntries(
    numbers.map((step) => {
      const $defs = { own: { $dynamicAnchor: `name${step}` } };
      return [`p${step}`, { $dynamicRef: `#name${step}`, $defs }];
    }),
  );
  const leaf = { $id: "https://example.com/leaf", properties };
  const components = { schemas: { leaf, ...Object.fromEntries(schemas) } };
  const info = { title: "Shop", version: "1" };
  return json(`${JSON.stringify({ openapi: "3.1.0", info, paths: {}, components }, null, 2)}\n`);
}
