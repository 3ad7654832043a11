// What is sent put together as the server does it, with what an operator sets.

import { buildChainMoney } from "../../adapters/assembly/money.ts";
import { buildChainOperator } from "../../adapters/assembly/operator.ts";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import type { EstimatingChain } from "../../service/sending/ports.ts";
import type { openSceneOn } from "./scene.ts";

type AnyScene = Awaited<ReturnType<typeof openSceneOn>>;

export function buildMoney(scene: AnyScene, sending: EstimatingChain, treasuryAddress?: string) {
  const alarm = () => undefined;
  const { jobs } = buildChainMoney({
    ...scene,
    alarm,
    settlementChains: [sending.chain],
    actionSigner: sending.signer,
    configuration: { treasuryAddress, x402ReleaseSeconds: 3600, withdrawalGasUnitsMax: 250_000n },
  });
  const job = (start: string) => async () => {
    const found = jobs.find(({ name }) => name.startsWith(start));
    if (found === undefined) throw new Error(`there is no job ${start}`);
    return await found.run();
  };
  // Only commands about chains are given here.
  const operator = buildChainOperator({ ...scene, alarm }) as Operator;
  return {
    sweep: job("sweep-"),
    send: job("send-"),
    confirm: job("confirm-"),
    admin: async (line: string) => {
      const { exitCode, output, errors } = await runAdmin({ words: line.split(" ") }, operator);
      return exitCode === 0 ? output : `${exitCode}: ${errors}`;
    },
  };
}
