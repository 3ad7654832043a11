// Rules for everything around values: operations, parameters, bodies, statuses, headers, security, addresses. Each
// says how bad it is for clients of the older revision, how bad for servers of it, and what they do.

import type { Judgement, Rule, Severity } from "./judgement.ts";

type Said = readonly [severity: Exclude<Severity, "info">, advice: string];

const judgement = (said: Said | "info"): Judgement =>
  said === "info" ? { severity: "info", advice: "" } : { severity: said[0], advice: said[1] };

const rule = (clients: Said | "info", servers: Said | "info"): Rule => ({
  clients: judgement(clients),
  servers: judgement(servers),
});

const breaking = (advice: string): Said => ["breaking", advice];
const warning = (advice: string): Said => ["warning", advice];

const operations = {
  "operation-removed": rule(
    breaking("deprecate it with a date in x-sunset, and remove it after that date"),
    "info",
  ),
  "operation-removed-after-sunset": rule("info", "info"),
  "operation-added": rule("info", breaking("write it before clients are told of it")),
  "operation-id-changed": rule(
    breaking("keep the operationId: generated clients name their functions after it"),
    warning("generated servers name their handlers after it: rename them"),
  ),
  "operation-tag-changed": rule(
    warning("generated clients group their functions by the first tag: tell their users"),
    warning("generated servers group their handlers by the first tag: move them"),
  ),
  "path-parameter-renamed": rule(
    warning("generated clients name their arguments after it: tell their users"),
    warning("generated servers hand it over by its name: read the new one"),
  ),
  deprecated: rule("info", "info"),
  "deprecated-without-sunset": rule(
    warning("say in x-sunset on which day it ends (2030-01-31)"),
    "info",
  ),
  "sunset-too-soon": rule(breaking("leave clients the notice that they were promised"), "info"),
  "sunset-moved-earlier": rule(breaking("keep the day that clients were told"), "info"),
} as const;

const webhooks = {
  "webhook-removed": rule(
    breaking("go on sending the event and deprecate it"),
    breaking("stop sending it: nobody is told any more what it is"),
  ),
  "webhook-removed-after-sunset": rule("info", breaking("stop sending it: its day is over")),
  "webhook-added": rule(
    warning("tell clients: those who take every event must let it pass"),
    breaking("send it where it happens: clients wait for it"),
  ),
  "webhook-body-removed": rule(
    breaking("go on sending the body that was promised"),
    breaking("send no body: nobody is told any more what it says"),
  ),
  "webhook-body-added": rule("info", breaking("send the body that is promised now")),
  "webhook-body-became-optional": rule(breaking("go on sending a body always"), "info"),
  "webhook-body-became-required": rule("info", breaking("send a body always")),
  "webhook-status-removed": rule(
    breaking("go on taking the status from those who receive the webhook"),
    "info",
  ),
  "webhook-status-added": rule("info", breaking("take the status as what it says")),
  "webhook-security-removed": rule("info", breaking("send what whoever receives it asks for now")),
  "webhook-security-added": rule(
    breaking("go on sending the credentials that were promised"),
    "info",
  ),
  "webhook-security-scheme-changed": rule(
    breaking("go on sending what was promised, and the new by a scheme of another name"),
    breaking("send credentials as they are said now"),
  ),
  "webhook-security-scheme-widened": rule(
    breaking("go on sending tokens of the flows that were promised"),
    "info",
  ),
} as const;

const requests = {
  "request-parameter-removed": rule(
    breaking("go on taking the parameter and deprecate it"),
    "info",
  ),
  "request-required-parameter-removed": rule(
    breaking("go on taking the parameter and deprecate it"),
    breaking("do without it: nobody sends it any more"),
  ),
  "request-parameter-removed-after-sunset": rule(
    "info",
    warning("do without it, where it was required"),
  ),
  "request-parameter-added": rule(
    "info",
    breaking("do what it asks for: who does not know it ignores it or refuses it"),
  ),
  "request-required-parameter-added": rule(
    breaking("make the parameter optional and say what holds without it"),
    breaking("do what it asks for: who does not know it ignores it or refuses it"),
  ),
  "request-parameter-became-required": rule(
    breaking("leave it optional and say what holds without it"),
    "info",
  ),
  "request-parameter-became-optional": rule("info", breaking("do without it")),
  "request-parameter-style-changed": rule(
    breaking("take the new way of writing in a parameter of another name"),
    breaking("read it as it is written now"),
  ),
  // in a request, where it had to be sent
  "request-required-property-removed": rule(
    breaking("go on taking the property and deprecate it"),
    breaking("do without it: nobody sends it any more"),
  ),
  "request-body-removed": rule(breaking("go on taking a body"), "info"),
  "request-required-body-removed": rule(
    breaking("go on taking a body"),
    breaking("do without it: nobody sends it any more"),
  ),
  "request-body-added": rule("info", breaking("read the body")),
  "request-required-body-added": rule(
    breaking("make the body optional"),
    breaking("read the body"),
  ),
  "request-body-became-required": rule(breaking("leave the body optional"), "info"),
  "request-body-became-optional": rule("info", breaking("do without the body")),
  "request-media-type-removed": rule(breaking("go on taking the media type"), "info"),
  "request-media-type-added": rule("info", breaking("take the media type")),
  "request-encoding-changed": rule(
    breaking("go on taking what was taken; take the new form as another media type"),
    breaking("read it as it is written now"),
  ),
} as const;

const responses = {
  "response-media-type-removed": rule(
    breaking("go on sending the media type"),
    breaking("send none but the media types that are left"),
  ),
  "response-media-type-added": rule("info", warning("send it to those who ask for it by Accept")),
  "response-encoding-changed": rule(
    breaking("go on sending what was promised; send the new form as another media type"),
    breaking("write it as it is written now"),
  ),
  "response-status-removed": rule(
    breaking(
      "leave the status: clients branch on it, and what it said may come as another one now",
    ),
    breaking("answer with none but the statuses that are left"),
  ),
  "response-success-status-added": rule(
    breaking("answer with the status that clients wait for"),
    "info",
  ),
  "response-error-status-added": rule(
    warning("tell clients: those who do not know the status take it for its class"),
    "info",
  ),
  "response-header-removed": rule(breaking("go on sending the header"), "info"),
  "response-header-added": rule("info", "info"),
  "response-required-header-added": rule("info", breaking("send the header always")),
  "response-header-became-optional": rule(breaking("go on sending it always"), "info"),
  "response-header-became-required": rule("info", breaking("send the header always")),
  "response-link-removed": rule(
    warning("tools that follow links lose a way; nothing else on the wire changes"),
    "info",
  ),
} as const;

const access = {
  "security-narrowed": rule(
    breaking("go on taking the credentials and scopes that were enough"),
    breaking("let in nobody by what is not enough any more"),
  ),
  "security-widened": rule("info", breaking("let in whoever has what is enough now")),
  "security-scheme-changed": rule(
    breaking("add a scheme of another name beside it"),
    breaking("take credentials as they are sent now"),
  ),
  "security-scheme-widened": rule("info", breaking("take credentials of the new flow")),
  "server-removed": rule(breaking("go on serving the address that clients have"), "info"),
  "server-changed": rule(breaking("keep the values of its variables"), "info"),
  "server-added": rule("info", warning("make sure that somebody answers at the address")),
  "version-lowered": rule(
    warning("raise info.version: clients take a lower one for an older contract"),
    "info",
  ),
  "version-raised-too-little": rule(
    warning("raise the first number of info.version that is not 0: this breaks clients"),
    "info",
  ),
} as const;

/** In the order that they are read about. */
export const documentGroups = { operations, webhooks, requests, responses, access };

export const documentRules = {
  ...operations,
  ...webhooks,
  ...requests,
  ...responses,
  ...access,
} satisfies Readonly<Record<string, Rule>>;

export type DocumentRuleName = keyof typeof documentRules;
