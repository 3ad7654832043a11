// docs/errors.md as it has to be: the table of help, and what the contract says of each code.

import { format } from "prettier";
import { againTexts } from "../handlers/error-help/entry.ts";
import type { ErrorHelp } from "../handlers/error-help/entry.ts";
import { helpSections } from "../handlers/error-help/help.ts";
import { readCodePlaces } from "../handlers/error-help/where.ts";
import type { CodePlaces } from "../handlers/error-help/where.ts";
import { answeredTo } from "../handlers/error-help/words.ts";

const introduction = `# Errors

For merchants' developers: every \`code\` that the service answers, why, and what to do about it.

Made by \`npm run errors\` from the table in \`handlers/error-help/\` and from the contract. Do not edit it: a test
compares it. A running service shows the same at \`/docs/errors\`, and the \`Link\` header of every error leads to its
entry there: \`Link: </docs/errors#amount_precision>; rel="help"\`, relative to the address of the request.

The same request is the same operation, path, query, body and \`Idempotency-Key\`, signed anew with a new
\`X-Timestamp\` and \`X-Nonce\` ([signing](signing.md)).`;

export async function renderErrorsPage(): Promise<string> {
  const places = readCodePlaces();
  const sections = helpSections.flatMap(([title, help]) => [
    `## ${title}`,
    ...Object.entries(help).map(([code, one]) => entry(code, one, places)),
  ]);
  const text = [introduction, ...sections].join("\n\n");
  return format(text, { parser: "markdown", printWidth: 120, proseWrap: "always" });
}

function entry(code: string, { cause, remedy, again }: ErrorHelp, places: CodePlaces): string {
  return [
    `### ${code}`,
    [
      `- **Answer**: ${answeredTo(code, places)}`,
      `- **Cause**: ${cause}`,
      `- **Remedy**: ${remedy}`,
      `- **Sent again**: the same request ${againTexts[again]}`,
    ].join("\n"),
  ].join("\n\n");
}
