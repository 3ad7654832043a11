// What every answer says beside its body.

import { textOf } from "../../../generator/suite/json.ts";
import {
  type Claim,
  decoded,
  holds,
  ofSuccess,
  type Relation,
  same,
  type Seen,
} from "./relation.ts";

interface Rate {
  readonly bucket: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly leftBucket: string;
  readonly left: number;
  readonly resetSeconds: number;
}

function rateOf(seen: Seen): Rate | undefined {
  const policy = /^"([a-z_]+)";q=(\d+);w=(\d+)$/.exec(seen.header("RateLimit-Policy") ?? "");
  const rate = /^"([a-z_]+)";r=(\d+);t=(\d+)$/.exec(seen.header("RateLimit") ?? "");
  if (policy === null || rate === null) return undefined;
  const [, bucket = "", quota, window] = policy;
  const [, leftBucket = "", left, reset] = rate;
  return {
    bucket,
    quota: Number(quota),
    windowSeconds: Number(window),
    leftBucket,
    left: Number(left),
    resetSeconds: Number(reset),
  };
}

function ofRate(name: string, claims: (rate: Rate, seen: Seen) => readonly Claim[]): Relation {
  return {
    name,
    claims: (seen) => {
      const rate = rateOf(seen);
      return rate === undefined ? [] : claims(rate, seen);
    },
  };
}

const rates: readonly Relation[] = [
  ofRate("both headers of the rate are about one bucket", ({ bucket, leftBucket }) => [
    same("header RateLimit", leftBucket, bucket),
  ]),
  ofRate("the bucket is the operation's", ({ bucket }, { operation, code }) =>
    code === "rate_limited"
      ? []
      : [same("header RateLimit-Policy", bucket, operation.node["x-rate-limit-policy"])],
  ),
  ofRate("no more is left in a bucket than it has", ({ left, quota }) => [
    holds("header RateLimit", left <= quota, `leaves ${left} of ${quota}`),
  ]),
  ofRate("a request that counted has used up one", ({ left, quota }, { isSuccess }) =>
    isSuccess
      ? [holds("header RateLimit", left < quota, `leaves ${left} of ${quota} after a request`)]
      : [],
  ),
  ofRate("a bucket fills within its window", ({ resetSeconds, windowSeconds }) => [
    holds(
      "header RateLimit",
      resetSeconds <= windowSeconds,
      `comes in ${resetSeconds} s, and the window has ${windowSeconds}`,
    ),
  ]),
  ofRate("a bucket that refuses is empty, and named", (rate, { code, details, answer }) => {
    const policy = textOf(details["policy"]);
    if (code !== "rate_limited" || !["read", "write", "money", "merchant"].includes(policy))
      return [];
    const wait = answer.headers.get("Retry-After");
    return [
      same("body /details/policy", policy, rate.bucket),
      holds("header RateLimit", rate.left === 0, `leaves ${rate.left}, and the request is refused`),
      same("header Retry-After", Number(wait), rate.resetSeconds),
    ];
  }),
];

export const headerRelations: readonly Relation[] = [
  ...rates,
  {
    name: "what answers a read may be kept, and nothing else",
    claims: (seen) => {
      const caching = seen.header("Cache-Control");
      if (caching === undefined) return [];
      const isRead = seen.operation.method === "GET";
      return [
        same("header Cache-Control", caching, isRead ? "private, no-cache" : "private, no-store"),
      ];
    },
  },
  {
    name: "only an answer to a key is a replay",
    claims: (seen) => {
      if (!seen.isReplay || seen.asked === undefined) return [];
      const isKeyed =
        seen.sent("Idempotency-Key") !== undefined || seen.operationId === "settleX402Payment";
      return [holds("header Idempotent-Replayed", isKeyed, "is there, and there was no key")];
    },
  },
  {
    name: "a key that was sent once is no replay",
    claims: (seen) => {
      // Of a settlement, the authorization is a key as well.
      if (seen.asked?.isOnlyWithKey !== true || seen.operationId === "settleX402Payment") return [];
      const codes = [
        "idempotency_key_reused",
        "idempotency_in_progress",
        "idempotency_key_expired",
      ];
      return [
        holds("header Idempotent-Replayed", !seen.isReplay, "is there, and the key is new"),
        holds(
          "body /code",
          !codes.includes(seen.code ?? ""),
          `is ${seen.code}, and the key is new`,
        ),
      ];
    },
  },
  {
    name: "the Link of an error leads to the entry of its code",
    claims: (seen) => {
      const { code } = seen;
      if (code === undefined) return [];
      return [same("header Link", seen.header("Link"), `</docs/errors#${code}>; rel="help"`)];
    },
  },
  {
    name: "Location is the path of what was made",
    claims: (seen) => {
      const location = seen.header("Location");
      const [path = ""] = seen.operation.path.split("?");
      if (location === undefined) return [];
      return [same("header Location", location, `${path}/${textOf(seen.body["id"])}`)];
    },
  },
  ofSuccess(["listCurrencies", "getCurrency"], "ETag is the version of the body", (seen) => {
    const [, version] = /^"(\d+)-/.exec(seen.header("ETag") ?? "") ?? [];
    return [same("header ETag", Number(version), seen.body["catalog_version"])];
  }),
  {
    name: "ETag has the environment of the key",
    claims: (seen) => {
      const [, environment] = /-(live|test)"$/.exec(seen.header("ETag") ?? "") ?? [];
      const [, ofKey] = /^mk_(live|test)_/.exec(seen.sent("X-Api-Key") ?? "") ?? [];
      if (environment === undefined || ofKey === undefined) return [];
      return [same("header ETag", environment, ofKey)];
    },
  },
  {
    name: "304 is for a version that was named, and 200 for another one",
    claims: (seen) => {
      const tag = seen.header("ETag");
      if (tag === undefined || seen.asked === undefined) return [];
      const named = (seen.sent("If-None-Match") ?? "").split(",").map((one) => one.trim());
      const isNamed = named.some((one) => one === "*" || one.replace(/^W\//, "") === tag);
      return [
        seen.answer.status === 304
          ? holds("status", isNamed, `is 304, and ${tag} was not named`)
          : holds("status", !isNamed, `is ${seen.answer.status}, and ${tag} was named`),
      ];
    },
  },
];

/** The address of the next page. */
export function nextOf(seen: Seen): URL | undefined {
  const [, target] = /^<([^>]+)>; rel="next"$/.exec(seen.header("Link") ?? "") ?? [];
  return target === undefined ? undefined : new URL(target, "http://server.example");
}

/** How many entries a page may have. */
export function limitOf(seen: Seen): number {
  const given = seen.query.get("limit");
  return given === null ? 20 : Number(decoded(given));
}
