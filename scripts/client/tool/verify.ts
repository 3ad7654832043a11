// Verifies a webhook that was written into files, and says what is wrong with it.

import { verifyWebhook, WebhookError, type WebhookBody } from "../webhooks.ts";
import { type Command, type Given, readInput, secretsHelp } from "./command.ts";
import { ToolFailure, UsageError } from "./failures.ts";
import { inline } from "./printable.ts";

const help = (program: string): string => `Verifies a webhook as it came, and prints its event.

  ${program} --headers FILE --body FILE [--secret whsec_...]

  --headers FILE        a header a line (name: value), or a JSON object of them; - reads standard input
  --body FILE           the body, byte by byte as it came; - reads standard input
  --secret S            of the endpoint, in place of WEBHOOK_SECRET
  --tolerance SECONDS   how old it may be; 300, as for a receiver, when left out
  --json                one JSON object, and nothing else on standard output
  --help

It ends with 1 where the webhook is refused, and says why, and what to do about it.

${secretsHelp}`;

interface Sample {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly toleranceSeconds: number;
}

export const verify: Command = {
  help,
  options: {
    headers: { type: "string" },
    body: { type: "string" },
    secret: { type: "string" },
    tolerance: { type: "string" },
  },
  run: async (given, output) => {
    const sample = sampleOf(given);
    try {
      const event = await verified(sample, sample.body);
      const text = `valid: ${inline(event.type)} ${inline(event.id)}\n${JSON.stringify(event, null, 2)}`;
      output.result(text, { valid: true, event });
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(error.message);
      if (!(error instanceof WebhookError)) throw error;
      const { about, message } = error;
      const advice =
        about === "signature" ? ((await changeOf(sample)) ?? signatureAdvice) : adviceOn[about];
      output.result("", { valid: false, about, message, advice });
      throw new ToolFailure(`refused, for its ${about}: ${message}.\n${advice}`);
    }
  },
};

function verified({ headers, secret, toleranceSeconds }: Sample, body: WebhookBody) {
  return verifyWebhook(body, headers, { secrets: [secret], toleranceSeconds });
}

function sampleOf(given: Given): Sample {
  if (given.words.length > 0) throw new UsageError(`${given.words[0]} is no option`);
  const [headers, body] = [given.text("headers"), given.text("body")];
  if (headers === undefined || body === undefined) {
    throw new UsageError("say what came: --headers FILE --body FILE");
  }
  if (headers === "-" && body === "-") {
    throw new UsageError("only one of --headers and --body can be read from standard input");
  }
  const secret = given.text("secret") ?? process.env["WEBHOOK_SECRET"];
  if (!secret) throw new UsageError("the secret is missing: set WEBHOOK_SECRET, or give --secret");
  const tolerance = given.text("tolerance") ?? "300";
  if (!/^\d{1,12}$/.test(tolerance)) {
    throw new UsageError(`--tolerance is ${tolerance}: write seconds, such as 86400`);
  }
  return {
    headers: headersIn(readInput("file of headers", headers).toString("utf8")),
    body: readInput("body", body),
    secret,
    toleranceSeconds: Number(tolerance),
  };
}

/** As tools write them down: JSON, or lines as HTTP has them, with a request line or without. */
function headersIn(text: string): Readonly<Record<string, string>> {
  if (/^\s*\{/.test(text)) {
    try {
      const values = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
      return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
    } catch {
      throw new UsageError("the file of headers begins with { and is no JSON");
    }
  }
  const lines = Array.from(text.matchAll(/^([\w-]+):[ \t]*(.*?)[ \t]*\r?$/gm));
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
}

const adviceOn: Readonly<Record<Exclude<WebhookError["about"], "signature">, string>> = {
  header:
    "Write down webhook-id, webhook-timestamp and webhook-signature as they came; a proxy may have dropped them.",
  timestamp:
    "If it was kept for a while, say how old it may be by --tolerance SECONDS. If it is new, put the clock right.",
  body: "It was signed with this secret, and is no event of the service.",
};

const signatureAdvice =
  "Is it the secret of this endpoint, and of listen if it came from there? Is the body what came, byte by byte,\nor was it parsed and written again (in Express take express.raw)?";

/** What most likely became of the body on its way into the file. */
async function changeOf(sample: Sample): Promise<string | undefined> {
  const text = sample.body.toString("utf8");
  const changes: readonly (readonly [change: string, before: string])[] = [
    [
      "has a line feed at its end that was not sent: write it without one (printf, not echo)",
      text.replace(/\r?\n$/, ""),
    ],
    [
      "was parsed and written again, with other white space: keep the bytes as they came",
      minified(text),
    ],
  ];
  for (const [change, before] of changes) {
    const isIt = await verified(sample, before).then(
      () => true,
      () => false,
    );
    if (isIt) return `The body ${change}.`;
  }
  return undefined;
}

/** The service sends JSON without white space. */
function minified(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
