// What may change between two revisions of a contract, and whom it breaks: clients that know the older one and
// call a server of the newer one, and servers that are written for the older one and called by the newer one.
// A client must never have its requests narrowed nor its answers widened; a server never the other way round.
// That decides most of it, and so what breaks the one there and back breaks the other one.
//
// Our choice: a new enum value in a response, a new error status and a new webhook are warnings for clients, as a
// client of a contract that only adds must live with what it does not know. What is gone is breaking for them,
// also where a response merely says less: a client may wait for it, and a name that was changed looks just like
// that. What cannot be judged, such as one pattern in place of another, is breaking for both.

import { documentRules } from "./document-rules.ts";
import { type Direction, directions, type Judgement, type Party, type Rule } from "./judgement.ts";
import { type Effect, type SchemaRule, schemaRules } from "./schema-rules.ts";

/** What is right for one party in one direction: to take everything that comes, and send nothing else. */
const harmless: Readonly<Record<Party, Readonly<Record<Direction, Effect>>>> = {
  clients: { request: "widens", response: "narrows" },
  servers: { request: "narrows", response: "widens" },
};

const usualAdvice: Readonly<Record<Party, Readonly<Record<Direction, string>>>> = {
  clients: {
    request: "go on taking what was taken; ask for the new form in a new field or operation",
    response: "go on sending what was promised; say the new in a new field or operation",
  },
  servers: {
    request: "take what may be sent now, before clients are told of it",
    response: "send only what is promised now, before clients are told of it",
  },
};

function judge(rule: SchemaRule, party: Party, direction: Direction): Judgement {
  const own = rule[party]?.[direction];
  const isHarmless = rule.effect === harmless[party][direction];
  const severity = own?.severity ?? (isHarmless ? "info" : "breaking");
  const advice = own?.advice ?? (severity === "info" ? "" : usualAdvice[party][direction]);
  return { severity, advice };
}

function schemaEntries(direction: Direction): [string, Rule][] {
  return Object.entries<SchemaRule>(schemaRules).map(([name, rule]) => [
    `${direction}-${name}`,
    { clients: judge(rule, "clients", direction), servers: judge(rule, "servers", direction) },
  ]);
}

/** Whether one of the changes breaks the party, by the rules that are built in. */
export function breaks(found: readonly { readonly rule: string }[], party: Party): boolean {
  return found.some(({ rule }) => rules.get(rule)?.[party].severity === "breaking");
}

/** Every rule that is built in, by its name; a contract's own extensions bring their own. */
export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...Object.entries(documentRules),
  ...directions.flatMap(schemaEntries),
]);
