// The operator's commands about API keys.

import type { ApiKey, ApiKeys, IssuedKey, RevokedKey } from "../../service/merchants/api-keys.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { isRole, type Role, roles, scopes } from "../../service/merchants/scopes.ts";
import { fields, listing, made, type Part, result, type Result } from "./results.ts";
import { allSnakeCased, said, shown } from "./results.ts";
import { duration, momentOf } from "./duration.ts";
import { type Command, command, flag, optional, place, repeated } from "./words.ts";
import { text, UsageError } from "./words.ts";

export interface KeyOperator {
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
}

const key = place("KEY_ID");
const when = "90d, 2027-01-31 or 2027-01-31T12:00:00Z";
const roleList = Object.entries(roles).map(([name, list]) => `${name} (${list.join(" ")})`);

export const keyCommands: readonly Command<KeyOperator>[] = [
  command("key create", {
    says:
      "a test key unless --live is given, with the rights of one of --scopes, --role and " +
      "--no-scopes; its secret is shown this once",
    words: {
      merchant: text("MERCHANT_ID"),
      scopes: optional(text("SCOPE,...", `some of ${scopes.join(" ")}`)),
      role: optional(text("ROLE", roleList.join(", "))),
      "no-scopes": flag(),
      live: flag(),
      cidr: repeated("RANGE", "addresses it may be used from; default: any"),
      expires: optional(text("WHEN", `${when}; default: never`)),
    },
    dryRun: "rehearsal",
    run: async (given, { apiKeys, clock }: KeyOperator) => {
      const { merchant, live, cidr, expires } = given;
      const issued = await apiKeys.create({
        merchantId: merchant,
        environment: live ? "live" : "test",
        ...rightsOf(given),
        cidrs: cidr,
        expiresAt: momentOf(expires, "expires", clock) ?? null,
      });
      return result(issuedPart(issued), { aside: secretNote });
    },
  }),
  command("key rotate", {
    says: "a second key with the same rights, whose secret is shown this once",
    words: {
      key,
      overlap: optional(duration("24h", "after that the old key ends, 0 to 7d; default: 24h")),
      expires: optional(
        text(
          "WHEN|never",
          `${when}; default: the new one lives as long as the old one was made to`,
        ),
      ),
    },
    dryRun: "rehearsal",
    run: async ({ key: keyId, overlap, expires }, { apiKeys, clock }: KeyOperator) => {
      const issued = await apiKeys.rotate({
        keyId,
        overlapMilliseconds: overlap ?? dayMilliseconds,
        expiresAt: expires === "never" ? null : momentOf(expires, "expires", clock),
      });
      const old = await apiKeys.get(keyId);
      return result([issuedPart(issued), oldPart(old), openPart(keyId, issued.openSchedules)], {
        aside: secretNote,
      });
    },
  }),
  command("key revoke", {
    says:
      "at once and for ever; its payout schedules end too, unless --keep-schedules says that it " +
      "is merely not needed any more",
    words: { key, "keep-schedules": flag() },
    dryRun: "rehearsal",
    run: async ({ key: keyId, "keep-schedules": isKept }, { apiKeys }: KeyOperator) =>
      revokedResult(await apiKeys.revoke(keyId, { isForCause: !isKept })),
  }),
  command("key list", { words: { merchant: optional(text("MERCHANT_ID")) }, run: listKeys }),
];

async function listKeys(
  { merchant }: { readonly merchant: string | undefined },
  { apiKeys, clock }: KeyOperator,
): Promise<Result> {
  const now = clock.now();
  return result(
    listing("keys", await apiKeys.list(merchant ?? null), [
      ["KEY", "id", (one) => one.id],
      ["MERCHANT", "merchant_id", (one) => one.merchantId],
      ["STATE", "state", (one) => keyState(one, now)],
      ["EXPIRES", "expires_at", ({ expiresAt }) => expiresAt ?? shown(null, "never")],
      ["FROM", "cidrs", ({ cidrs }) => shown(cidrs, cidrs.join(",") || "any address")],
      ["SCOPES", "scopes", (one) => shown(one.scopes, one.scopes.join(",") || "no scopes")],
    ]),
  );
}

interface GivenRights {
  readonly scopes: string | undefined;
  readonly role: string | undefined;
  readonly "no-scopes": boolean;
}

interface Rights {
  readonly scopes: readonly string[];
  readonly role: Role | undefined;
}

function rightsOf({ scopes: listed, role, "no-scopes": isNone }: GivenRights): Rights {
  const ways = [listed !== undefined, role !== undefined, isNone].filter(Boolean);
  if (ways.length !== 1) throw new UsageError("Give one of --scopes, --role and --no-scopes.");
  if (listed !== undefined) {
    const named = listed.split(",").map((scope) => scope.trim());
    return { scopes: named.filter((scope) => scope !== ""), role: undefined };
  }
  if (role === undefined) return { scopes: [], role };
  if (isRole(role)) return { scopes: roles[role], role };
  throw new UsageError(`There is no role "${role}".`);
}

const dayMilliseconds = 86_400_000;
const secretNote = "The secret is shown this once: it cannot be read again, only rotated.\n";

function issuedPart({ key, secret }: IssuedKey): Part {
  const { id, merchantId, scopes: granted, cidrs, expiresAt } = key;
  return fields([
    ["API key", "id", made(id)],
    ["API secret", "secret", made(secret)],
    ["Merchant", "merchant_id", merchantId],
    ["Scopes", "scopes", shown(granted, granted.join(" ") || "none")],
    ["From", "cidrs", shown(cidrs, cidrs.join(" ") || "any address")],
    ["Expires", "expires_at", expiresAt ?? shown(null, "never")],
  ]);
}

function oldPart({ id, expiresAt }: ApiKey): Part {
  const until = shown(
    { id, expires_at: expiresAt },
    `${id} until ${expiresAt?.toISOString() ?? "revoked"}`,
  );
  return fields([["Old key", "old_key", until]]);
}

/** Whoever rotates because the old key is in other hands has more to do. */
function openPart(keyId: string, openSchedules: number): Part {
  const sentence =
    `Payout schedules that the old key made: ${openSchedules}. They go on. If somebody else may have ` +
    `had it, revoke it for cause: npm run admin -- key revoke ${keyId}\n`;
  return said(openSchedules === 0 ? "" : sentence, { open_schedules: openSchedules });
}

function revokedResult({ key, openSchedules, olderSchedules }: RevokedKey): Result {
  const { id, revokedAt, isRevokedForCause } = key;
  const since = `${id} is revoked since ${revokedAt?.toISOString() ?? "now"}.\n`;
  const become = isRevokedForCause ? "run no more and end within minutes" : "go on";
  const own =
    openSchedules === 0 ? "" : `Payout schedules that it made: ${openSchedules}. They ${become}.\n`;
  const older = olderSchedules.map(
    ({ keyId, count }) =>
      `Payout schedules made by ${keyId}, which it came from by rotation: ${count}. They go on. If somebody ` +
      `else may have had that one: npm run admin -- key revoke ${keyId}\n`,
  );
  return result(
    said(since + own + (isRevokedForCause ? older.join("") : ""), {
      id,
      revoked_at: revokedAt,
      is_for_cause: isRevokedForCause,
      open_schedules: openSchedules,
      older_schedules: allSnakeCased(olderSchedules),
    }),
  );
}

function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}
