// An error names what is wrong with this request, and not with another one.

import { type Json, textOf } from "../../../generator/suite/json.ts";
import { digitsAfterPoint } from "./amounts.ts";
import { tokensOf, valueAt } from "./pointers.ts";
import { violationRelations } from "./violations.ts";
import {
  type Claim,
  holds,
  objectOf,
  objectsOf,
  ofCodes,
  type Relation,
  same,
  type Seen,
  textsOf,
  timeOf,
} from "./relation.ts";

function valueOf({ wish, details }: Seen): Json | undefined {
  return valueAt(wish, tokensOf(details["pointer"]));
}

/** The value, or the name of the member that is meant: quotes stand under their currency. */
function meant(seen: Seen, name: string): readonly string[] {
  const tokens = tokensOf(seen.details["pointer"]);
  const value = valueOf(seen);
  const named = [value, objectOf(value)[name], seen.wish[name]];
  return [...tokens, ...named.filter((one) => typeof one === "string")];
}

function ofPlaces(
  codes: string | readonly string[],
  name: string,
  claims: Relation["claims"],
): Relation {
  return ofCodes(codes, name, (seen) => (seen.hasWish ? claims(seen) : []));
}

/** What is said to be asked for was asked for, and none of what could be had. */
function choiceClaims(seen: Seen, name: string, others: string): readonly Claim[] {
  const said = textOf(seen.details[name]);
  const list = textsOf(seen.details[others]);
  if (seen.details[name] === undefined) return [];
  const short = (text: string): string => Array.from(text).slice(0, 128).join("");
  return [
    holds(
      `body /details/${name}`,
      meant(seen, name).map(short).includes(said),
      `is ${said}, which was not asked for`,
    ),
    holds(`body /details/${others}`, !list.includes(said), `have ${said}, which is refused`),
  ];
}

const places: readonly Relation[] = [
  {
    name: "a pointer leads to something that was sent",
    claims: (seen) => {
      const { pointer } = seen.details;
      if (pointer === undefined || !seen.hasWish) return [];
      const isThere = pointer !== "" && valueAt(seen.wish, tokensOf(pointer)) !== undefined;
      const problem = `is ${textOf(pointer)}, and nothing stands there`;
      return [holds("body /details/pointer", isThere, problem)];
    },
  },
];

const parts: readonly Relation[] = [
  ofCodes(
    "insufficient_scope",
    "the scope that lacks is the operation's",
    ({ details, operation }) =>
      details["required_scope"] === undefined
        ? []
        : [
            same(
              "body /details/required_scope",
              details["required_scope"],
              operation.node["x-required-scope"],
            ),
          ],
  ),
  ofCodes("timestamp_out_of_range", "a time out of range is more than 300 s off", (seen) => {
    const sent = Number(seen.sent("X-Timestamp"));
    const there = Number(seen.details["server_time"]);
    if (seen.asked === undefined || Number.isNaN(sent)) return [];
    return [
      holds(
        "body /details/server_time",
        Math.abs(there - sent) > 300,
        `is ${there}, and ${sent} was sent`,
      ),
    ];
  }),
  ofCodes("body_too_large", "only a large body is too large", ({ asked, wish }) => {
    if (asked?.body === undefined) return [];
    const size = Buffer.byteLength(asked.body);
    const evidence = Buffer.byteLength(JSON.stringify(wish["evidence"] ?? null));
    const isLarge = size > 65_536 || evidence > 16_384;
    return [holds("body /code", isLarge, `is body_too_large, for ${size} bytes`)];
  }),
  ofCodes("unsupported_media_type", "another media type, or a coding, is not supported", (seen) => {
    if (seen.asked === undefined) return [];
    const type = seen.sent("Content-Type") ?? "";
    const isOdd = !/^application\/json$/i.test(type) || seen.sent("Content-Encoding") !== undefined;
    return [holds("body /code", isOdd, `is unsupported_media_type, for ${type}`)];
  }),
  ofCodes("invalid_limit", "a limit that is refused is out of range", (seen) => {
    const limits = seen.query.getAll("limit");
    if (seen.asked === undefined) return [];
    const isFine = limits.every((one) => /^[1-9][0-9]?$|^100$/.test(one));
    return [
      holds("body /code", !isFine || limits.length > 1, `is invalid_limit, for ${limits.join()}`),
    ];
  }),
  ofCodes("invalid_cursor", "a cursor that is refused was sent", (seen) =>
    seen.asked === undefined
      ? []
      : [holds("body /code", seen.query.has("cursor"), "is invalid_cursor, without one")],
  ),
];

const rules: readonly Relation[] = [
  ofPlaces("amount_precision", "an amount that is too precise has more digits", (seen) => {
    const [amount, decimals] = [textOf(valueOf(seen)), Number(seen.details["decimals"])];
    const isMore = digitsAfterPoint(amount) > decimals;
    return [holds("body /details/decimals", isMore, `are ${decimals}, and ${amount} was sent`)];
  }),
  ofPlaces(
    ["expires_in_out_of_range", "interval_out_of_range"],
    "what is out of range is outside of the range that is said",
    (seen) => {
      const [least, most] = [Number(seen.details["minimum"]), Number(seen.details["maximum"])];
      const value = Number(valueOf(seen));
      const wanted = seen.code === "interval_out_of_range" ? [3600, 31_622_400] : [1, 604_800];
      return [
        same("body /details", [least, most], wanted),
        holds(
          "body /details",
          value < least || value > most,
          `are ${least} to ${most}, for ${value}`,
        ),
      ];
    },
  ),
  ofPlaces("first_run_in_past", "a first run in the past is before the server's time", (seen) => {
    const [first, there] = [timeOf(valueOf(seen)) ?? 0, timeOf(seen.details["server_time"]) ?? 0];
    const { time } = seen;
    return [
      holds("body /details/server_time", first < there, "is before the run that was asked for"),
      ...(time === undefined
        ? []
        : [
            holds(
              "body /details/server_time",
              there >= time.from && there <= time.to,
              "is not now",
            ),
          ]),
    ];
  }),
  ofCodes(
    "insufficient_balance",
    "a balance that is too low is less than what it takes",
    ({ details }) => {
      const [there, wanted] = [textOf(details["available_raw"]), textOf(details["required_raw"])];
      return [
        holds(
          "body /details/available_raw",
          BigInt(there) < BigInt(wanted),
          `is ${there} of ${wanted}`,
        ),
      ];
    },
  ),
  ofPlaces("currency_not_found", "a currency that is unknown was asked for", (seen) =>
    choiceClaims(seen, "currency_id", "near_currency_ids"),
  ),
  ofPlaces("currency_not_accepted", "a currency that is not accepted was asked for", (seen) =>
    choiceClaims(seen, "currency_id", "accepted_currency_ids"),
  ),
  ofPlaces("chain_not_accepted", "a chain that is not accepted was asked for", (seen) => [
    ...choiceClaims(seen, "chain_id", "accepted_chain_ids"),
    ...choiceClaims(seen, "currency_id", "accepted_chain_ids"),
  ]),
  ofPlaces("deposits_disabled", "deposits are off where one was asked for", (seen) => [
    ...choiceClaims(seen, "chain_id", "open_chain_ids"),
    ...choiceClaims(seen, "currency_id", "open_chain_ids"),
  ]),
  ofPlaces("withdrawals_disabled", "withdrawals are off where one was asked for", (seen) => [
    same("body /details/chain_id", seen.details["chain_id"], seen.wish["target_chain_id"]),
  ]),
  ofPlaces(
    ["split_merchant_not_found", "split_merchant_duplicate", "split_self"],
    "a merchant who gets no share was named there",
    (seen) => {
      const said = seen.details["merchant_id"];
      return [
        holds(
          "body /details/merchant_id",
          meant(seen, "merchant_id").includes(textOf(said)),
          `is ${textOf(said)}`,
        ),
      ];
    },
  ),
  ofPlaces("splits_exceed_total", "shares that are too much are the sum", ({ wish, details }) => {
    const sum = objectsOf(wish["splits"]).reduce((total, { bps }) => total + Number(bps), 0);
    return [same("body /details/total_bps", details["total_bps"], sum)];
  }),
  ofPlaces(
    "x402_requirements_mismatch",
    "a field that differs is one of the requirements",
    (seen) => {
      const { field } = seen.details;
      const known = valueAt(objectOf(seen.wish["payment_requirements"]), textOf(field).split("."));
      return [
        holds(
          "body /details/field",
          known !== undefined,
          `is ${textOf(field)}, which was not sent`,
        ),
      ];
    },
  ),
];

/** Statuses in which a thing is refused. */
const refusing: Readonly<Record<string, readonly string[]>> = {
  payment_not_cancellable: [
    "authorized",
    "partially_paid",
    "confirming",
    "paid",
    "overpaid",
    "paid_late",
    "underpaid",
    "expired",
    "reversed",
  ],
  withdrawal_not_cancellable: ["processing", "broadcast", "confirmed", "rejected", "failed"],
  subscription_not_cancellable: ["expired"],
};

const statuses: readonly Relation[] = [
  ofCodes(
    Object.keys(refusing),
    "a status that is refused does not allow it",
    ({ code, details }) => {
      const status = textOf(details["status"]);
      const isRefused = refusing[code ?? ""]?.includes(status) === true;
      return [holds("body /details/status", isRefused, `is ${status}, for ${code}`)];
    },
  ),
  ofCodes("payment_not_payable", "a payment that takes no money does not wait for it", (seen) => {
    const { status, expires_at } = seen.details;
    const { time } = seen;
    const isOver =
      expires_at !== undefined && time !== undefined && (timeOf(expires_at) ?? 0) <= time.to;
    const isWaiting = ["pending", "partially_paid"].includes(textOf(status));
    return [holds("body /details/status", isOver || !isWaiting, `is ${textOf(status)}`)];
  }),
  ofCodes(
    "withdraw_address_inactive",
    "an address that cannot be used waits, or is off",
    (seen) => {
      const { status, activates_at } = seen.details;
      if (status === undefined) return [];
      const { time } = seen;
      const at = timeOf(activates_at);
      const isWaiting = status === "pending_activation";
      return [
        holds("body /details/status", status !== "active", "is active"),
        ...(time === undefined || at === undefined || !isWaiting
          ? []
          : [holds("body /details/activates_at", at > time.from, "is in the past")]),
      ];
    },
  ),
];

export const errorRelations: readonly Relation[] = [
  ...violationRelations,
  ...places,
  ...parts,
  ...rules,
  ...statuses,
];
