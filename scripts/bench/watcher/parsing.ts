// What the adapter does with a log before anybody asks whose it is: its JSON, and whether it is believed.

import { readLogs, transferOf } from "../../../adapters/evm/logs.ts";
import { logsText } from "./prepared-chain.ts";

export interface Parsing {
  /** microseconds for each log */
  readonly json: number;
  readonly checks: number;
}

const logsOfBlock = 1_000;
/** Of nobody else: each sender and recipient is met once. */
let nextNumber = 100_000_000;

export function measureParsing(blocks: number): Parsing {
  const texts = Array.from({ length: blocks }, () => {
    nextNumber += 1;
    return logsText({ number: nextNumber, ours: 0, firstPayment: 0, others: logsOfBlock });
  });
  const [json, answers] = taking(() => texts.map((text): unknown => JSON.parse(text)));
  const [checks, transfers] = taking(() => answers.map((one) => readLogs(one).map(transferOf)));
  if (transfers.flat().filter((one) => one !== undefined).length !== blocks * logsOfBlock) {
    throw new Error("a log was not read as the transfer that it is");
  }
  const logs = blocks * logsOfBlock;
  return { json: json / logs, checks: checks / logs };
}

function taking<Result>(work: () => Result): readonly [number, Result] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [user + system, result];
}
