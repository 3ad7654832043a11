// Rules for what a value may be. Each counts for requests and for responses: `request-bound-tightened` and
// `response-bound-tightened`. What it does to the set of values decides whom it breaks; where that alone does
// not decide it, or there is more to say than the usual, the rule says so itself.

import type { Direction, Judgement, Party } from "./judgement.ts";

/** What a change does to the set of values that are allowed. */
export type Effect = "narrows" | "widens" | "both";

type Own = Readonly<Partial<Record<Direction, Partial<Judgement>>>>;

export type SchemaRule = { readonly effect: Effect } & Readonly<Partial<Record<Party, Own>>>;

export const schemaRules = {
  "type-changed": { effect: "both" },
  "type-narrowed": { effect: "narrows" },
  "type-widened": { effect: "widens" },
  "became-nullable": {
    effect: "widens",
    clients: { response: { advice: "send a value, or make it a new field that may be null" } },
  },
  "no-longer-nullable": {
    effect: "narrows",
    clients: { request: { advice: "go on taking null, as if the field were left out" } },
  },
  "const-changed": { effect: "both" },
  "enum-value-removed": {
    effect: "narrows",
    clients: {
      request: { advice: "go on taking the value and deprecate it" },
      response: {
        severity: "breaking",
        advice:
          "leave the value in the list: clients branch on it, and it may only have a new name",
      },
    },
  },
  "enum-value-added": {
    effect: "widens",
    clients: {
      response: {
        severity: "warning",
        advice: "tell clients: those who do not expect new values must be ready for it",
      },
    },
  },
  "enum-added": { effect: "narrows" },
  "enum-removed": {
    effect: "widens",
    clients: { response: { advice: "keep the list and add the new values to it" } },
  },
  "format-added": { effect: "narrows" },
  "format-removed": { effect: "widens" },
  "format-narrowed": { effect: "narrows" },
  "format-widened": { effect: "widens" },
  "format-changed": { effect: "both" },
  "pattern-added": { effect: "narrows" },
  "pattern-removed": { effect: "widens" },
  "pattern-changed": { effect: "both" },
  "bound-tightened": {
    effect: "narrows",
    clients: { request: { advice: "keep the bound, or make it wider" } },
  },
  "bound-widened": {
    effect: "widens",
    clients: { response: { advice: "keep the bound, or make it tighter" } },
  },
  "property-added": {
    effect: "widens",
    clients: { response: { severity: "info" } },
    servers: {
      request: { advice: "do what it asks for: who does not know it ignores it or refuses it" },
      response: { severity: "info" },
    },
  },
  "required-property-added": {
    effect: "narrows",
    clients: { request: { advice: "make the property optional and say what holds without it" } },
    servers: {
      request: {
        severity: "breaking",
        advice: "do what it asks for: who does not know it ignores it or refuses it",
      },
      response: { advice: "send it always" },
    },
  },
  "property-removed": {
    effect: "both",
    clients: {
      request: { advice: "go on taking the property and deprecate it" },
      response: { advice: "go on sending the property and deprecate it" },
    },
    servers: {
      request: { severity: "info" },
      response: { severity: "warning", advice: "stop sending it: a closed schema forbids it" },
    },
  },
  "property-removed-after-sunset": {
    effect: "both",
    clients: { request: { severity: "info" }, response: { severity: "info" } },
    servers: {
      request: { severity: "warning", advice: "do without it, where it was required" },
      response: { severity: "warning", advice: "stop sending it: a closed schema forbids it" },
    },
  },
  "property-became-required": {
    effect: "narrows",
    clients: { request: { advice: "leave it optional and say what holds without it" } },
    servers: { response: { advice: "send it always" } },
  },
  "property-became-optional": {
    effect: "widens",
    clients: { response: { advice: "go on sending it always" } },
    servers: { request: { advice: "do without it" } },
  },
  "additional-properties-closed": {
    effect: "narrows",
    clients: { request: { advice: "go on taking properties that nobody knows" } },
    servers: { response: { advice: "send no properties but those that are named" } },
  },
  "additional-properties-opened": {
    effect: "widens",
    clients: {
      response: { severity: "warning", advice: "name the new properties in the contract" },
    },
    servers: { request: { advice: "take properties that nobody knows" } },
  },
  "variant-removed": {
    effect: "narrows",
    clients: {
      request: { advice: "go on taking the variant and deprecate it" },
      response: {
        severity: "warning",
        advice: "nothing is sent that clients do not know; make sure that none waits for it",
      },
    },
  },
  "variant-added": {
    effect: "widens",
    clients: { response: { advice: "send the new variant from a new field or operation" } },
  },
  "composition-changed": { effect: "both" },
  "discriminator-changed": { effect: "both" },
  "tuple-changed": { effect: "both" },
  "condition-added": { effect: "narrows" },
  "condition-removed": { effect: "widens" },
  "condition-changed": { effect: "both" },
  "xml-changed": { effect: "both" },
  "default-added": {
    effect: "both",
    clients: {
      request: { severity: "warning", advice: "make sure that it is what held before" },
      response: { severity: "info" },
    },
    servers: {
      request: { severity: "warning", advice: "make sure that it is what held before" },
      response: { severity: "info" },
    },
  },
  "default-changed": {
    effect: "both",
    clients: {
      request: {
        advice: "keep the default: whoever leaves the value out would get something else",
      },
      response: {
        severity: "warning",
        advice: "clients that fill in what is left out fill in something else now",
      },
    },
    servers: {
      request: { advice: "fill in the new default: whoever leaves the value out counts on it" },
      response: {
        severity: "warning",
        advice: "write the value where it was left out: clients fill in something else now",
      },
    },
  },
  "default-removed": {
    effect: "both",
    clients: {
      request: { advice: "keep the default: whoever leaves the value out relies on it" },
      response: {
        severity: "warning",
        advice: "clients that fill in what is left out have nothing to fill in now",
      },
    },
    servers: {
      request: { severity: "info" },
      response: {
        severity: "warning",
        advice: "write the value where it was left out: clients have nothing to fill in now",
      },
    },
  },
  "media-type-narrowed": {
    effect: "narrows",
    clients: { request: { advice: "go on taking the media types of the range" } },
    servers: { response: { advice: "send none but the media types that are left of the range" } },
  },
  "media-type-widened": {
    effect: "widens",
    clients: { response: { advice: "name the media types that are sent, each by itself" } },
    servers: { request: { advice: "take the other media types of the range" } },
  },
} as const satisfies Readonly<Record<string, SchemaRule>>;

export type SchemaRuleName = keyof typeof schemaRules;
