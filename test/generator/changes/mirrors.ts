// Rules in pairs: what is told of a change, and what is told of taking it back.

import type { Party } from "../../../generator/changes/judgement.ts";
import { rules } from "../../../generator/changes/rules.ts";

type Pair = readonly [there: string, back: string];

const ofSchemas: readonly Pair[] = [
  ["type-changed", "type-changed"],
  ["type-narrowed", "type-widened"],
  ["no-longer-nullable", "became-nullable"],
  ["const-changed", "const-changed"],
  ["enum-value-removed", "enum-value-added"],
  ["enum-added", "enum-removed"],
  ["format-added", "format-removed"],
  ["format-narrowed", "format-widened"],
  ["format-changed", "format-changed"],
  ["pattern-added", "pattern-removed"],
  ["pattern-changed", "pattern-changed"],
  ["bound-tightened", "bound-widened"],
  ["property-added", "property-removed"],
  ["property-became-required", "property-became-optional"],
  ["additional-properties-closed", "additional-properties-opened"],
  ["variant-removed", "variant-added"],
  ["composition-changed", "composition-changed"],
  ["discriminator-changed", "discriminator-changed"],
  ["tuple-changed", "tuple-changed"],
  ["condition-added", "condition-removed"],
  ["condition-changed", "condition-changed"],
  ["xml-changed", "xml-changed"],
  ["default-added", "default-removed"],
  ["default-changed", "default-changed"],
  ["media-type-narrowed", "media-type-widened"],
];

const ofDocuments: readonly Pair[] = [
  ["operation-added", "operation-removed"],
  ["operation-id-changed", "operation-id-changed"],
  ["operation-tag-changed", "operation-tag-changed"],
  ["path-parameter-renamed", "path-parameter-renamed"],
  ["webhook-added", "webhook-removed"],
  ["webhook-body-added", "webhook-body-removed"],
  ["webhook-body-became-required", "webhook-body-became-optional"],
  ["webhook-status-added", "webhook-status-removed"],
  ["webhook-security-added", "webhook-security-removed"],
  ["webhook-security-scheme-changed", "webhook-security-scheme-changed"],
  ["webhook-security-scheme-widened", "webhook-security-scheme-changed"],
  ["request-parameter-added", "request-parameter-removed"],
  ["request-required-parameter-added", "request-required-parameter-removed"],
  ["request-parameter-became-required", "request-parameter-became-optional"],
  ["request-parameter-style-changed", "request-parameter-style-changed"],
  ["request-required-property-added", "request-required-property-removed"],
  ["response-required-property-added", "response-property-removed"],
  ["request-body-added", "request-body-removed"],
  ["request-required-body-added", "request-required-body-removed"],
  ["request-body-became-required", "request-body-became-optional"],
  ["request-media-type-added", "request-media-type-removed"],
  ["request-encoding-changed", "request-encoding-changed"],
  ["response-media-type-added", "response-media-type-removed"],
  ["response-encoding-changed", "response-encoding-changed"],
  ["response-success-status-added", "response-status-removed"],
  ["response-error-status-added", "response-status-removed"],
  ["response-header-added", "response-header-removed"],
  ["response-required-header-added", "response-header-removed"],
  ["response-header-became-required", "response-header-became-optional"],
  ["security-narrowed", "security-widened"],
  ["security-scheme-changed", "security-scheme-changed"],
  ["security-scheme-widened", "security-scheme-changed"],
  ["server-added", "server-removed"],
  ["server-changed", "server-changed"],
];

/** Of time and of what is only told: no change takes them back. */
export const ofTime: readonly string[] = [
  "operation-removed-after-sunset",
  "webhook-removed-after-sunset",
  "request-parameter-removed-after-sunset",
  "request-property-removed-after-sunset",
  "response-property-removed-after-sunset",
  "deprecated",
  "deprecated-without-sunset",
  "sunset-too-soon",
  "sunset-moved-earlier",
  "version-lowered",
  "version-raised-too-little",
  "response-link-removed",
];

export const pairs: readonly Pair[] = [
  ...ofDocuments,
  ...["request", "response"].flatMap((direction) =>
    ofSchemas.map(([there, back]): Pair => [`${direction}-${there}`, `${direction}-${back}`]),
  ),
];

/** Where what breaks clients there does not break servers back, or the other way round, and why. */
export const uneven: Readonly<Record<string, string>> = {
  "operation-id-changed, operation-id-changed": "only names in code: a break of client libraries",
  "webhook-added, webhook-removed":
    "clients were told to expect events; a server sends what is gone",
  "webhook-body-added, webhook-body-removed": "a body that is new is no harm; one that is gone is",
  "response-media-type-added, response-media-type-removed":
    "clients get it only if they ask for it",
  "response-media-type-removed, response-media-type-added": "a server may lack what few ask for",
  "response-status-removed, response-success-status-added": "no server has to use every status",
  "response-status-removed, response-error-status-added": "no server has to use every status",
  "response-error-status-added, response-status-removed": "clients take a status for its class",
  "response-header-removed, response-header-added": "nobody misses an optional header that is new",
  "security-widened, security-narrowed": "an open door breaks whoever keeps it",
  "security-scheme-widened, security-scheme-changed": "clients need not use every flow",
  "webhook-security-scheme-changed, webhook-security-scheme-widened":
    "servers need not use every flow",
  "server-removed, server-added": "that somebody answers at an address is not the program's",
  "server-changed, server-changed": "that somebody answers at an address is not the program's",
  "request-default-removed, request-default-added": "what held before may well be the default",
  "response-enum-value-removed, response-enum-value-added": "what is gone breaks clients",
  "response-enum-value-added, response-enum-value-removed": "clients were told to expect values",
  "response-property-removed, response-property-added": "what is gone breaks clients",
  "response-additional-properties-opened, response-additional-properties-closed":
    "clients were told to expect properties",
};

/** Whether the rule breaks the party; the table is asked, not the test. */
export function breaks(rule: string, party: Party): boolean {
  const found = rules.get(rule);
  if (found === undefined) throw new Error(`there is no rule ${rule}`);
  return found[party].severity === "breaking";
}
