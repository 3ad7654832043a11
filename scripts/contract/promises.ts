// What our contract promises in extensions of its own, and what a change of it means to clients. They are
// told apart by list, by value, and by an order from less to more.

import type { Extension } from "../../generator/changes/found.ts";

/** "A deprecated operation announces itself 12 months ahead", says the contract. */
export const noticeMonths = 12;

export const extensions: readonly Extension[] = [
  {
    name: "x-error-codes",
    on: "Response",
    form: "list",
    removed: {
      id: "error-code-removed",
      severity: "breaking",
      advice: "leave the code: clients branch on it, and what it said may come as another one now",
    },
    added: {
      id: "error-code-added",
      severity: "warning",
      advice: "tell clients: those who do not know the code take it for its status",
    },
  },
  {
    name: "x-known-values",
    on: "Schema",
    form: "list",
    removed: {
      id: "known-value-removed",
      severity: "breaking",
      advice: "leave the value: clients wait for it, and it may only have a new name",
    },
    added: {
      id: "known-value-added",
      severity: "warning",
      advice: "tell clients: those who do not expect new values must be ready for it",
    },
  },
  {
    name: "x-emitted-events",
    on: "Operation",
    form: "list",
    removed: {
      id: "emitted-event-removed",
      severity: "breaking",
      advice: "go on sending the event: a client may wait for it",
    },
    added: {
      id: "emitted-event-added",
      severity: "warning",
      advice: "tell clients: those who take every event must let it pass",
    },
  },
  {
    name: "x-required-scope",
    on: "Operation",
    form: "value",
    removed: {
      id: "required-scope-changed",
      severity: "breaking",
      advice: "go on taking the scope: keys that have it are in use",
    },
    added: { id: "required-scope-changed", severity: "breaking", advice: "" },
  },
  {
    name: "x-rate-limit-policy",
    on: "Operation",
    form: { order: ["money", "write", "read"] },
    removed: {
      id: "rate-limit-lowered",
      severity: "breaking",
      advice: "keep the bucket: clients pace themselves by it",
    },
    added: { id: "rate-limit-raised", severity: "info", advice: "" },
  },
];
