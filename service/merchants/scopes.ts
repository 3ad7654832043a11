// What a key may do. A write scope does not imply the read scope beside it.

export const scopes = [
  "webhooks:read",
  "webhooks:write",
  "payments:write",
  "withdrawals:write",
  "withdraw_addresses:write",
  "payouts:read",
  "payouts:write",
  "subscriptions:write",
  "currencies:read",
  "currencies:write",
  "x402:usage",
  "x402:settle",
] as const;

export type Scope = (typeof scopes)[number];

/** What money leaves by: a payout schedule is a standing withdrawal. */
export const moneyScopes = [
  "withdrawals:write",
  "payouts:write",
] as const satisfies readonly Scope[];

/** What says where it may go; no live key has one of the others as well. */
export const addressScope = "withdraw_addresses:write" satisfies Scope;

/** Presets for the usual kinds of program, so that a key gets no more than its program needs. */
export const roles = {
  storefront: ["payments:write", "currencies:read", "currencies:write"],
  treasury: ["withdrawals:write", "withdraw_addresses:write", "payouts:read", "payouts:write"],
  integrations: ["webhooks:read", "webhooks:write"],
  agent: ["x402:usage", "x402:settle"],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roles;

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text);
}
