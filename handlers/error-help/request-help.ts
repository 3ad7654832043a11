// Help for what is wrong with the form of a request, whatever it is about.

import type { SomeHelp } from "./entry.ts";

export const requestHelp = {
  invalid_json: {
    cause: "The body cannot be read as JSON, or a name stands twice in one object of it.",
    remedy: "Make the body with a JSON library, and send and sign the very same bytes.",
    again: "never",
  },
  invalid_request: {
    cause:
      "A part of the request breaks the contract: it is missing, unknown, of another type or out of its bounds.",
    remedy:
      "Repair every place in `details.violations`: `in` and `pointer` say where it is, `rule` and `message` what is asked of it.",
    again: "never",
  },
  missing_header: {
    cause:
      "A required header is missing: `X-Api-Key`, `X-Timestamp`, `X-Nonce`, `X-Signature`, or the `Idempotency-Key` of an operation that writes.",
    remedy: "Send the headers that `details.violations` names; the signature covers all of them.",
    again: "signed anew",
  },
  invalid_header: {
    cause:
      "A header stands twice, or has another form than the contract says, such as an `X-Nonce` of fewer than 16 characters.",
    remedy: "Send each header that `details.violations` names once, and in the contract's form.",
    again: "signed anew",
  },
  unknown_parameter: {
    cause: "The query has a parameter that the operation does not have.",
    remedy: "Leave out or respell the parameters that `details.violations` names.",
    again: "never",
  },
  invalid_limit: {
    cause: "`limit` is not an integer from 1 to 100.",
    remedy: "Send one that is, or leave `limit` out for 20.",
    again: "never",
  },
  invalid_cursor: {
    cause: "`cursor` is not one that this list has given out for these filters and this merchant.",
    remedy:
      "Send the `X-Next-Cursor` of the page before unchanged and with the same filters, or begin at the first page without a `cursor`.",
    again: "never",
  },
  webhook_url_not_allowed: {
    cause:
      "Webhooks are not sent to this `url`: it has to be absolute and https, with a public host name and port 443 or 8443, without user information and fragment.",
    remedy: "Give a URL without the problem that `details.violations` names.",
    again: "never",
  },
  unknown_event_type: {
    cause:
      "`event_types` names an event that does not exist, is empty, or has `*` beside other names.",
    remedy: "Give names of events as the contract spells them, or `*` alone for all of them.",
    again: "never",
  },
  not_found: {
    cause:
      "The path does not exist, or what its id names does not, or that belongs to another merchant or the other environment.",
    remedy:
      "Compare the path with the contract and the id with the answer that gave it, and use a key of the environment it was made in.",
    again: "never",
  },
  method_not_allowed: {
    cause: "The path exists, and does not have this method.",
    remedy: "Use one of the methods in the `Allow` header.",
    again: "never",
  },
  body_too_large: {
    cause: "The body is larger than 64 kB, or the `evidence` of a usage report larger than 16 kB.",
    remedy: "Send a smaller body; keep large evidence yourself, and send what identifies it.",
    again: "never",
  },
  unsupported_media_type: {
    cause: "The body is not `application/json`, or it is compressed.",
    remedy: "Send JSON as it is, with the `Content-Type` `application/json`.",
    again: "never",
  },
  headers_too_large: {
    cause: "The line of the request and its headers are larger than 16 kB together.",
    remedy: "Send fewer headers: look for cookies, and for what a proxy adds.",
    again: "never",
  },
  request_timeout: {
    cause: "The request did not arrive in time, so nothing was done.",
    remedy: "Send it again on a new connection, in one go.",
    again: "later",
  },
  not_implemented: {
    cause: "HTTP does not have this method, or the operation is described and not built yet.",
    remedy: "Use a method that the contract names for the path.",
    again: "never",
  },
} as const satisfies SomeHelp;
