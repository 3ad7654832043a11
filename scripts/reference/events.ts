// The page of the events: how one arrives, and for each type when it comes, its fields and an example.

import { listOf, nodeOf, resolved, textOf, textsOf } from "./contract.ts";
import type { Contract, Example, Node } from "./contract.ts";
import { fieldList, shapeOf } from "./fields.ts";
import { codeGroup, inCode, line, madeFromContract, prose, titleOf } from "./markdown.ts";
import { parameterLine } from "./operation.ts";

/** What is the same in all of them is told once, at the top. */
const envelope = new Set(["id", "timestamp", "api_version", "merchant_id", "sequence"]);

/** What the events of a resource say of these members stands with them. */
const ofEach = [
  "- `type` (string, required): What has happened, to branch on: the headings below.",
  "- `resource` (object, required): What it happened to.",
  "  - `type` (string, required): Which kind of thing it is.",
  "  - `id` (string, required): Its id, as the interface has it.",
  "- `data` (object, required): How that was then. Its fields depend on the type.",
];

export function eventsPage({ root, webhook }: Contract): readonly string[] {
  const { node, choices } = shapeOf(root, webhook.body?.schema ?? {});
  const { properties: fields, required } = nodeOf(
    nodeOf(nodeOf(root["components"])["schemas"])["EventEnvelope"],
  );
  const common = {
    properties: Object.fromEntries(
      Object.entries(nodeOf(fields)).filter(([name]) => envelope.has(name)),
    ),
    required,
  };
  const answers = webhook.answers.map(
    ({ status, description }) => `- **${status}**: ${line(description)}`,
  );
  return [
    "# Webhook events",
    "For merchants' developers: every event that an endpoint receives, with its fields and an example.",
    "How deliveries are made and verified is in [webhooks](../running/webhooks.md).",
    prose(webhook.description)
      .replace(/the\s+section\s+(Webhooks)\s+at\s+the\s+top/, "[$1](index.md#webhooks)")
      .trim(),
    "## What every event has",
    line(textOf(node["description"])),
    "**Headers**",
    webhook.parameters.map((one) => parameterLine(root, one)).join("\n"),
    "**Body**",
    [...fieldList(root, common), ...ofEach].join("\n"),
    ...(answers.length === 0 ? [] : ["**Your answer**", answers.join("\n")]),
    "**More of some types**",
    moreOfTypes(root),
    ...choices.flatMap((one) => family(root, one, webhook.body?.examples ?? [])),
    madeFromContract,
  ];
}

/** What the contract says of single types; what it says of all of them stands in front of the first paragraph break. */
function moreOfTypes(root: Node): string {
  const type = resolved(root, { $ref: "#/components/schemas/EventType" });
  return prose(textOf(type["description"])).split("\n\n").slice(1).join("\n\n").trim();
}

/** The events of one kind of resource, which have the same fields. */
function family(root: Node, schema: Node, examples: readonly Example[]): readonly string[] {
  const properties = nodeOf(schema["properties"]);
  const types = textsOf(nodeOf(properties["type"])["enum"]);
  const resource = shapeOf(root, nodeOf(properties["resource"])).node;
  const [kind = ""] = textsOf(nodeOf(nodeOf(resource["properties"])["type"])["enum"]);
  const [prefix = ""] = types[0]?.split(".") ?? [];
  const title = `${titleOf(prefix.replaceAll("_", "-"))} events`;
  return [
    `## ${title}`,
    prose(textOf(schema["description"])).trim(),
    `${inCode("resource")} has the ${inCode("type")} ${inCode(kind)} and the ${inCode("id")} of what it happened to. ${inCode("data")}:`,
    fieldList(root, nodeOf(properties["data"])).join("\n"),
    ...types.flatMap((type) => eventParts(root, { schema, type, examples })),
  ];
}

function eventParts(
  root: Node,
  {
    schema,
    type,
    examples,
  }: { readonly schema: Node; readonly type: string; readonly examples: readonly Example[] },
): readonly string[] {
  const conditions = listOf(schema["conditions"]).filter((one) => isFor(one, type));
  const data = conditions.map((one) => nodeOf(nodeOf(nodeOf(one["then"])["properties"])["data"]));
  const tabs = examples
    .filter(({ value }) => nodeOf(value)["type"] === type)
    .map(({ title, value }) => ({ fence: "json", title, code: JSON.stringify(value, null, 2) }));
  const facts = data.flatMap((one) => factsOf(root, one));
  return [`### ${type}`, ...(facts.length === 0 ? [] : [facts.join("\n")]), ...codeGroup(tabs)];
}

function isFor(condition: Node, type: string): boolean {
  const { enum: several, const: one } = nodeOf(
    nodeOf(nodeOf(condition["if"])["properties"])["type"],
  );
  return one === type || textsOf(several).includes(type);
}

/** What is certain in the data of this type. */
function factsOf(root: Node, data: Node): readonly string[] {
  const required = textsOf(data["required"]);
  const there = required.map(inCode).join(", ");
  const fixed = Object.entries(nodeOf(data["properties"])).flatMap(([name, value]) => {
    const { const: one, enum: several } = shapeOf(root, nodeOf(value)).node;
    if (one !== undefined) return [`- ${inCode(name)} is ${inCode(textOf(one))}`];
    if (several === undefined) return [];
    return [`- ${inCode(name)} is one of ${textsOf(several).map(inCode).join(", ")}`];
  });
  return [...fixed, ...(there === "" ? [] : [`- always there: ${there}`])];
}
