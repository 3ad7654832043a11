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
      clients: {
        severity: "breaking",
        advice:
          "leave the code: clients branch on it, and what it said may come as another one now",
      },
      servers: { severity: "breaking", advice: "send none but the codes that are left" },
    },
    added: {
      id: "error-code-added",
      clients: {
        severity: "warning",
        advice: "tell clients: those who do not know the code take it for its status",
      },
      servers: { severity: "info", advice: "" },
    },
  },
  {
    name: "x-known-values",
    on: "Schema",
    form: "list",
    removed: {
      id: "known-value-removed",
      clients: {
        severity: "breaking",
        advice: "leave the value: clients wait for it, and it may only have a new name",
      },
      servers: { severity: "breaking", advice: "send none but the values that are left" },
    },
    added: {
      id: "known-value-added",
      clients: {
        severity: "warning",
        advice: "tell clients: those who do not expect new values must be ready for it",
      },
      servers: { severity: "info", advice: "" },
    },
  },
  {
    name: "x-emitted-events",
    on: "Operation",
    form: "list",
    removed: {
      id: "emitted-event-removed",
      clients: {
        severity: "breaking",
        advice: "go on sending the event: a client may wait for it",
      },
      servers: {
        severity: "breaking",
        advice: "stop sending the event: nobody is told any more what it is",
      },
    },
    added: {
      id: "emitted-event-added",
      clients: {
        severity: "warning",
        advice: "tell clients: those who take every event must let it pass",
      },
      servers: {
        severity: "breaking",
        advice: "send the event where it happens: clients wait for it",
      },
    },
  },
  {
    name: "x-required-scope",
    on: "Operation",
    form: "value",
    removed: {
      id: "required-scope-changed",
      clients: {
        severity: "breaking",
        advice: "go on taking the scope: keys that have it are in use",
      },
      servers: { severity: "breaking", advice: "ask for the scope that is named now" },
    },
    added: {
      id: "required-scope-changed",
      clients: { severity: "breaking", advice: "" },
      servers: { severity: "breaking", advice: "ask for the scope that is named now" },
    },
  },
  {
    name: "x-rate-limit-policy",
    on: "Operation",
    form: { order: ["money", "write", "read"] },
    removed: {
      id: "rate-limit-lowered",
      clients: { severity: "breaking", advice: "keep the bucket: clients pace themselves by it" },
      servers: { severity: "info", advice: "" },
    },
    added: {
      id: "rate-limit-raised",
      clients: { severity: "info", advice: "" },
      servers: { severity: "breaking", advice: "pace clients by the bucket that is promised now" },
    },
  },
];
