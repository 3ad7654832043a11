// Faults that a release may bring, each planted into the answers on their way, and what has to be said of it.

import { type JsonObject, objectAt } from "../../generator/suite/json.ts";
import {
  acceptance,
  answersTo,
  bodyBy,
  deliveries,
  detail,
  dropped,
  everywhere,
  far,
  firstItem,
  header,
  hourAgo,
  items,
  lists,
  member,
  pages,
  planted,
  schedules,
  singles,
  withCode,
  without,
  withStatus,
  type PlantedFault,
} from "./planting.ts";

const headerFaults: readonly PlantedFault[] = [
  planted(
    "no X-Request-Id",
    [withStatus(200), dropped("X-Request-Id")],
    [/ 200$/, /^header X-Request-Id: is missing/],
  ),
  planted(
    "no X-Request-Id where a path is unknown",
    [answersTo(/^GET \/v1\/contract-/), dropped("X-Request-Id")],
    [/server\) 404/, /header X-Request-Id: is missing/],
  ),
  planted(
    "one X-Request-Id for all",
    [withStatus(200), header("X-Request-Id", "req_01KDVDNA00S5AA819X9YP98106")],
    [/ 200$/, /X-Request-Id: is that of another answer/],
  ),
  planted(
    "another X-Request-Id than the body's",
    [withStatus(404), header("X-Request-Id", "req_01KDVDNA00S5AA819X9YP98106")],
    [/ 404 /, /request_id: is not X-Request-Id/],
  ),
  planted(
    "no RateLimit of a read",
    [withStatus(200), dropped("RateLimit")],
    [/ 200$/, /^header RateLimit: is missing/],
  ),
  planted(
    "no RateLimit of a refused body",
    [withCode("invalid_json"), dropped("RateLimit")],
    [/ 400 invalid_json/, /header RateLimit: is missing, and the caller is known/],
  ),
  planted(
    "the bucket of another operation",
    [acceptance, header("RateLimit-Policy", '"read";q=600;w=60')],
    [/replaceCurrencyAcceptance/, /RateLimit-Policy: is "read" in place of "write"/],
  ),
  planted(
    "a window of an hour",
    [deliveries, header("RateLimit-Policy", '"read";q=600;w=3600')],
    [/listWebhookDeliveries 200/, /RateLimit-Policy/],
  ),
  planted(
    "more left than there is",
    [deliveries, header("RateLimit", '"read";r=999999999;t=1')],
    [/listWebhookDeliveries 200/, /leaves 999999999 of/],
  ),
  planted("no Vary", [withStatus(422), dropped("Vary")], [/ 422 /, /header Vary: is missing/]),
  planted(
    "a read that is kept by nobody",
    [singles, header("Cache-Control", "private, no-store")],
    [/getCurrency 200/, /Cache-Control/],
  ),
  planted(
    "a refusal of a read that is kept by nobody",
    [answersTo(/^GET .*limit=101/), header("Cache-Control", "private, no-store")],
    [/ 400 invalid_limit/, /Cache-Control: is "private, no-store" in place of "private, no-cache"/],
  ),
  planted(
    "no WWW-Authenticate",
    [withStatus(401), dropped("WWW-Authenticate")],
    [/ 401 /, /WWW-Authenticate: is missing/],
  ),
  planted(
    "no help with an error",
    [withStatus(404), dropped("Link")],
    [/ 404 /, /header Link: is missing/],
  ),
  planted(
    "help with another error",
    [withStatus(401), header("Link", '</docs/errors#not_found>; rel="help"')],
    [/ 401 /, /header Link: is .*errors#not_found/],
  ),
  planted(
    "a rate for strangers",
    [withStatus(401), header("RateLimit", '"read";r=1;t=1')],
    [/ 401 /, /header ratelimit: is not in the document/],
  ),
  planted("no ETag", [singles, dropped("ETag")], [/getCurrency 200/, /ETag: is missing/]),
  planted(
    "the tag of the other environment",
    [lists, header("ETag", '"1-live"')],
    [/listCurrencies 200/, /ETag: is "1-live"/],
  ),
  planted(
    "another tag with 304",
    [withStatus(304), header("ETag", '"7-test"')],
    [/ 304$/, /ETag: is "7-test"/],
  ),
  planted("no Allow", [withStatus(405), dropped("Allow")], [/ 405 /, /Allow: is missing/]),
  planted(
    "another Allow",
    [withStatus(405), header("Allow", "GET, POST")],
    [/ 405 /, /Allow: is GET, POST/],
  ),
  planted(
    "a Date of an hour ago",
    [deliveries, (passing) => header("Date", hourAgo().toUTCString())(passing)],
    [/listWebhookDeliveries 200/, /Date: is \d+ s behind/],
  ),
  planted(
    "no Date",
    [deliveries, dropped("Date")],
    [/listWebhookDeliveries 200/, /Date: is missing/],
  ),
  planted(
    "a Date that is none",
    [deliveries, header("Date", "today")],
    [/listWebhookDeliveries 200/, /Date: is no date/],
  ),
  planted(
    "a header of the framework",
    [everywhere, header("X-Powered-By", "x")],
    [/ 200$/, /x-powered-by: is not in the document/],
  ),
  planted(
    "a media type with parameters",
    [deliveries, header("Content-Type", "application/json; charset=utf-8")],
    [/listWebhookDeliveries 200/, /Content-Type/],
  ),
  planted(
    "text in place of JSON",
    [withStatus(404), header("Content-Type", "text/plain")],
    [/ 404 /, /Content-Type: is text\/plain/],
  ),
  planted(
    "Retry-After without a reason",
    [withStatus(404), header("Retry-After", "5")],
    [/ 404 /, /retry-after/i],
  ),
];

const pageFaults: readonly PlantedFault[] = [
  planted(
    "pages without a link",
    [pages, dropped("Link")],
    [/listCurrencies 200/, /Link: is missing/],
  ),
  planted(
    "pages without a cursor",
    [pages, dropped("X-Next-Cursor")],
    [/listCurrencies 200/, /X-Next-Cursor: is missing/],
  ),
  planted(
    "a list that ends early",
    [
      pages,
      (passing) => ({
        headers: passing.headers.filter(([name]) => !/^(?:link|x-next-cursor)$/i.test(name)),
      }),
    ],
    [/listCurrencies 200/, /page by page it has/],
  ),
  planted(
    "a link to another page than the cursor's",
    [pages, header("X-Next-Cursor", "other")],
    [/listCurrencies 200/, /another cursor/],
  ),
  planted(
    "a link that has lost the limit",
    [
      pages,
      ({ headers }) => ({
        headers: headers.map(([name, value]) => [
          name,
          name === "Link" ? value.replace(/&?limit=\d+&?/, "") : value,
        ]),
      }),
    ],
    [/listCurrencies 200/, /has lost limit=/],
  ),
  planted(
    "one entry less",
    [pages, items("currencies", (list) => list.slice(1))],
    [/listCurrencies 200/, /has \d of \d entries/],
  ),
  planted(
    "one entry twice",
    [lists, items("currencies", (list) => [...list, ...list.slice(-1)])],
    [/listCurrencies 200/, /twice/],
  ),
  planted(
    "another order",
    [lists, items("currencies", (list) => list.toReversed())],
    [/listCurrencies 200/, /stands before/],
  ),
  planted(
    "oldest first",
    [schedules, items("schedules", (list) => list.toReversed())],
    [/listPayoutSchedules 200/, /stands before/],
  ),
  planted(
    "a filter that nobody applies",
    [answersTo(/status=paused/, 200), () => ({ body: '{"schedules":[]}' })],
    [/listPayoutSchedules 200/, /and all of them are/],
  ),
];

const bodyFaults: readonly PlantedFault[] = [
  planted(
    "a member dropped",
    [lists, items("currencies", ([first, ...rest]) => [without(first, "symbol"), ...rest])],
    [/listCurrencies 200/, /symbol: breaks required/],
  ),
  planted(
    "a number as text",
    [lists, member("catalog_version", "1")],
    [/listCurrencies 200/, /catalog_version: breaks type/],
  ),
  planted(
    "a member that nobody knows",
    [deliveries, member("total", 4)],
    [/listWebhookDeliveries 200/, /total: breaks unevaluatedProperties/],
  ),
  planted(
    "another symbol in the single read",
    [
      singles,
      bodyBy((body) => ({ ...body, currency: { ...objectAt(body, "currency"), symbol: "OTHER" } })),
    ],
    [/getCurrency 200/, /currency\/symbol: is not what the list says/],
  ),
  planted(
    "another version in the single read",
    [singles, member("catalog_version", 99)],
    [/getCurrency 200/, /catalog_version: is 99/],
  ),
  planted(
    "an asset of another chain",
    [lists, bodyBy(otherLocator)],
    [/listCurrencies 200/, /asset_locator/],
  ),
  planted(
    "a schedule that is paused and on",
    [schedules, firstItem("schedules", { enabled: true })],
    [/listPayoutSchedules 200/, /enabled is true, and it is paused/],
  ),
  planted(
    "a schedule of the future",
    [schedules, firstItem("schedules", { updated_at: far })],
    [/listPayoutSchedules 200/, /updated_at is \d+ s ahead/],
  ),
  planted(
    "a delivery of the future",
    [deliveries, firstItem("deliveries", { created_at: far })],
    [/listWebhookDeliveries 200/, /created_at is \d+ s ahead/],
  ),
  planted(
    "a delivery without its form of time",
    [deliveries, firstItem("deliveries", { created_at: "2026-01-01 00:00" })],
    [/listWebhookDeliveries 200/, /created_at: breaks/],
  ),
  planted(
    "a body that is cut",
    [deliveries, ({ body }) => ({ body: body.slice(0, -5) })],
    [/listWebhookDeliveries 200/, /body: is no JSON/],
  ),
  planted(
    "no body",
    [deliveries, () => ({ body: "" })],
    [/listWebhookDeliveries 200/, /body: breaks type/],
  ),
  planted(
    "a page of HTML",
    [
      deliveries,
      (passing) => ({ ...header("Content-Type", "text/html")(passing), body: "<html>" }),
    ],
    [/listWebhookDeliveries 200/, /Content-Type: is text\/html/],
  ),
  {
    name: "an answer that breaks off",
    fault: (passing) => (deliveries(passing) ? "cut" : undefined),
    told: [/listWebhookDeliveries 200/, /no answer: .*closed|no answer: aborted/],
  },
  {
    name: "an answer that never comes",
    fault: (passing) => (deliveries(passing) ? "never" : undefined),
    told: [/listWebhookDeliveries 200/, /no answer: no whole answer within 1 s/],
  },
];

const errorFaults: readonly PlantedFault[] = [
  planted(
    "a right signature where it is wrong",
    [withCode("authentication_failed"), () => ({ status: 404 })],
    [/ 404 /, /in place of 401 authentication_failed/],
  ),
  planted(
    "403 for 401",
    [withCode("nonce_reused"), () => ({ status: 403 })],
    [/ 403 /, /in place of 401 nonce_reused/],
  ),
  planted(
    "404 for 400",
    [withCode("missing_header"), () => ({ status: 404 })],
    [/ 404 /, /in place of 400 missing_header/],
  ),
  planted("400 for 413", [withStatus(413), () => ({ status: 400 })], [/ 400 /, /in place of 413/]),
  planted("400 for 415", [withStatus(415), () => ({ status: 400 })], [/ 400 /, /in place of 415/]),
  planted(
    "500 for 422",
    [withStatus(422), (passing) => ({ status: 500, ...member("code", "internal_error")(passing) })],
    [/ 500 /, /in place of 422/],
  ),
  planted(
    "a redirect",
    [deliveries, (passing) => ({ status: 302, ...header("Location", "/login")(passing) })],
    [/listWebhookDeliveries 302/, /302/],
  ),
  planted(
    "another code of the same status",
    [withCode("timestamp_out_of_range"), () => ({ body: '{"code":"authentication_failed"}' })],
    [/ 401 /, /in place of 401 timestamp_out_of_range/],
  ),
  planted(
    "a clock that stands",
    [withCode("timestamp_out_of_range"), detail("server_time", 1_767_225_600)],
    [/timestamp_out_of_range/, /server_time: is \d+ s behind/],
  ),
  planted(
    "no violation",
    [withCode("invalid_json"), detail("violations", [])],
    [/invalid_json/, /violations/],
  ),
  planted(
    "another place",
    [
      withCode("invalid_header"),
      detail("violations", [{ in: "header", pointer: "/Accept", rule: "pattern", message: "x" }]),
    ],
    [/invalid_header/, /is not among them/],
  ),
  planted(
    "details of another code",
    [withCode("not_found"), detail("status", "gone")],
    [/not_found/, /details\/status: breaks/],
  ),
  planted(
    "no message",
    [withStatus(404), member("message", "")],
    [/ 404 /, /message: breaks minLength/],
  ),
  planted(
    "no details",
    [withStatus(404), bodyBy((body) => without(body, "details"))],
    [/ 404 /, /details: breaks required/],
  ),
  planted(
    "another revision of the document",
    [answersTo(/openapi\.json/), member("openapi", "3.0.0")],
    [/server\) 200/, /another revision/],
  ),
];

function otherLocator(body: JsonObject): JsonObject {
  const text = JSON.stringify(body);
  return JSON.parse(
    text.replace(/"asset_locator":"eip155:\d+/, '"asset_locator":"eip155:99999'),
  ) as JsonObject;
}

export const plantedFaults: readonly PlantedFault[] = [
  ...headerFaults,
  ...pageFaults,
  ...bodyFaults,
  ...errorFaults,
];
