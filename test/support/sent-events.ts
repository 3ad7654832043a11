// What the contract promises of an event, as it is sent: its headers and its payload.

import { payloadText } from "../../service/webhooks/dispatcher.ts";
import { below, type Json, listAt, placeAt, textOf } from "./contract-document.ts";
import { type Finding, judgeAnswerAt } from "./contract-schemas.ts";
import { eventClaims, eventsClaims, type RelatedEvent } from "./relations/events.ts";

const operation = placeAt("/webhooks/event/post");
const media = below(below(operation, "requestBody"), "content", "application/json");
const judge = judgeAnswerAt("/components/schemas/WebhookEvent");

/** By the name that the document gives each. */
export const shownEvents = Object.values(media.node["examples"] ?? {}).map(
  (example: { readonly value: Json }) => example.value,
);

export function judgePayload(payload: Json): readonly Finding[] {
  return judge(payload);
}

/** `name: value` of each header that is missing or has another form. */
export function headerProblems(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): readonly string[] {
  return listAt(operation.node, "parameters").flatMap((_, index) => {
    const parameter = below(operation, "parameters", String(index));
    const name = textOf(parameter.node["name"]);
    const value = headers[name];
    if (value === undefined && parameter.node["required"] !== true) return [];
    const isFit =
      typeof value === "string" && judgeAnswerAt(`${parameter.pointer}/schema`)(value).length === 0;
    return isFit ? [] : [`${name}: ${String(value)}`];
  });
}

type Query = (
  sql: string,
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Of all events of a database, as they would be sent. */
export async function recordedProblems(query: Query): Promise<readonly object[]> {
  const rows = await query(
    `select environment, id as event_id, type, occurred_at, merchant_id, sequence::int, resource_type, resource_id,
      data::text from events order by merchant_id, resource_type, resource_id, sequence`,
    [],
  );
  // The columns that were asked for, by the names that the dispatcher gives them.
  const payloads = rows.map(
    (row) => JSON.parse(payloadText(row as Parameters<typeof payloadText>[0])) as Json,
  );
  const each = payloads.flatMap((payload) => {
    const findings = nearest(judgePayload(payload));
    const wrong = wrongOf(findings.length === 0 ? eventClaims(payload) : []);
    return findings.length + wrong.length === 0 ? [] : [{ payload, findings, wrong }];
  });
  // Each environment has resources, and endpoints, of its own.
  const environments = [...new Set(rows.map(({ environment }) => environment))];
  const together = environments.flatMap((one) =>
    eventsClaims(payloads.filter((_, place) => rows[place]?.["environment"] === one)),
  );
  return [...each, ...wrongOf(together).slice(0, 20)];
}

function wrongOf(claims: readonly RelatedEvent[]): readonly RelatedEvent[] {
  return claims.filter(({ problem }) => problem !== undefined);
}

/** Each alternative has findings; those of the one that was meant do not doubt the type. */
function nearest(findings: readonly Finding[]): readonly Finding[] {
  return findings
    .filter(({ pointer, rule }) => pointer !== "/type" && rule !== "oneOf")
    .slice(0, 20);
}
