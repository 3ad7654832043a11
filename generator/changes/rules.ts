// What may change between two revisions of a contract, how bad that is for its clients, and what to do
// instead. A request must never be narrowed, a response never be widened: that decides most of it.
//
// Our choice: a new enum value in a response, a new error status and a new webhook are warnings, as a
// client of a contract that only adds must live with what it does not know. What is gone is breaking,
// also where a response merely says less: a client may wait for it, and a name that was changed looks
// just like that. What cannot be judged, such as one pattern in place of another, is breaking.

export type Severity = "breaking" | "warning" | "info";

/** `request`: what clients send; `response`: what they get. A webhook's body is a response of ours. */
export type Direction = "request" | "response";

interface Rule {
  readonly severity: Severity;
  /** what to do instead; of what harms nobody, what it means */
  readonly advice: string;
}

/** What a change of a schema does to the set of values that it allows. */
type Effect = "narrows" | "widens" | "both";

interface SchemaRule {
  readonly effect: Effect;
  /** where the effect alone does not decide it */
  readonly severities?: Readonly<Partial<Record<Direction, Severity>>>;
  readonly advice: Readonly<Record<Direction, string>>;
}

const keepTaking = "go on taking what was taken; ask for the new form in a new field or operation";
const keepSending = "go on sending what was promised; say the new in a new field or operation";
const both = { request: keepTaking, response: keepSending };

export const schemaRules = {
  "type-changed": { effect: "both", advice: both },
  "type-narrowed": { effect: "narrows", advice: both },
  "type-widened": { effect: "widens", advice: both },
  "became-nullable": {
    effect: "widens",
    advice: {
      request: keepTaking,
      response: "send a value, or make it a new field that may be null",
    },
  },
  "no-longer-nullable": {
    effect: "narrows",
    advice: { request: "go on taking null, as if the field were left out", response: keepSending },
  },
  "const-changed": { effect: "both", advice: both },
  "enum-value-removed": {
    effect: "narrows",
    severities: { response: "breaking" },
    advice: {
      request: "go on taking the value and deprecate it",
      response:
        "leave the value in the list: clients branch on it, and it may only have a new name",
    },
  },
  "enum-value-added": {
    effect: "widens",
    severities: { response: "warning" },
    advice: {
      request: keepTaking,
      response: "tell clients: those who do not expect new values must be ready for it",
    },
  },
  "enum-added": { effect: "narrows", advice: both },
  "enum-removed": {
    effect: "widens",
    advice: { request: keepTaking, response: "keep the list and add the new values to it" },
  },
  "format-added": { effect: "narrows", advice: both },
  "format-removed": { effect: "widens", advice: both },
  "format-narrowed": { effect: "narrows", advice: both },
  "format-widened": { effect: "widens", advice: both },
  "format-changed": { effect: "both", advice: both },
  "pattern-added": { effect: "narrows", advice: both },
  "pattern-removed": { effect: "widens", advice: both },
  "pattern-changed": { effect: "both", advice: both },
  "bound-tightened": {
    effect: "narrows",
    advice: { request: "keep the bound, or make it wider", response: keepSending },
  },
  "bound-widened": {
    effect: "widens",
    advice: { request: keepTaking, response: "keep the bound, or make it tighter" },
  },
  "property-added": { effect: "widens", severities: { response: "info" }, advice: both },
  "required-property-added": {
    effect: "narrows",
    advice: { request: "make the property optional and say what holds without it", response: "" },
  },
  "property-removed": {
    effect: "both",
    advice: {
      request: "go on taking the property and deprecate it",
      response: "go on sending the property and deprecate it",
    },
  },
  "property-became-required": {
    effect: "narrows",
    advice: { request: "leave it optional and say what holds without it", response: "" },
  },
  "property-became-optional": {
    effect: "widens",
    advice: { request: "", response: "go on sending it always" },
  },
  "additional-properties-closed": {
    effect: "narrows",
    advice: { request: "go on taking properties that nobody knows", response: "" },
  },
  "additional-properties-opened": {
    effect: "widens",
    severities: { response: "warning" },
    advice: { request: "", response: "name the new properties in the contract" },
  },
  "variant-removed": {
    effect: "narrows",
    severities: { response: "warning" },
    advice: {
      request: "go on taking the variant and deprecate it",
      response: "nothing is sent that clients do not know; make sure that none waits for it",
    },
  },
  "variant-added": {
    effect: "widens",
    advice: { request: "", response: "send the new variant from a new field or operation" },
  },
  "composition-changed": { effect: "both", advice: both },
  "discriminator-changed": { effect: "both", advice: both },
  "tuple-changed": { effect: "both", advice: both },
  "condition-added": { effect: "narrows", advice: both },
  "condition-removed": { effect: "widens", advice: both },
  "condition-changed": { effect: "both", advice: both },
  "xml-changed": { effect: "both", advice: both },
  "default-added": {
    effect: "both",
    severities: { request: "warning", response: "info" },
    advice: { request: "make sure that it is what held before", response: "" },
  },
  "default-changed": {
    effect: "both",
    severities: { response: "warning" },
    advice: {
      request: "keep the default: whoever leaves the value out would get something else",
      response: "clients that fill in what is left out fill in something else now",
    },
  },
  "default-removed": {
    effect: "both",
    severities: { response: "warning" },
    advice: {
      request: "keep the default: whoever leaves the value out relies on it",
      response: "clients that fill in what is left out have nothing to fill in now",
    },
  },
} as const satisfies Readonly<Record<string, SchemaRule>>;

export type SchemaRuleName = keyof typeof schemaRules;

const documentRules = {
  "operation-removed": {
    severity: "breaking",
    advice: "deprecate it with a date in x-sunset, and remove it after that date",
  },
  "operation-removed-after-sunset": { severity: "info", advice: "" },
  "operation-added": { severity: "info", advice: "" },
  "operation-id-changed": {
    severity: "breaking",
    advice: "keep the operationId: generated clients name their functions after it",
  },
  "operation-tag-changed": {
    severity: "warning",
    advice: "generated clients group their functions by the first tag: tell their users",
  },
  "path-parameter-renamed": {
    severity: "warning",
    advice: "generated clients name their arguments after it: tell their users",
  },
  deprecated: { severity: "info", advice: "" },
  "deprecated-without-sunset": {
    severity: "warning",
    advice: "say in x-sunset on which day it ends (2030-01-31)",
  },
  "sunset-too-soon": {
    severity: "breaking",
    advice: "leave clients the notice that they were promised",
  },
  "sunset-moved-earlier": { severity: "breaking", advice: "keep the day that clients were told" },
  "webhook-removed": {
    severity: "breaking",
    advice: "go on sending the event and deprecate it",
  },
  "webhook-added": {
    severity: "warning",
    advice: "tell clients: those who take every event must let it pass",
  },
  "webhook-body-removed": { severity: "breaking", advice: keepSending },
  "webhook-status-removed": {
    severity: "breaking",
    advice: "go on taking the status from those who receive the webhook",
  },
  "webhook-status-added": { severity: "info", advice: "" },
  "request-parameter-removed": {
    severity: "breaking",
    advice: "go on taking the parameter and deprecate it",
  },
  "request-parameter-added": { severity: "info", advice: "" },
  "request-required-parameter-added": {
    severity: "breaking",
    advice: "make the parameter optional and say what holds without it",
  },
  "request-parameter-became-required": {
    severity: "breaking",
    advice: "leave it optional and say what holds without it",
  },
  "request-parameter-became-optional": { severity: "info", advice: "" },
  "request-parameter-style-changed": {
    severity: "breaking",
    advice: "take the new way of writing in a parameter of another name",
  },
  "request-body-removed": { severity: "breaking", advice: "go on taking a body" },
  "request-body-added": { severity: "info", advice: "" },
  "request-required-body-added": { severity: "breaking", advice: "make the body optional" },
  "request-body-became-required": { severity: "breaking", advice: "leave the body optional" },
  "request-body-became-optional": { severity: "info", advice: "" },
  "request-media-type-removed": { severity: "breaking", advice: "go on taking the media type" },
  "request-media-type-added": { severity: "info", advice: "" },
  "request-encoding-changed": { severity: "breaking", advice: keepTaking },
  "response-media-type-removed": { severity: "breaking", advice: "go on sending the media type" },
  "response-media-type-added": { severity: "info", advice: "" },
  "response-encoding-changed": { severity: "breaking", advice: keepSending },
  "response-status-removed": {
    severity: "breaking",
    advice: "leave the status: clients branch on it, and what it said may come as another one now",
  },
  "response-success-status-added": {
    severity: "breaking",
    advice: "answer with the status that clients wait for",
  },
  "response-error-status-added": {
    severity: "warning",
    advice: "tell clients: those who do not know the status take it for its class",
  },
  "response-header-removed": { severity: "breaking", advice: "go on sending the header" },
  "response-header-added": { severity: "info", advice: "" },
  "response-header-became-optional": { severity: "breaking", advice: "go on sending it always" },
  "response-header-became-required": { severity: "info", advice: "" },
  "response-link-removed": {
    severity: "warning",
    advice: "tools that follow links lose a way; nothing else on the wire changes",
  },
  "security-narrowed": {
    severity: "breaking",
    advice: "go on taking the credentials and scopes that were enough",
  },
  "security-widened": { severity: "info", advice: "" },
  "security-scheme-changed": {
    severity: "breaking",
    advice: "add a scheme of another name beside it",
  },
  "server-removed": { severity: "breaking", advice: "go on serving the address that clients have" },
  "server-changed": { severity: "breaking", advice: "keep the values of its variables" },
  "server-added": { severity: "info", advice: "" },
} as const satisfies Readonly<Record<string, Rule>>;

export type DocumentRuleName = keyof typeof documentRules;

function severityOf(effect: Effect, direction: Direction): Severity {
  if (effect === "both") return "breaking";
  return (effect === "narrows") === (direction === "request") ? "breaking" : "info";
}

function schemaEntries(direction: Direction): [string, Rule][] {
  return Object.entries<SchemaRule>(schemaRules).map(([name, { effect, severities, advice }]) => [
    `${direction}-${name}`,
    {
      severity: severities?.[direction] ?? severityOf(effect, direction),
      advice: advice[direction],
    },
  ]);
}

/** Every rule that is built in, by its name; a contract's own extensions bring their own. */
export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...Object.entries(documentRules),
  ...schemaEntries("request"),
  ...schemaEntries("response"),
]);
