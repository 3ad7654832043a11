// The checkout page as a server sends it, on both engines: what it says in each state, and to whom.

import { describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { ServiceError } from "../../service/errors.ts";
import { addressOf, ScriptedAddressSource } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import {
  base,
  confirmations,
  eth,
  ethereum,
  optimism,
  textOf,
  usdc,
  usdcOnBase,
} from "./checkout-server.ts";
import type { MadePayment } from "./checkout-server.ts";
import { useCheckout, server, chain } from "./stage.ts";

const html = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const dueRaw = 25_000_000n;
const whole = new RegExp(`0x[0-9a-fA-F]{40}`, "g");

/** Now and then it says that nobody can make an address. */
class LeavingSource extends ScriptedAddressSource {
  isAway = false;

  override readonly derive = (index: bigint): string => {
    if (this.isAway) throw new ServiceError("chain_unavailable", "away");
    return addressOf(`leaving ${index}`);
  };
}

describe.each(engines)("on %s", (engine) => {
  const source = new LeavingSource();
  const genesisTime = new Date("2026-01-01T00:00:00Z");
  useCheckout(engine, { genesisTime, otherChainId: ethereum, source });

  const get = (url: string, headers: Record<string, string> = html) => fetch(url, { headers });
  const read = async (payment: MadePayment, search = "") => {
    const answer = await get(payment.url + search);
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const addressIn = (markup: string) => /id="address">(0x\w{40})</.exec(markup)?.[1] ?? "none";
  const mine = async (count = 1) => {
    chain.mine(count);
    server.clock.advance(count * 12_000);
    await server.watch();
  };
  const pay = async (payment: MadePayment, amountRaw = dueRaw) => {
    const to = addressIn(await read(payment));
    chain.deposit({ to, amountRaw, contractAddress: usdcOnBase });
    await mine();
  };

  test("says what to send where, with both QR codes, and no address twice", async () => {
    const payment = await server.newPayment();
    const markup = await read(payment);
    const text = textOf(markup);
    expect(text).toContain("Payment to Alpine Coffee Roasters");
    expect(text).toContain("Waiting for your payment");
    expect(text).toContain("Send exactly 25 USDC on Base.");
    expect(text).toContain("Send only USDC, and only on Base.");
    const address = addressIn(markup);
    const uri = `ethereum:${usdcOnBase}@8453/transfer?address=${address}&amp;uint256=25000000`;
    expect(markup).toContain(`href="${uri}"`);
    expect(markup.match(/<svg/g)).toHaveLength(2);
    expect(new Set(markup.match(whole))).toEqual(new Set([address, usdcOnBase]));
    // the same one whenever somebody asks
    expect(addressIn(await read(payment))).toBe(address);
  });

  test("offers the currencies and networks that are read, and opens no address before a choice", async () => {
    const payment = await server.newPayment({ quotes: [{ ...usdc, chainIds: null }, eth] });
    const addresses = () =>
      query(server.database)`select 1 from deposit_addresses where payment_id = ${payment.id}`;
    const first = await read(payment);
    expect(textOf(first)).toContain("Choose what you would like to pay with.");
    expect(first).toContain('href="?in=cur_usdc"');
    expect(first).toContain('href="?pay=dep_eth_base"');
    expect(await addresses()).toHaveLength(0);
    const second = await read(payment, "?in=cur_usdc");
    expect(second).toContain('href="?pay=dep_usdc_base"');
    expect(second).toContain('href="?pay=dep_usdc_ethereum"');
    expect(second).not.toContain("dep_usdc_optimism");
    expect(await addresses()).toHaveLength(0);
    const third = await read(payment, "?pay=dep_eth_base");
    const address = addressIn(third);
    expect(third).toContain(`href="ethereum:${address}@8453?value=10000000000000000"`);
    expect(addressIn(await read(payment, "?pay=dep_usdc_base"))).toBe(address);
    expect(await addresses()).toHaveLength(1);
    // what is not offered, or no deployment at all, is no choice
    for (const odd of ["dep_usdc_optimism", "dep_nothing", "%00", "'--", ""]) {
      expect(textOf(await read(payment, `?pay=${odd}`))).toContain("Choose what you would like");
    }
  });

  test("says so where no network can be reached", async () => {
    const payment = await server.newPayment({ quotes: [{ ...usdc, chainIds: [optimism] }] });
    const markup = await read(payment);
    expect(textOf(markup)).toContain("cannot be made right now");
    expect(addressIn(markup)).toBe("none");
  });

  test("partial, confirming and paid: the rest, the confirmations, the way back", async () => {
    const redirectUrl = "https://shop.example/thanks?cart=7#end";
    const payment = await server.newPayment({ redirectUrl });
    await pay(payment, 10_000_000n);
    const partial = await read(payment);
    expect(textOf(partial)).toContain("Part of the payment has arrived");
    expect(textOf(partial)).toContain("Send the rest, 15 USDC on Base, to complete it.");
    expect(textOf(partial)).toContain("Already there: 40% of 25 USDC");
    expect(partial).toContain("uint256=15000000");
    expect(partial).not.toContain("shop.example");
    await pay(payment, 15_000_000n);
    const confirming = await read(payment);
    expect(textOf(confirming)).toContain("Payment received, being confirmed");
    expect(textOf(confirming)).toContain(`1 of ${confirmations} confirmations`);
    expect(addressIn(confirming)).toBe("none");
    await mine(confirmations);
    const paid = await read(payment);
    expect(paid).toContain("<title>Paid · Alpine Coffee Roasters</title>");
    expect(textOf(paid)).toContain("Return to shop.example");
    const link = `https://shop.example/thanks?cart=7&amp;payment_id=${payment.id}&amp;status=paid#end`;
    expect(paid).toContain(`href="${link}"`);
    expect(paid).not.toContain("data-expires");
  });

  test("the rest of a price that was begun in another currency is exact", async () => {
    const payment = await server.newPayment({ quotes: [usdc, eth] });
    const to = addressIn(await read(payment, "?pay=dep_usdc_base"));
    chain.deposit({ to, amountRaw: dueRaw / 3n, contractAddress: usdcOnBase });
    await mine();
    // 8.333333 of 25 are there: two thirds and a bit of 0.01 ETH, rounded up to a whole unit
    const markup = await read(payment, "?pay=dep_eth_base");
    expect(textOf(markup)).toContain("0.0066666668");
    expect(markup).toContain("value=6666666800000000");
  });

  /** What was paid last came by an authorization of this kind, and not to the address. */
  const authorize = async ({ id }: MadePayment, kind: "mismatch" | "upto") => {
    const settlementId = `stl_${id}`;
    const isUpto = kind === "upto";
    await query(
      server.database,
    )`insert into x402_settlements (id, merchant_id, environment, payment_id, deployment_id,
        chain_id, scheme, method, asset, payer, nonce, pay_to, authorized_raw, valid_after,
        valid_before, domain_name, domain_version, evidence_version, signature, amount_raw, status,
        reason, from_block, created_at, updated_at)
      select ${settlementId}, merchant_id, environment, id, 'dep_usdc_base', ${base},
        ${isUpto ? "upto" : "exact"}, 'eip3009', ${usdcOnBase.toLowerCase()}, id,
        '0x' || repeat('ab', 32), 'us', 25000000, 0, 1, 'USD Coin', '2', 1,
        '0x' || repeat('cd', 65), 25000000, ${isUpto ? "settled" : "failed"},
        ${isUpto ? null : "x402_transfer_mismatch"}, 0, now(), now()
      from payments where id = ${id}`;
    await query(
      server.database,
    )`update deposits set source = 'x402', settlement_id = ${settlementId}
      where payment_id = ${id}`;
  };

  test("what is no part of the price makes nothing less that is asked for", async () => {
    const payment = await server.newPayment();
    await pay(payment, 10_000_000n);
    await authorize(payment, "mismatch");
    await query(server.database)`update payments set status = 'pending' where id = ${payment.id}`;
    const markup = await read(payment);
    expect(textOf(markup)).toContain("Send exactly 25 USDC on Base.");
    expect(markup).toContain("uint256=25000000");
    expect(textOf(markup)).toContain("not part of this payment");
    await mine(confirmations);
    expect(textOf(await read(payment))).toContain("not part of this payment");
  });

  test("what was set aside and not used: it goes back, and nothing is late", async () => {
    const payment = await server.newPayment();
    await pay(payment);
    await authorize(payment, "upto");
    await query(server.database)`update payments set status = 'expired' where id = ${payment.id}`;
    const text = textOf(await read(payment));
    expect(text).toContain("Nothing was used. What was set aside goes back to where it came from.");
    expect(text).not.toContain("arrived late");
    expect(text).not.toContain("do not send");
  });

  test("says where it has not heard from a network, and keeps on asking for the price", async () => {
    const payment = await server.newPayment({ quotes: [{ ...usdc, chainIds: null }] });
    const quiet = "We have not heard from Base for some time.";
    await mine();
    expect(textOf(await read(payment, "?pay=dep_usdc_base"))).not.toContain(quiet);
    const old = new Date(server.clock.now().getTime() - 301_000);
    await query(
      server.database,
    )`update chain_cursors set block_time = ${old} where chain_id = ${base}`;
    const text = textOf(await read(payment, "?pay=dep_usdc_base"));
    expect(text).toContain("Send exactly 25 USDC on Base.");
    expect(text).toContain(quiet);
    expect(textOf(await read(payment, "?pay=dep_usdc_ethereum"))).not.toContain(quiet);
    await mine();
    expect(textOf(await read(payment, "?pay=dep_usdc_base"))).not.toContain(quiet);
  });

  test("asks for nothing where there is no address to send it to", async () => {
    source.isAway = true;
    try {
      const payment = await server.newPayment();
      const markup = await read(payment);
      expect(textOf(markup)).toContain("USDC on Base cannot be paid right now.");
      expect(textOf(markup)).not.toContain("Send exactly");
      expect(addressIn(markup)).toBe("none");
      expect((await get(`${payment.url}/status`)).status).toBe(200);
    } finally {
      source.isAway = false;
    }
  });

  test("too much is said, and is still paid", async () => {
    const payment = await server.newPayment();
    await pay(payment, 2n * dueRaw);
    await mine(confirmations);
    expect(textOf(await read(payment))).toContain("Paid, and more than needed");
  });

  test("over: no time is left, expired, underpaid, late; no new address, and none is shown", async () => {
    const [nothing, part, late] = [
      await server.newPayment({ expiresInSeconds: 300 }),
      await server.newPayment({ expiresInSeconds: 300 }),
      await server.newPayment({ expiresInSeconds: 300 }),
    ];
    await pay(part, 1_000_000n);
    const to = addressIn(await read(late));
    server.clock.advance(600_000);
    const between = await read(nothing);
    expect(textOf(between)).toContain("The time to pay is over");
    expect(addressIn(between)).toBe("none");
    const rows = await query(
      server.database,
    )`select 1 from deposit_addresses where payment_id = ${nothing.id}`;
    expect(rows).toHaveLength(0);
    // both chains are read past it
    const now = server.clock.now();
    await query(server.database)`update chain_cursors set block_time = ${now}, looked_at = ${now}`;
    await server.expire();
    expect(textOf(await read(nothing))).toContain("This payment has expired");
    expect(textOf(await read(part))).toContain("Not enough has arrived in time");
    chain.deposit({ to, amountRaw: dueRaw, contractAddress: usdcOnBase });
    chain.mine(1, server.clock.now());
    await server.watch();
    expect(textOf(await read(late))).toContain("Something has arrived late");
    await mine(confirmations);
    expect(textOf(await read(late))).toContain("Paid, after the time was over");
  });

  test.each([
    ["cancelled", "This payment was cancelled"],
    ["reversed", "The network has undone this payment"],
    ["authorized", "Payment authorised"],
  ])("%s: %s", async (status, headline) => {
    const payment = await server.newPayment({ quotes: [{ ...usdc, chainIds: null }, eth] });
    await query(server.database)`update payments set status = ${status} where id = ${payment.id}`;
    const markup = await read(payment);
    expect(textOf(markup)).toContain(headline);
    expect(addressIn(markup)).toBe("none");
    // Nothing is left to choose.
    expect(markup).not.toMatch(/href="\?(?:pay|in)=/);
  });

  test("what the network has undone and includes again is told, and its page goes on", async () => {
    const payment = await server.newPayment();
    await pay(payment, dueRaw);
    await query(server.database)`update payments set status = 'reversed' where id = ${payment.id}`;
    const markup = await read(payment);
    expect(textOf(markup)).toContain("The network has undone this payment");
    expect(textOf(markup)).toContain("part of the network's history again");
    expect(markup).toContain('data-over="false"');
    await mine(confirmations);
    expect(textOf(await read(payment))).toContain("Paid");
  });

  test("a test payment says that it is one", async () => {
    const payment = await server.newPayment({ environment: "test" });
    expect(textOf(await read(payment))).toContain("Test payment.");
    expect(textOf(await read(await server.newPayment()))).not.toContain("Test payment.");
  });

  test("memo and user id are never shown", async () => {
    const payment = await server.newPayment({ memo: "for our eyes", userId: "user-5566" });
    const answers = [payment.url, `${payment.url}/status`].map(async (url) =>
      (await get(url)).text(),
    );
    const software = await get(payment.url, { Accept: "application/json" });
    for (const text of [...(await Promise.all(answers)), await software.text()]) {
      expect(text).not.toMatch(/for our eyes|user-5566/);
    }
  });

  test("one link is one payment: nothing about others, and an id opens nothing (threat 72)", async () => {
    const [one, other] = [await server.newPayment(), await server.newPayment()];
    expect(one.token).toMatch(/^[\w-]{22}$/);
    expect(await read(one)).not.toContain(other.id);
    const guesses = [
      one.id,
      one.token.toLowerCase(),
      one.token.slice(1),
      `${one.token}A`,
      "%00",
      "a".repeat(22),
      "'",
      encodeURIComponent("ａ".repeat(22)),
    ].filter((guess) => guess !== one.token);
    const bodies = new Set<string>();
    for (const guess of guesses) {
      const answer = await get(`${server.url}/checkout/${guess}`);
      expect(answer.status).toBe(404);
      bodies.add(await answer.text());
      for (const more of ["status", "events"]) {
        const status = await get(`${server.url}/checkout/${guess}/${more}`);
        expect(status.status).toBe(404);
        expect(await status.json()).toMatchObject({ code: "payment_not_found" });
      }
    }
    // all look the same
    expect(bodies.size).toBe(1);
    expect(textOf([...bodies].join(""))).toContain("There is no payment here");
  });
});
