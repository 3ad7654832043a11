// docs/generator/diff.md as it has to be: what the subcommand says of an example, and the tables of rules.

import { compareRevisions } from "../../generator/changes/compare.ts";
import { documentGroups } from "../../generator/changes/document-rules.ts";
import { type Judgement, parties, type Rule } from "../../generator/changes/judgement.ts";
import { readRevision } from "../../generator/changes/revision.ts";
import { rules } from "../../generator/changes/rules.ts";
import { schemaRules } from "../../generator/changes/schema-rules.ts";
import { markdownOf } from "../../generator/command/changes/markdown.ts";
import { textOf } from "../../generator/command/changes/text.ts";
import type { Verdict } from "../../generator/command/changes/verdict.ts";
import { asPage } from "./write-page.ts";

const titles: Readonly<Record<keyof typeof documentGroups, string>> = {
  operations: "Operations",
  webhooks: "Webhooks and callbacks",
  requests: "Requests",
  responses: "Responses",
  access: "Who may call, where, and the version",
};

/** The newer one takes less, answers with more, and has an operation more. */
function documentOf({ isNew }: { readonly isNew: boolean }): string {
  const schema = isNew ? "{ type: string, maxLength: 100 }" : "{ type: string, maxLength: 200 }";
  const more = isNew ? "\n    get: { operationId: findPets, responses: {} }" : "";
  const body = `requestBody: { content: { text/plain: { schema: ${schema} } } }`;
  return `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /pets:
    post:
      operationId: addPet
      ${body}
      responses: { "204": { description: Done } }${more}
`;
}

function exampleOf(): Verdict {
  const [base, head] = [false, true].map((isNew) =>
    readRevision("/openapi.yaml", {
      read: () => Buffer.from(documentOf({ isNew })),
      shown: () => (isNew ? "openapi.yaml" : "main:openapi.yaml"),
    }),
  );
  if (base === undefined || head === undefined) throw new Error("there are two revisions");
  const notice = { today: "2026-01-01", months: 0 };
  const changes = compareRevisions({ base, head }, { extensions: [], notice });
  return { base: "main", head: "openapi.yaml", changes, failOn: ["clients"], isAll: false };
}

const introduction = `# What breaks whom

For whoever changes a contract, or reviews such a change: which differences between two revisions break clients that
know the old one, and which break servers that are written for it.

Made by \`npm run diagnostics\` from the tables of rules and from what the command says of an example. Do not edit it:
a test compares it.

\`\`\`sh
npm run generate -- diff main                        # the contract of the configuration, as it is now
npm run generate -- diff old.yaml new.yaml           # two documents
npm run generate -- diff v1.0.0 v2.0.0 --spec api.yaml
npm run generate -- diff main:api.yaml api.yaml --fail-on any --format json
npm run generate -- diff --help
\`\`\`

A name is a file (or \`/dev/stdin\`, or \`<(...)\` of the shell), a git revision (the same document in it, with the files
beside it) or \`REV:path\`. Documents are of Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2, YAML or JSON, and may be of
different ones: they are compared by what they say. References, \`allOf\`, \`nullable\` and the order of names may be
written in another way. They are read without the checks of the generator, as nobody can mend a revision of the past.`;

const judging = `## How it is judged

**For clients, a request must not be narrowed and an answer must not be widened. For servers it is the other way
round**: one that is written for the old revision refuses what may be sent now, and sends what is not promised any
more. Webhooks and callbacks are answers: the server sends, clients read. So what breaks clients on the way there
breaks servers on the way back, but for these choices:

- What is gone breaks clients, also where an answer merely says less: a client may wait for it, and something with a new
  name looks the same as something gone.
- A new value of a list, a new error status and a new webhook are warnings for clients, a new property of an answer is
  none: clients have to expect them.
- A new property or parameter of a request breaks servers, also where it is optional: it asks for something that a
  server does not do which does not know it.
- What cannot be judged, such as one pattern in place of another, breaks both.
- What is \`deprecated\` with a day in \`x-sunset\` may go after that day: operations, webhooks, parameters and properties.
  With \`--notice MONTHS\` the day has to be that far ahead when it is told first.
- A media type stands for the range that it falls into: \`text/csv\` that became \`text/*\` is wider, not gone.
- The name of a security scheme does not travel: schemes are the same that say the same.
- A webhook comes with the credentials that it says itself: what the document says is asked of clients.
- Where no server is named, operations are at the root: a first server with a path breaks clients.
- \`info.version\` (Semantic Versioning) that is raised has to say that clients break; one that stays says nothing yet.

## Exit codes and formats

Exit code 0: nothing breaks those of \`--fail-on\` (\`clients\`, which is the default, \`servers\`, \`any\`, \`none\`).
1: something does. 2: the command line, the configuration or a document is wrong.

| \`--format\` | what is printed |
| --- | --- |
| \`text\` | what breaks or warns, with its place in both revisions; with \`--all\` what harms nobody as well |
| \`markdown\` | the same as a table, for a comment on a pull request or a changelog; nothing from the documents is markup |
| \`github\` | the same as annotations of GitHub Actions, at the lines of the newer revision; errors are what \`--fail-on\` names |
| \`json\` | everything: \`{ exitCode, base, head, changes: [{ rule, message, breaks, clients, servers, operations, place, base, head }] }\` |

In JSON \`clients\` and \`servers\` are \`{ severity, advice }\` with the severities \`breaking\`, \`warning\` and \`info\`,
\`breaks\` names whom it breaks, and places are \`{ file, pointer, line, column }\`. What is gone has its \`place\` in
the older revision, all else in the newer one; \`base\` and \`head\` have both, or what it would stand in.

Steps that comment on a pull request, in a checkout with its history (\`fetch-depth: 0\`):

\`\`\`yaml
- run: npx contract-generator diff origin/main --format markdown --fail-on none > diff.md
- run: gh pr comment "$NUMBER" --body-file diff.md
- run: npx contract-generator diff origin/main --format github
\`\`\``;

export async function renderDiffPage(): Promise<string> {
  const example = exampleOf();
  const documents = Object.entries(documentGroups).map(([name, group]) => {
    const title = titles[name as keyof typeof documentGroups]; // its keys
    return `### ${title}\n\n${tableOf(Object.entries<Rule>(group))}`;
  });
  const values = Object.keys(schemaRules).flatMap((name) =>
    ["request", "response"].map((direction) => {
      const rule = rules.get(`${direction}-${name}`);
      if (rule === undefined) throw new Error(`there is no rule ${direction}-${name}`);
      return [`${direction}-${name}`, rule] as const;
    }),
  );
  return asPage(
    [
      introduction,
      `\`\`\`text\n${textOf(example)}\n\`\`\``,
      "As Markdown:",
      markdownOf(example),
      judging,
      "## The rules",
      "A name that begins with `request-` is about what clients send, one with `response-` about what they get.",
      ...documents,
      `### Values\n\n${tableOf(values)}`,
    ].join("\n\n"),
  );
}

function tableOf(named: readonly (readonly [string, Rule])[]): string {
  const rows = named.map(([name, rule]) => {
    const cells = parties.map((party) => severityOf(rule[party]));
    const advice = parties.flatMap((party) => {
      const said = rule[party].advice;
      return said === "" ? [] : [`for ${party}: ${said}`];
    });
    return `| \`${name}\` | ${cells.join(" | ")} | ${advice.join("<br>")} |`;
  });
  const top = `| rule | ${parties.join(" | ")} | what to do |`;
  return [top, "| --- | --- | --- | --- |", ...rows].join("\n");
}

function severityOf({ severity }: Judgement): string {
  return severity === "breaking" ? "**breaking**" : severity;
}
