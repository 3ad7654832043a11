// The operator's commands about API keys.

import type { ApiKey, ApiKeys, IssuedKey, RevokedKey } from "../../service/merchants/api-keys.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { isRole, type Role, roles, scopes } from "../../service/merchants/scopes.ts";
import { table } from "./tables.ts";
import { duration, momentOf } from "./duration.ts";
import { type Command, command, done, flag, optional, place, repeated } from "./words.ts";
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
    run: async (given, { apiKeys, clock }: KeyOperator) => {
      const { merchant, live, cidr, expires } = given;
      const issued = await apiKeys.create({
        merchantId: merchant,
        environment: live ? "live" : "test",
        ...rightsOf(given),
        cidrs: cidr,
        expiresAt: momentOf(expires, "expires", clock) ?? null,
      });
      return done(issuedText(issued), secretNote);
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
    run: async ({ key: keyId, overlap, expires }, { apiKeys, clock }: KeyOperator) => {
      const issued = await apiKeys.rotate({
        keyId,
        overlapMilliseconds: overlap ?? dayMilliseconds,
        expiresAt: expires === "never" ? null : momentOf(expires, "expires", clock),
      });
      const old = await apiKeys.get(keyId);
      const end = `Old key     ${keyId} until ${old.expiresAt?.toISOString() ?? "revoked"}\n`;
      return done(issuedText(issued) + end + openText(keyId, issued.openSchedules), secretNote);
    },
  }),
  command("key revoke", {
    says:
      "at once and for ever; its payout schedules end too, unless --keep-schedules says that it " +
      "is merely not needed any more",
    words: { key, "keep-schedules": flag() },
    run: async ({ key: keyId, "keep-schedules": isKept }, { apiKeys }: KeyOperator) =>
      revokedText(await apiKeys.revoke(keyId, { isForCause: !isKept })),
  }),
  command("key list", { words: { merchant: optional(text("MERCHANT_ID")) }, run: listKeys }),
];

async function listKeys(
  { merchant }: { readonly merchant: string | undefined },
  { apiKeys, clock }: KeyOperator,
): Promise<string> {
  const now = clock.now();
  const rows = (await apiKeys.list(merchant ?? null)).map((one) => [
    one.id,
    one.merchantId,
    keyState(one, now),
    one.expiresAt?.toISOString() ?? "never",
    one.cidrs.join(",") || "any address",
    one.scopes.join(",") || "no scopes",
  ]);
  return table([["KEY", "MERCHANT", "STATE", "EXPIRES", "FROM", "SCOPES"], ...rows]);
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

function issuedText({ key, secret }: IssuedKey): string {
  const lines = [
    ["API key", key.id],
    ["API secret", secret],
    ["Merchant", key.merchantId],
    ["Scopes", key.scopes.join(" ") || "none"],
    ["From", key.cidrs.join(" ") || "any address"],
    ["Expires", key.expiresAt?.toISOString() ?? "never"],
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(11)} ${value}\n`).join("");
}

/** Whoever rotates because the old key is in other hands has more to do. */
function openText(keyId: string, openSchedules: number): string {
  if (openSchedules === 0) return "";
  return (
    `Payout schedules that the old key made: ${openSchedules}. They go on. If somebody else may have ` +
    `had it, revoke it for cause: npm run admin -- key revoke ${keyId}\n`
  );
}

function revokedText({ key, openSchedules, olderSchedules }: RevokedKey): string {
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
  return since + own + (isRevokedForCause ? older.join("") : "");
}

function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}
