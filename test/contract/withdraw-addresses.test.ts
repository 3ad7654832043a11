// Registering withdraw addresses: each documented status really produced, on both engines, and which
// addresses are taken (threats 21 to 23).

import { expect } from "vitest";
import { errorOf, bodyOf } from "../support/contract-answers.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import type { Merchant } from "../support/service.ts";
import { newAddress } from "../support/withdrawal-resources.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const base = "eip155:8453";
const checksum = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

function describeOperation(scene: Scene): void {
  const { service, asker, test } = scene;
  const operationId = "registerWithdrawAddress";
  const ask = (merchant: Merchant, body: JsonObject) => asker.ask(merchant, operationId, { body });
  const countAddresses = (merchant: Merchant): Promise<number> =>
    service.count("select 1 from withdraw_addresses where merchant_id = $1", [merchant.merchantId]);

  const subject: Replayed = {
    operationId,
    prepare: () => ({ body: { chain_id: base, address: newAddress() } }),
    badBody: {
      body: { chain_id: base, address: checksum, label: "a\0b" },
      code: "invalid_request",
    },
    countEffects: (merchant, { body }) =>
      service.count(
        "select 1 from withdraw_addresses where merchant_id = $1 and lower(address) = $2",
        [merchant.merchantId, textOf(bodyOf(body)["address"])],
      ),
  };
  testWriting(scene, subject);

  test("201 with the checksum form, and a time from which it can be used", async ({ merchant }) => {
    const sent = { chain_id: base, destination_type: "custodial", label: "Treasury Base" };
    const answer = await ask(merchant, { ...sent, address: checksum.toLowerCase() });
    expect(answer.status).toBe(201);
    const { id, activates_at: active, created_at: created, ...rest } = bodyOf(answer.body);
    expect(rest).toEqual({ ...sent, address: checksum, status: "pending_activation" });
    expect(id).toMatch(/^wad_[0-9A-Z]{26}$/);
    expect(Date.parse(textOf(active)) - Date.parse(textOf(created))).toBe(86_400_000);
    const events = await service.query("select type, data from events where resource_id = $1", [
      id,
    ]);
    expect(events.map(({ type }) => type)).toEqual(["withdraw_address.registered"]);
    expect(JSON.parse(String(events[0]?.["data"]))).toEqual(answer.body);
  });

  test("201 with what is left out: held by the merchant itself, without a label", async () => {
    const merchant = await service.newMerchant();
    const answer = await ask(merchant, { chain_id: base, address: checksum });
    expect(bodyOf(answer.body)).toMatchObject({ destination_type: "self_hosted", label: null });
  });

  test("on a main network an address waits for a day whatever the key, on a test network a minute", async () => {
    const merchant = await service.newMerchant();
    const wish = { environment: "live", scopes: ["withdraw_addresses:write"] } as const;
    const live = await service.newKey(merchant, wish);
    const waitOf = async (signer: Merchant, chain_id: string) => {
      const { body } = await ask(signer, { chain_id, address: checksum });
      const { activates_at: active, created_at: created } = bodyOf(body);
      return Date.parse(textOf(active)) - Date.parse(textOf(created));
    };
    expect(await waitOf(live, base)).toBe(86_400_000);
    expect(await waitOf(merchant, base)).toBe(86_400_000);
    expect(await waitOf(merchant, "eip155:84532")).toBe(60_000);
  });

  test("409 for the same address in any spelling, and not elsewhere", async ({ merchant }) => {
    const first = await ask(merchant, { chain_id: base, address: checksum });
    expect(first.status).toBe(201);
    const { id } = bodyOf(first.body);
    for (const address of [
      checksum,
      checksum.toLowerCase(),
      `0x${checksum.slice(2).toUpperCase()}`,
    ]) {
      const answer = await ask(merchant, { chain_id: base, address });
      expect(outcome(answer)).toEqual([409, "address_already_registered"]);
      expect(errorOf(answer.body).details).toMatchObject({ withdraw_address_id: id });
    }
    const wish = { environment: "live", scopes: ["withdraw_addresses:write"] } as const;
    const live = await service.newKey(merchant, wish);
    const stranger = await service.newMerchant();
    const others = [
      await ask(merchant, { chain_id: "eip155:1", address: checksum }),
      await ask(live, { chain_id: base, address: checksum }),
      await ask(stranger, { chain_id: base, address: checksum }),
    ];
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test("one of many at once is registered", async ({ merchant }) => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(merchant, { chain_id: base, address: checksum })),
    );
    const outcomes = answers.map((one) => outcome(one).join(" ")).toSorted();
    expect(outcomes).toEqual([
      "201 ",
      ...Array.from({ length: 9 }, () => "409 address_already_registered"),
    ]);
    const { id } = bodyOf(answers.find(({ status }) => status === 201)?.body);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(errorOf(body).details).toMatchObject({ withdraw_address_id: id });
    }
    expect(await countAddresses(merchant)).toBe(1);
  });

  test("422 for every single letter of a checksum that is turned", async ({ merchant }) => {
    const letters = Array.from(checksum, (_, index) => index).filter(
      (index) => index > 1 && /[a-f]/i.test(checksum.charAt(index)),
    );
    expect(letters.length).toBeGreaterThan(5);
    for (const index of letters) {
      const letter = checksum.charAt(index);
      const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const address = checksum.slice(0, index) + turned + checksum.slice(index + 1);
      const answer = await ask(merchant, { chain_id: base, address });
      expect(outcome(answer)).toEqual([422, "invalid_address"]);
    }
  });

  test.each([
    ["", "nothing"],
    ["0x", "no digits"],
    [checksum.slice(0, -1), "a digit too few"],
    [`${checksum}0`, "a digit too many"],
    [checksum.slice(2), "no 0x"],
    [` ${checksum}`, "a space"],
    [checksum.replace("0x", "0X"), "a large X"],
    ["0x7099797OC51812dc3A010C7d01b50e0d17dc79C8", "the letter O"],
    ["vitalik.eth", "a name"],
    ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "an address of another family"],
    ["DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK", "an address of another family"],
  ])("422 for %j: %s", async (address) => {
    const answer = await ask(await service.newMerchant(), { chain_id: base, address });
    expect(outcome(answer)).toEqual([422, "invalid_address"]);
  });

  test.each([
    ["0x0000000000000000000000000000000000000000", "zero"],
    ["0x0000000000000000000000000000000000000001", "a contract that is built in"],
    ["0x000000000000000000000000000000000000dEaD", "where coins are burned"],
    ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "the stand-in for the coin"],
    [usdcOnBase, "a token"],
    [usdcOnBase.toLowerCase(), "a token in lower case"],
    ["0x000000000022D473030F116dDEE9F6B43aC78BA3", "Permit2"],
    ["0x402085c248eea27d92e8b30b2c58ed07f9e20001", "the x402 proxy for exact"],
    ["0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002", "the x402 proxy for upto"],
  ])("422 for %s: %s", async (address) => {
    const answer = await ask(await service.newMerchant(), { chain_id: base, address });
    expect(outcome(answer)).toEqual([422, "address_not_allowed"]);
  });

  test("422 for an address of a payment, of whomever, and for an account that we send from", async () => {
    const merchant = await service.newMerchant();
    const [deposit, hot] = [newAddress(), newAddress()];
    const { merchantId } = await service.newMerchant();
    await service.query(
      `with payment as (
        insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
          chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
        values ('pay_' || $2::text, $2, 'test', 'A-1', 'pending', '[{}]', '{eip155:8453}',
          'to_primary', 0, $2, now(), now() + interval '1 h', now()) returning id)
      insert into deposit_addresses (chain_family, derivation_index, address, payment_id, created_at)
        select 'evm', 1000000, $1, id, now() from payment`,
      [deposit, merchantId],
    );
    await service.query("insert into sender_accounts (chain_id, account) values ($1, $2)", [
      base,
      hot,
    ]);
    for (const address of [deposit, hot]) {
      const answer = await ask(merchant, { chain_id: base, address });
      expect(outcome(answer)).toEqual([422, "address_not_allowed"]);
    }
    expect(await countAddresses(merchant)).toBe(0);
  });

  test.each(["eip155:999999", "base", "", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"])(
    "422 for a chain that is not in the catalog: %j",
    async (chain) => {
      const answer = await ask(await service.newMerchant(), {
        chain_id: chain,
        address: checksum,
      });
      expect(outcome(answer)).toEqual([422, "chain_not_accepted"]);
    },
  );

  test("422 for a test network with a live key", async ({ merchant }) => {
    const wish = { environment: "live", scopes: ["withdraw_addresses:write"] } as const;
    const live = await service.newKey(merchant, wish);
    const answer = await ask(live, { chain_id: "eip155:84532", address: checksum });
    expect(outcome(answer)).toEqual([422, "chain_not_accepted"]);
  });

  test("400 for a label that is too long, and for U+0000 anywhere", async ({ merchant }) => {
    const plain = { chain_id: base, address: checksum };
    const wrong = [
      { ...plain, label: "x".repeat(257) },
      { ...plain, address: `${checksum}\0` },
      { ...plain, chain_id: `${base}\0` },
    ];
    for (const body of wrong) {
      const answer = await ask(merchant, body);
      expect(outcome(answer)).toEqual([400, "invalid_request"]);
      expect(errorOf(answer.body).details["violations"]).toHaveLength(1);
    }
    expect((await ask(merchant, { ...plain, label: "ü".repeat(256) })).status).toBe(201);
  });
}

describeOnEngines(describeOperation);
