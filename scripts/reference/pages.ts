// The pages of the reference, by their path in docs/reference, made of the contract and the examples of its operations.

import { format } from "prettier";
import { listOf, nodeOf, readContract, resolved, textOf, textsOf } from "./contract.ts";
import type { Contract, Node, Subject } from "./contract.ts";
import { eventsPage } from "./events.ts";
import { examplesOf, setupOf } from "./examples.ts";
import { fieldList, typeWords } from "./fields.ts";
import { codeGroup, inCode, line, madeFromContract, prose, slugOf, titleOf } from "./markdown.ts";
import { operationSection } from "./operation.ts";

/** `payments.md` and its like, prettier's own way. */
export async function renderReference(
  contract: Contract = readContract(),
): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, readonly string[]>([
    ["index.md", overview(contract)],
    ...contract.subjects.map(
      (subject) => [`${subject.name}.md`, subjectPage(contract.root, subject)] as const,
    ),
    ["events.md", eventsPage(contract)],
  ]);
  const texts = Array.from(pages, async ([path, parts]) => {
    const options = { parser: "markdown", printWidth: 120, proseWrap: "always" } as const;
    return [path, await format(parts.filter((one) => one !== "").join("\n\n"), options)] as const;
  });
  return new Map(await Promise.all(texts));
}

function subjectPage(root: Node, { name, description, operations }: Subject): readonly string[] {
  const list = operations.map(
    ({ summary, method, path }) =>
      `- [${summary}](#${slugOf(summary)}): ${inCode(`${method} ${path}`)}`,
  );
  return [
    `# ${titleOf(name)}`,
    `For merchants' developers: ${line(description).replace(/^[A-Z]/, (one) => one.toLowerCase())}`,
    list.join("\n"),
    ...operations.flatMap((operation) => operationSection(root, operation)),
    madeFromContract,
  ];
}

function overview(contract: Contract): readonly string[] {
  const { root, subjects } = contract;
  const info = nodeOf(root["info"]);
  const rows = subjects.flatMap(({ name, operations }) =>
    operations.map(
      ({ summary, method, path, scope }) =>
        `| [${summary}](${name}.md#${slugOf(summary)}) | ${inCode(`${method} ${path}`)} | ${inCode(scope ?? "none")} |`,
    ),
  );
  return [
    "# Reference",
    "For merchants' developers: every operation, and what is the same for all of them.",
    `A running service has the contract itself at ${inCode("/openapi.json")}.`,
    "## All operations",
    ["| operation | request | scope |", "| --- | --- | --- |", ...rows].join("\n"),
    "The [events](events.md) that come to a webhook endpoint have a page of their own.",
    prose(textOf(info["description"])).trim(),
    ...setups(contract),
    "## Headers of answers",
    headerLines(contract).join("\n"),
    "## The body of an error",
    ...errorBody(root),
    madeFromContract,
  ];
}

interface Met {
  readonly status: string;
  readonly header: Node;
}

/** Each header that some answer has, and what it says there. */
function headerLines({ root, subjects }: Contract): readonly string[] {
  const answers = subjects.flatMap(({ operations }) => operations.flatMap((one) => one.answers));
  const statuses = Array.from(new Set(answers.map(({ status }) => status))).toSorted();
  const all = answers.flatMap(({ status, headers }) =>
    headers.map(([name, header]) => ({ status, name, header })),
  );
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, met]) => {
    const words = typeWords(root, nodeOf(met[0]?.header["schema"]));
    const said = [...Map.groupBy(met, ({ header }) => line(textOf(header["description"])))];
    const [[told] = [""], ...others] = said;
    const own = `- ${inCode(name)} (${words}, with ${statusWords(met, statuses)})`;
    if (others.length === 0) return [`${own}: ${told}`];
    return [own, ...said.map(([one, some]) => `  - with ${statusWords(some, statuses)}: ${one}`)];
  });
}

function statusWords(met: readonly Met[], statuses: readonly string[]): string {
  const missing = statuses.filter((one) => !met.some(({ status }) => status === one));
  if (missing.length === 0) return "every answer";
  if (missing.length < 3) return `every answer but ${missing.join(" and ")}`;
  return statuses.filter((one) => !missing.includes(one)).join(", ");
}

/** What stands in front of every example, once for each language. */
function setups({ subjects }: Contract): readonly string[] {
  const [operation] = subjects.flatMap(({ operations }) => operations);
  const tabs = examplesOf(operation?.id ?? "").map((one) => ({
    ...one,
    code: setupOf(one.language),
  }));
  if (tabs.length === 0) return [];
  return ["## Before the examples", "Each example goes on from these lines.", ...codeGroup(tabs)];
}

/** Its `details` depend on its code: what there is besides `request_id`. */
function errorBody(root: Node): readonly string[] {
  const schema = resolved(root, { $ref: "#/components/schemas/ApiError" });
  const variants = listOf(schema["oneOf"]).map((one) => resolved(root, one));
  const rows = variants.map((one) => {
    const { code, details } = nodeOf(one["properties"]);
    const codes = textsOf(resolved(root, nodeOf(code))["enum"]);
    const linked = codes.map((name) => `[${inCode(name)}](../errors.md#${name})`).join(", ");
    const { properties } = resolved(root, nodeOf(details));
    const fields = Object.entries(nodeOf(properties)).filter(([name]) => name !== "request_id");
    const inner = fieldList(
      root,
      { properties: Object.fromEntries(fields), required: nodeOf(details)["required"] },
      "  ",
    );
    return [`- ${linked}: ${inner.length === 0 ? "nothing more" : ""}`.trimEnd(), ...inner].join(
      "\n",
    );
  });
  const [first] = variants;
  const { code, message } = nodeOf(first?.["properties"]);
  const words = (value: unknown) => typeWords(root, nodeOf(value));
  return [
    line(textOf(schema["description"])),
    [
      `- ${inCode("code")} (${words(code)}, required): stable name of the condition, to branch on`,
      `- ${inCode("message")} (${words(message)}, required): for people; it may change`,
      `- ${inCode("details")} (object, required): ${inCode("request_id")} always, and what its code says below`,
    ].join("\n"),
    "What `details` has beside `request_id`, by code:",
    rows.join("\n"),
  ];
}
