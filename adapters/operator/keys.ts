// The operator's commands about API keys.

import type { ApiKey, ApiKeys, IssuedKey } from "../../service/merchants/api-keys.ts";
import type { Clock } from "../../service/ports/clock.ts";
import { isRole, roles, scopes } from "../../service/merchants/scopes.ts";
import { table } from "./tables.ts";
import { type AdminAnswer, done, given, UsageError } from "./words.ts";
import { parseDurationMilliseconds, parseMoment } from "./duration.ts";

export interface KeyOperator {
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
}

export const keyUsage = `\
  key create --merchant MERCHANT_ID (--scopes SCOPE,... | --role ROLE | --no-scopes) [--live]
             [--cidr RANGE]...       addresses it may be used from; default: any
             [--expires WHEN]        90d, 2027-01-31 or 2027-01-31T12:00:00Z; default: never
  key rotate KEY_ID [--overlap 24h]  a second key with the same rights; the old one ends after the
             [--expires WHEN|never]  overlap, 0 to 7d; the new one lives as long as the old one
                                     was made to live, unless --expires says otherwise
  key revoke KEY_ID                  at once and for ever
  key list [--merchant MERCHANT_ID]
`;

export const keyNotes = `\
A secret is shown once, by the command that makes it. Keys are test keys unless --live is given.
SCOPES  ${wrapped(scopes)}
ROLES   ${Object.entries(roles)
  .map(([name, list]) => `${name}: ${list.join(" ")}`)
  .join("\n        ")}
`;

function wrapped(words: readonly string[]): string {
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)].map((line) => line.join(" ")).join("\n        ");
}

export const keyOptions = {
  scopes: { type: "string" },
  role: { type: "string" },
  "no-scopes": { type: "boolean" },
  live: { type: "boolean" },
  cidr: { type: "string", multiple: true },
  expires: { type: "string" },
  overlap: { type: "string" },
} as const;

interface Words {
  readonly values: {
    readonly merchant?: string | undefined;
    readonly scopes?: string | undefined;
    readonly role?: string | undefined;
    readonly "no-scopes"?: boolean | undefined;
    readonly live?: boolean | undefined;
    readonly cidr?: readonly string[] | undefined;
    readonly expires?: string | undefined;
    readonly overlap?: string | undefined;
  };
  readonly places: readonly string[];
}

interface KeyCommand {
  readonly run: (words: Words, operator: KeyOperator) => Promise<AdminAnswer>;
  readonly takes: readonly (keyof Words["values"])[];
  readonly places: readonly string[];
}

export const keyCommands: readonly (readonly [string, KeyCommand])[] = [
  [
    "key create",
    {
      run: createKey,
      takes: ["merchant", "scopes", "role", "no-scopes", "live", "cidr", "expires"],
      places: [],
    },
  ],
  ["key rotate", { run: rotateKey, takes: ["overlap", "expires"], places: ["KEY_ID"] }],
  ["key revoke", { run: revokeKey, takes: [], places: ["KEY_ID"] }],
  ["key list", { run: listKeys, takes: ["merchant"], places: [] }],
];

async function createKey({ values }: Words, operator: KeyOperator): Promise<AdminAnswer> {
  const issued = await operator.apiKeys.create({
    merchantId: given(values.merchant, "merchant"),
    environment: values.live === true ? "live" : "test",
    scopes: scopesOf(values),
    cidrs: values.cidr ?? [],
    expiresAt: expiryOf(values, operator),
    role: values.role !== undefined && isRole(values.role) ? values.role : undefined,
  });
  return done(issuedText(issued), secretNote);
}

async function rotateKey(
  { values, places: [keyId = ""] }: Words,
  operator: KeyOperator,
): Promise<AdminAnswer> {
  const overlapMilliseconds = parseDurationMilliseconds(values.overlap ?? "24h");
  if (overlapMilliseconds === undefined) {
    throw new UsageError("--overlap is a duration such as 24h, 7d or 0.");
  }
  const { expires } = values;
  const expiresAt =
    expires === undefined ? undefined : expires === "never" ? null : expiryOf(values, operator);
  const issued = await operator.apiKeys.rotate({ keyId, overlapMilliseconds, expiresAt });
  const old = await operator.apiKeys.get(keyId);
  const end = `Old key     ${keyId} until ${old.expiresAt?.toISOString() ?? "revoked"}\n`;
  return done(issuedText(issued) + end, secretNote);
}

async function revokeKey(
  { places: [keyId = ""] }: Words,
  operator: KeyOperator,
): Promise<AdminAnswer> {
  const key = await operator.apiKeys.revoke(keyId);
  return done(`${key.id} is revoked since ${key.revokedAt?.toISOString() ?? "now"}.\n`);
}

async function listKeys({ values }: Words, operator: KeyOperator): Promise<AdminAnswer> {
  const now = new Date(operator.clock.nowMilliseconds());
  const keys = await operator.apiKeys.list(values.merchant ?? null);
  const rows = keys.map((key) => [
    key.id,
    key.merchantId,
    keyState(key, now),
    key.expiresAt?.toISOString() ?? "never",
    key.cidrs.join(",") || "any address",
    key.scopes.join(",") || "no scopes",
  ]);
  return done(table([["KEY", "MERCHANT", "STATE", "EXPIRES", "FROM", "SCOPES"], ...rows]));
}

function scopesOf(values: Words["values"]): readonly string[] {
  const ways = [values.scopes, values.role, values["no-scopes"]].filter((one) => one !== undefined);
  if (ways.length !== 1) throw new UsageError("Give one of --scopes, --role and --no-scopes.");
  if (values.scopes !== undefined) {
    return values.scopes
      .split(",")
      .map((scope) => scope.trim())
      .filter((scope) => scope !== "");
  }
  if (values.role === undefined) return [];
  if (isRole(values.role)) return roles[values.role];
  throw new UsageError(`There is no role "${values.role}".`);
}

function expiryOf({ expires }: Words["values"], { clock }: KeyOperator): Date | null {
  if (expires === undefined) return null;
  const moment = parseMoment(expires, clock.nowMilliseconds());
  if (moment !== undefined) return moment;
  throw new UsageError("--expires is a duration such as 90d, or a date such as 2027-01-31.");
}

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

function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}
