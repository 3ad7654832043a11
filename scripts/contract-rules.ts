// Our own rules for the document, as a plugin of Redocly's linter: an answer promises as much as can
// be checked of it, and whoever reads the document sees what each error looks like.

import { createConfig } from "@redocly/openapi-core";
import type { Plugin } from "@redocly/openapi-core";

type Node = Readonly<Record<string, unknown>>;

interface Location {
  readonly child: (names: readonly (string | number)[]) => Location;
}

interface Context {
  readonly location: Location;
  readonly report: (problem: { readonly message: string; readonly location?: Location }) => void;
  readonly resolve: (node: unknown) => { readonly node?: unknown };
}

type Visit = (node: Node, context: Context) => void;
type Rule = () => Readonly<Record<string, Visit>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function namesOf(value: unknown): readonly string[] {
  return isNode(value) ? Object.keys(value) : [];
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

const textBounds = ["pattern", "enum", "const", "format", "maxLength", "x-known-values"];

function isBounded(schema: Node): boolean {
  const types = new Set([schema["type"]].flat());
  const has = (name: string): boolean => schema[name] !== undefined;
  if (types.has("string") && !textBounds.some(has)) return false;
  const isCounted = types.has("integer") || types.has("number");
  return !isCounted || has("enum") || has("const") || (has("minimum") && has("maximum"));
}

/** Every value has an end: a text a form or a length, a number both ends. */
const boundedValues: Rule = () => ({
  Schema: (schema, { report }) => {
    if (isBounded(schema)) return;
    const [text, number] = [textBounds.slice(0, -1).join(", "), "minimum and maximum"];
    report({ message: `give a string one of ${text}, and a number ${number}` });
  },
});

/** What may hold anything says why. */
const openObjects: Rule = () => ({
  Schema: (schema, { report }) => {
    if (schema["additionalProperties"] !== true || schema["x-open-reason"] !== undefined) return;
    report({
      message: "an object that may hold anything needs x-open-reason, a text that says why",
    });
  },
});

/** A header is checked like a member of a body. */
const headerForms: Rule = () => ({
  Header: (header, { report, resolve }) => {
    const { node } = resolve(header["schema"]);
    const schema = isNode(node) ? node : {};
    const isFixed = schema["enum"] !== undefined || schema["const"] !== undefined;
    const isNumber = schema["type"] === "integer" && isBounded(schema);
    if (!isFixed && !isNumber && schema["pattern"] === undefined) {
      report({ message: "give the header a pattern, an enum, or the bounds of an integer" });
    }
    if (!isFixed && header["example"] === undefined) report({ message: "show an example of it" });
  },
});

const shownExamples: Rule = () => ({
  MediaType: (media, { report }) => {
    const isShown = namesOf(media["examples"]).length > 0 || media["example"] !== undefined;
    if (!isShown) report({ message: "show at least one example" });
  },
  Parameter: (parameter, { report }) => {
    if (parameter["example"] === undefined) report({ message: "show an example of it" });
  },
});

/** `default` stands for statuses; each has a response of its own, as if it were named. */
const defaultResponses: Rule = () => ({
  Operation: (operation, { report }) => {
    const statuses = operation["x-default-statuses"];
    if (statuses === undefined) return;
    const listed = [statuses].flat().map(String);
    const described = namesOf(operation["x-default-responses"]);
    if (listed.join(" ") === described.toSorted().join(" ")) return;
    report({ message: `x-default-responses must describe ${listed.join(", ")}, in this order` });
  },
});

const errorSchema = "ApiError";

function refersToError(response: Node): boolean {
  return Object.values(isNode(response["content"]) ? response["content"] : {}).some(
    (media) =>
      isNode(media) &&
      isNode(media["schema"]) &&
      media["schema"]["$ref"] === `#/components/schemas/${errorSchema}`,
  );
}

const errorResponses: Rule = () => ({
  Response: (response, { report }) => {
    if (!refersToError(response)) return;
    if (textsOf(response["x-error-codes"]).length === 0)
      report({ message: "x-error-codes must list the codes it can carry" });
    const headers = namesOf(response["headers"]);
    for (const name of ["X-Request-Id", "Link"]) {
      if (!headers.includes(name)) report({ message: `every error carries ${name}` });
    }
  },
});

interface Found {
  readonly listed: Set<string>;
  readonly shown: Set<string>;
  readonly references: Set<string>;
}

function collected(root: Node): Found {
  const found = {
    listed: new Set<string>(),
    shown: new Set<string>(),
    references: new Set<string>(),
  };
  collect(root, found);
  return found;
}

/** Everything below, in extensions too. */
function collect(value: unknown, found: Found): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (!isNode(value)) return;
  const { code, message, $ref: reference } = value;
  if (typeof code === "string" && typeof message === "string") found.shown.add(code);
  if (typeof reference === "string") found.references.add(reference);
  for (const one of textsOf(value["x-error-codes"])) found.listed.add(one);
  for (const one of Object.values(value)) collect(one, found);
}

function at(root: unknown, ...names: readonly string[]): unknown {
  return names.reduce((node, name) => (isNode(node) ? node[name] : undefined), root);
}

/** The codes that have a form; the alternatives of the body of every error. */
function describedCodes(root: Node): readonly string[] {
  const alternatives = at(root, "components", "schemas", errorSchema, "oneOf");
  return (Array.isArray(alternatives) ? alternatives : []).flatMap((one: Node) => {
    const path = String(one["$ref"]).split("/").slice(1);
    return textsOf(at(root, ...path, "properties", "code", "enum"));
  });
}

const errorCodes: Rule = () => ({
  Root: (root, { report, location }) => {
    const described = describedCodes(root);
    if (described.length === 0) return;
    const found = collected(root);
    const place = location.child(["components", "schemas", errorSchema]);
    const tell = (codes: Iterable<string>, known: ReadonlySet<string>, problem: string): void => {
      for (const code of codes) {
        if (!known.has(code)) report({ message: `${code} ${problem}`, location: place });
      }
    };
    tell(found.listed, new Set(described), "is listed, and no alternative has it");
    tell(described, found.listed, "has a form, and no response lists it");
    tell(found.listed, found.shown, "is listed, and no example shows it");
  },
});

/** Redocly's own rule does not look into extensions. */
const usedComponents: Rule = () => ({
  Root: (root, { report, location }) => {
    const found = collected(root);
    for (const kind of ["schemas", "responses", "parameters", "headers", "examples"]) {
      for (const name of namesOf(at(root, "components", kind))) {
        if (found.references.has(`#/components/${kind}/${name}`)) continue;
        const place = location.child(["components", kind, name]);
        report({ message: `nothing refers to ${name}`, location: place });
      }
    }
  },
});

const rules: Readonly<Record<string, Rule>> = {
  "bounded-values": boundedValues,
  "open-objects": openObjects,
  "header-forms": headerForms,
  "shown-examples": shownExamples,
  "default-responses": defaultResponses,
  "error-responses": errorResponses,
  "error-codes": errorCodes,
  "used-components": usedComponents,
};

const id = "contract";

// Redocly's types want the visitor of each kind of node by its own type; ours look at what is there.
const plugin = { id, rules: { oas3: rules } } as unknown as Plugin;

/** The recommended ruleset and ours, with those of it left out that ours replace. */
export function contractRuleset(): ReturnType<typeof createConfig> {
  const ours = Object.keys(rules).map((name) => [`${id}/${name}`, "error"] as const);
  return createConfig({
    extends: ["recommended"],
    plugins: [plugin],
    rules: {
      ...Object.fromEntries(ours),
      // Ours looks into extensions too.
      "no-unused-components": "off",
      // What `then` requires is declared outside of it.
      "no-required-schema-properties-undefined": "off",
      // It closes what stands behind `then`, which then fits nothing; the suite holds examples to more.
      "no-invalid-media-type-examples": { severity: "error", allowAdditionalProperties: true },
    },
  });
}
