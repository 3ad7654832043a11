// Coin to contracts, on a real chain: what takes more gas than an account of a person is sent with what
// the chain says it takes, and what takes too much is refused before anything is signed (threat 97).

import { beforeEach, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { type ChainScene, openChainScene, useChain } from "./on-chain.ts";
import { coin, finalBlocks } from "./scene.ts";

const world = useChain();
const amountRaw = 25n * 10n ** 16n;
let scene: ChainScene;
let owner: Owner;
let names = 0;

beforeEach(async () => {
  scene = await openChainScene(world());
  owner = await scene.newOwner();
  await scene.fund(owner, 10n ** 18n, coin);
});

/** A contract that takes coin and writes that down in so many places, each of which costs 22,100. */
async function placeWallet(places: number): Promise<{ id: string; address: string }> {
  const { rpc } = world().node;
  const registered = await scene.register(owner, addressOf(`a wallet of people ${++names}`));
  const store = (place: number) => `600160${place.toString(16).padStart(2, "0")}55`;
  const code = Array.from({ length: places }, (_, place) => store(place)).join("");
  await rpc("anvil_setCode", [registered.address, `0x${code}00`]);
  return registered;
}

const ask = async (addressId: string) =>
  (await scene.request(owner, addressId, { amount: "0.25", ...coin })).id;

async function settle(): Promise<void> {
  const process = scene.startProcess();
  await process.send();
  await world().node.mine(finalBlocks);
  scene.clock.advance(20_000);
  await process.confirm();
}

test("threat 97: a contract wallet that needs more than 60,000 units of gas is paid", async () => {
  // 87,300 and some units.
  const { id: addressId, address } = await placeWallet(3);
  const id = await ask(addressId);
  await settle();
  expect(await scene.statusOf(id)).toBe("confirmed");
  expect(await scene.coinArrived(address)).toBe(amountRaw);
});

test("threat 97: one that would take more than 250,000 units is refused, and costs nothing", async () => {
  const { id: addressId, address } = await placeWallet(12);
  const { node, signer } = world();
  const before = await node.balanceOf(signer.accounts.hotAddress, null);
  const id = await ask(addressId);
  await settle();
  expect(await scene.statusOf(id)).toBe("rejected");
  expect(await scene.balance(owner, "merchant:available", coin)).toBe(10n ** 18n);
  expect(await scene.coinArrived(address)).toBe(0n);
  expect(await node.balanceOf(signer.accounts.hotAddress, null)).toBe(before);
});
