// What a key may do: the contract's words, and presets of them that give a program no more than it needs.

import { describe, expect, test } from "vitest";
import { readOperationAccess } from "../../handlers/operation-access.ts";
import {
  addressScope,
  isRole,
  isScope,
  moneyScopes,
  roles,
  scopes,
} from "../../service/merchants/scopes.ts";

const asked = readOperationAccess();

describe("scopes", () => {
  test("are those that the operations of the contract ask for", () => {
    const wanted = [...asked.values()].map(({ requiredScope }) => requiredScope);
    expect([...scopes].toSorted()).toEqual([...new Set(wanted)].toSorted());
    expect([isScope("payments:write"), isScope("payments:read"), isScope("")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("that move money are those of the two ways out, and the one for addresses is none of them", () => {
    expect([...moneyScopes, addressScope]).toEqual([
      "withdrawals:write",
      "payouts:write",
      "withdraw_addresses:write",
    ]);
  });
});

describe("roles", () => {
  test("have the scopes of their programs, and no others", () => {
    expect(roles).toEqual({
      storefront: ["payments:write", "currencies:read", "currencies:write"],
      treasury: ["withdrawals:write", "withdraw_addresses:write", "payouts:read", "payouts:write"],
      integrations: ["webhooks:read", "webhooks:write"],
      agent: ["x402:usage", "x402:settle"],
    });
    expect(["agent", "owner", "toString"].filter((text) => isRole(text))).toEqual(["agent"]);
  });
});
