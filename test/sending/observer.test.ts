// What whoever counts is told of what is sent: each thing once, when it counts.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type {
  EndedOutgoing,
  NonceUse,
  SignedOutgoing,
} from "../../service/ports/sending-observer.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { chainId, finalBlocks, openScene, type Scene } from "./scene.ts";

function notes() {
  const signed: SignedOutgoing[] = [];
  const nonces: NonceUse[] = [];
  const ended: EndedOutgoing[] = [];
  const observer = {
    onSigned: (one: SignedOutgoing) => void signed.push(one),
    onNonces: (one: NonceUse) => void nonces.push(one),
    onEnded: (one: EndedOutgoing) => void ended.push(one),
  };
  return { signed, nonces, ended, observer };
}

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });

  test("what is signed, again with higher fees, waits, and ends", async () => {
    const { observer, signed, nonces, ended } = notes();
    const process = scene.startProcess({ observer });
    const queuedAt = scene.clock.now();
    await scene.queue();
    scene.chain.perBlockMax = 0;
    await process.send();
    const purpose = "x402_release";
    expect(signed).toEqual([{ chainId, purpose, isFirst: true }]);
    scene.chain.mine(finalBlocks);
    scene.clock.advance(20_000);
    await process.send();
    expect(signed.slice(1)).toEqual([{ chainId, purpose, isFirst: false }]);
    const of = { chainId, role: "settlement" };
    expect(nonces).toEqual([
      { ...of, waiting: 0, missing: 0 },
      { ...of, waiting: 1, missing: 0 },
    ]);
    scene.chain.perBlockMax = 9;
    scene.chain.mine(1 + finalBlocks);
    scene.clock.advance(20_000);
    expect(ended).toEqual([]);
    await process.confirm();
    await process.confirm();
    expect(ended).toEqual([
      expect.objectContaining({ chainId, purpose, status: "succeeded", queuedAt }),
    ]);
    expect(ended[0]?.at).toEqual(scene.clock.now());
  });

  test("a nonce that is neither mined nor signed, with others above it", async () => {
    const { observer, nonces } = notes();
    const process = scene.startProcess({ observer });
    scene.chain.perBlockMax = 0;
    for (let count = 0; count < 3; count++) await scene.queue();
    await process.send();
    await query(scene.database, sql`delete from sender_nonces where nonce = 1`);
    scene.clock.advance(20_000);
    await process.send();
    const of = { chainId, role: "settlement" };
    expect(nonces.at(-1)).toEqual({ ...of, waiting: 2, missing: 1 });
  });
});
