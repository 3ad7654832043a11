// What a check of a server is told, and what a merchant has of which it reads.

import type { Checked } from "../../scripts/replay/check.ts";
import type { Options } from "../../scripts/replay/options.ts";
import { cellsOf, nameOf } from "../../generator/suite/cells.ts";
import { type Change, send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { createSchedule } from "../support/schedule-resources.ts";
import type { Merchant, TestService } from "../support/service.ts";

export function optionsFor(merchant: Merchant): Options {
  const { url, key, secret } = merchant;
  return {
    url,
    key,
    secret,
    environment: "test",
    isWhole: false,
    report: undefined,
    isJson: false,
    requestSeconds: 10,
    patienceSeconds: 300,
    concurrency: 4,
    otherHeaders: [],
    given: { endpoints: [], withdrawAddress: undefined, subscription: undefined },
  };
}

/** Schedules, of which one is paused, and deliveries: what a check can read. */
export async function addThings(service: TestService, merchant: Merchant): Promise<void> {
  const ask = async (operationId: string, change: Change): Promise<void> => {
    const response = await send(merchant, validRequest(operationBy(operationId), change));
    if (!response.ok) throw new Error(`${operationId}: ${await response.text()}`);
  };
  await ask("registerWebhookEndpoint", { body: { url: "https://shop.example/hooks" } });
  for (const currencies of [{}, { cur_usdc: {} }]) {
    await ask("replaceCurrencyAcceptance", { body: { currencies } });
  }
  for (const _ of [1, 2, 3]) await createSchedule(service.query, merchant);
  const { id } = await createSchedule(service.query, merchant);
  await ask("pausePayoutSchedule", { path: { id } });
}

/** Everything that was told to be wrong: where, and what. */
export function toldOf({ matrix }: Checked): readonly (readonly [cell: string, problem: string])[] {
  const wrong = [...cellsOf(matrix, "failed"), ...cellsOf(matrix, "undocumented")];
  const problems = wrong.flatMap((one) =>
    one.met.flatMap(({ problem = "" }) =>
      problem.split("\n").map((line) => [nameOf(one), line] as const),
    ),
  );
  const empty = cellsOf(matrix, "empty").map((one) => [nameOf(one), "was never met"] as const);
  return [...problems, ...empty];
}
