// What has to be refused before anything is written, for each operation. Most of it is broken twice: a
// server that misses the first fault has the second one to refuse it for.

import type { Operation } from "../../generator/suite/contract.ts";
import { listAt, textOf } from "../../generator/suite/json.ts";
import { contract } from "../../test/support/contract-document.ts";
import type { Change } from "../../test/support/contract-requests.ts";
import {
  emptyRequest,
  newName,
  randomHex,
  requiredMember,
  shownRequest,
  withHeaders,
} from "./requests.ts";
import type { Expected, Step } from "./step.ts";

/** One byte more than bodies may have: 64 kB, says the contract. */
const bodyBytesTooMany = 65_536 + 1;

/** @param usedNonce one that the key has used before */
export function refusals(usedNonce: string): readonly Step[] {
  return [
    ...contract.operations.flatMap((operation) => [
      ...strangers(operation, usedNonce),
      ...brokenHeaders(operation),
      ...brokenParts(operation),
      ...brokenBodies(operation),
      ...unknownThings(operation),
    ]),
    ...outsideOfOperations(),
  ];
}

type Told = Omit<Step, "operation" | "name" | "expected"> & { readonly code: string };

function step(operation: Operation, what: string, { code, ...told }: Told): Step {
  const status = statusOf(operation, code);
  return {
    name: `${operation.operationId}: ${what}`,
    operation,
    expected: [{ status, code }],
    ...told,
  };
}

/** Of the first status that has the code. */
function statusOf(operation: Operation, code: string): number {
  const statuses = [...operation.responses.keys()].filter((one) => one !== "default").map(Number);
  const all = [...statuses, ...operation.defaultStatuses].toSorted((one, other) => one - other);
  const found = all.find((status) => promisesCode(operation, { status, code }));
  if (found === undefined) throw new Error(`${operation.operationId} has no code ${code}`);
  return found;
}

export function promisesCode(operation: Operation, { status, code = "" }: Expected): boolean {
  const response = contract.responseFor(operation, status);
  return response !== undefined && listAt(response.node, "x-error-codes").includes(code);
}

function strangers(operation: Operation, usedNonce: string): readonly Step[] {
  const request = emptyRequest(operation);
  const seconds = (off: number): string => String(Math.floor(Date.now() / 1000) + off);
  const isKnown = false;
  return [
    step(operation, "a wrong signature", {
      code: "authentication_failed",
      request: withHeaders(request, { "X-Signature": randomHex(32) }),
      isKnown,
    }),
    step(operation, "a timestamp of an hour ago", {
      code: "timestamp_out_of_range",
      request: withHeaders(request, { "X-Timestamp": seconds(-3600) }),
      isKnown,
    }),
    step(operation, "a nonce that was used", {
      code: "nonce_reused",
      request: withHeaders(request, { "X-Nonce": usedNonce }),
      isKnown,
    }),
  ];
}

function brokenHeaders(operation: Operation): readonly Step[] {
  const { parameters } = operation;
  const hasKey = parameters.some(({ name }) => name === "Idempotency-Key");
  const needsKey = parameters.some(({ name, required }) => name === "Idempotency-Key" && required);
  const isKnown = false;
  const missing = (name: string): Step =>
    step(operation, `without ${name}`, {
      code: "missing_header",
      request: { ...emptyRequest(operation), absent: [name] },
      violation: `header /${name} required`,
      isKnown,
    });
  const broken = (name: string, value: string, rule: string): Step =>
    step(operation, `${name} ${rule}`, {
      code: "invalid_header",
      request: withHeaders(emptyRequest(operation), { [name]: value }),
      violation: `header /${name} ${rule}`,
      isKnown,
    });
  return [
    missing("X-Nonce"),
    broken("X-Nonce", "short", "pattern"),
    broken("X-Timestamp", "today", "pattern"),
    ...(needsKey ? [missing("Idempotency-Key")] : []),
    ...(hasKey ? [broken("Idempotency-Key", "k".repeat(129), "maxLength")] : []),
  ];
}

function brokenParts(operation: Operation): readonly Step[] {
  const invalid = (what: string, change: Change, violation: string): Step =>
    step(operation, what, {
      code: violation.startsWith("query /limit") ? "invalid_limit" : "invalid_request",
      request: emptyRequest(operation, change),
      violation,
    });
  const path = operation.parameters.find((one) => one.in === "path");
  const query = new Set(
    operation.parameters.filter((one) => one.in === "query").map(({ name }) => name),
  );
  const tooLong = path && { path: { [path.name]: "1".repeat(129) } };
  return [
    step(operation, "a query parameter that it does not know", {
      code: "unknown_parameter",
      request: emptyRequest(operation, { query: "contract_check=1" }),
      violation: "query /contract_check unknown",
    }),
    ...(path && tooLong
      ? [invalid("an identifier too long", tooLong, `path /${path.name} maxLength`)]
      : []),
    ...(query.has("status")
      ? [invalid("an unknown status", { query: "status=contract" }, "query /status enum")]
      : []),
    ...(query.has("limit")
      ? [
          invalid("a limit of 0", { query: "limit=0" }, "query /limit minimum"),
          invalid("a limit of 101", { query: "limit=101" }, "query /limit maximum"),
        ]
      : []),
    ...(query.has("cursor")
      ? [
          step(operation, "a cursor of nobody", {
            code: "invalid_cursor",
            request: emptyRequest(operation, { query: `cursor=${newName()}` }),
          }),
        ]
      : []),
  ];
}

function brokenBodies(operation: Operation): readonly Step[] {
  const json = { "Content-Type": "application/json" };
  const plain = shownRequest(operation);
  const tooLarge = step(operation, "a body of more than 64 kB", {
    code: "body_too_large",
    request: { ...withHeaders(plain, json), body: JSON.stringify("x".repeat(bodyBytesTooMany)) },
    isKnown: false,
  });
  if (operation.body === undefined) {
    const request = { ...withHeaders(plain, json), body: "{}" };
    const told = { code: "invalid_request", request, violation: "body  unexpected" };
    return [tooLarge, step(operation, "a body that it does not take", told)];
  }
  const member = requiredMember(operation);
  const code = "invalid_request";
  return [
    tooLarge,
    step(operation, "a body without its members", {
      code,
      request: emptyRequest(operation),
      violation: `body /${member} required`,
    }),
    step(operation, "a list in place of the body", {
      code,
      request: emptyRequest(operation, { body: [] }),
      violation: "body  type",
    }),
    step(operation, "a body that is cut", {
      code: "invalid_json",
      request: { ...plain, body: '{"contract":' },
      violation: "body  json",
    }),
    step(operation, "a body of text", {
      code: "unsupported_media_type",
      request: withHeaders(emptyRequest(operation), { "Content-Type": "text/plain" }),
    }),
  ];
}

/** Well formed, and about nothing that exists. */
function unknownThings(operation: Operation): readonly Step[] {
  const { operationId } = operation;
  const refused = (what: string, code: string, body: Change["body"]): Step =>
    step(operation, what, {
      code,
      request: shownRequest(operation, body === undefined ? {} : { body }),
    });
  const nowhere = { currency_id: "cur_contract_check", target_chain_id: "eip155:0" };
  switch (operationId) {
    case "createPayment":
      return [
        refused("a currency that does not exist", "currency_not_found", {
          merchant_order_no: newName(),
          quotes: { cur_contract_check: { amount: "0" } },
        }),
      ];
    case "requestWithdrawal":
      return [
        refused("a currency that does not exist", "currency_not_found", {
          ...nowhere,
          amount: "0",
          withdraw_address_id: "wad_contract_check",
        }),
      ];
    case "createPayoutSchedule":
      return [
        refused("a currency that does not exist", "currency_not_found", {
          ...nowhere,
          withdraw_address_id: "wad_contract_check",
          interval_secs: 1,
          min_send_amount: "0",
          mode: "notify_only",
        }),
      ];
    case "registerWithdrawAddress":
      return [
        refused("a chain that does not exist", "chain_not_accepted", {
          chain_id: "eip155:0",
          address: `0x${"0".repeat(40)}`,
        }),
      ];
    case "registerWebhookEndpoint":
    case "updateWebhookEndpoint":
      return [
        refused("a loopback address", "webhook_url_not_allowed", {
          url: "http://127.0.0.1/contract-check",
          event_types: ["contract.check"],
        }),
        ...(operationId === "updateWebhookEndpoint" ? [unknownThing(operation)] : []),
      ];
    default:
      return operation.path.includes("{") || operationId === "settleX402Payment"
        ? [unknownThing(operation)]
        : [];
  }
}

function unknownThing(operation: Operation): Step {
  const code = [404, 422].flatMap((status) =>
    ["not_found", "payment_not_found"].filter((one) =>
      promisesCode(operation, { status, code: one }),
    ),
  );
  return step(operation, "a thing that does not exist", {
    code: textOf(code[0]),
    request: shownRequest(operation),
  });
}

function outsideOfOperations(): readonly Step[] {
  const outside = (what: string, method: string, target: string): Omit<Step, "expected"> => ({
    name: `(the server): ${what}`,
    operation: undefined,
    request: { method, target },
    isKnown: false,
  });
  return [
    {
      ...outside("a path of nobody", "GET", `/v1/${newName()}`),
      expected: [{ status: 404, code: "not_found" }],
    },
    {
      ...outside("a method that the path has not", "DELETE", "/v1/payments"),
      expected: [{ status: 405, code: "method_not_allowed" }],
      check: ({ headers }) =>
        headers.get("Allow") === "POST"
          ? []
          : [`header Allow: is ${headers.get("Allow") ?? "missing"}`],
    },
  ];
}
