// Numbers that somebody outside counts on: merchants, receivers, operators, load balancers. They stand
// here as they stand in the documents, so that no edit changes one unseen.

import { expect, test } from "vitest";
import { leaseLimits } from "../../adapters/assembly/job-leases.ts";
import { jobLimits } from "../../adapters/assembly/job-loop.ts";
import { endpointLimits } from "../../adapters/evm/endpoint.ts";
import { feeLimits } from "../../adapters/evm/sending.ts";
import {
  sameSignalMilliseconds,
  stopDeadlineMilliseconds,
} from "../../adapters/http/graceful-stop.ts";
import { serverLimits } from "../../adapters/http/server.ts";
import { signerClientLimits } from "../../adapters/signer-client/client.ts";
import * as protocol from "../../adapters/signer-client/protocol.ts";
import { loopLimits } from "../../adapters/webhooks/dispatcher-loop.ts";
import { keptLimits } from "../../adapters/webhooks/kept-connections.ts";
import { blockSize } from "../../service/addresses/indexes.ts";
import { bpsMax, rawAmountMax } from "../../service/amounts.ts";
import { watcherLimits } from "../../service/chains/limits.ts";
import { endpointsMax } from "../../service/database/words.ts";
import { eventDataBytesMax } from "../../service/events/events.ts";
import { jobLeaseMilliseconds } from "../../service/jobs/leases.sql.ts";
import { overlapMillisecondsMax } from "../../service/merchants/api-keys.ts";
import { graceMilliseconds } from "../../service/payments/rules.ts";
import { intervalSeconds } from "../../service/payouts/schedules.ts";
import { ratePolicies, rateWindowSeconds, sitePolicies } from "../../service/ports/rate-limits.ts";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import { resendMilliseconds } from "../../service/sending/resending.ts";
import { pastDueDaysMax } from "../../service/subscriptions/biller.ts";
import { billIntervalSeconds } from "../../service/subscriptions/subscriptions.ts";
import { sweepGasUnits } from "../../service/sweeps/operations.ts";
import * as delivery from "../../service/webhooks/delivery-rules.ts";
import * as dispatcher from "../../service/webhooks/dispatcher.ts";
import { validAfterExpirySeconds } from "../../service/x402/requirements.ts";

const hour = 3_600_000;
const day = 24 * hour;
const gwei = 10n ** 9n;

test("to merchants", () => {
  expect(rawAmountMax).toBe(
    115792089237316195423570985008687907853269984665640564039457584007913129639935n,
  );
  expect(bpsMax).toBe(10_000);
  expect(graceMilliseconds).toBe(7 * day);
  expect(overlapMillisecondsMax).toBe(7 * day);
  expect(intervalSeconds).toEqual({ min: 3_600, max: 31_622_400 });
  expect(billIntervalSeconds).toEqual({ min: 86_400, max: 31_622_400 });
  expect(pastDueDaysMax).toBe(14);
  expect(validAfterExpirySeconds).toBe(600);
  expect(endpointsMax).toBe(20);
  expect(rateWindowSeconds).toBe(60);
  expect(ratePolicies).toEqual({
    read: 600,
    write: 120,
    money: 60,
    merchant: 1_200,
    address: 1_200,
    failed_authentication: 30,
    checkout: 60,
  });
  expect(sitePolicies).toEqual({ failed_authentication: 4, checkout: 16 });
});

test("to receivers of webhooks", () => {
  const minute = 60;
  expect(delivery.attemptDelaysSeconds).toEqual([
    0,
    5,
    5 * minute,
    30 * minute,
    120 * minute,
    300 * minute,
    600 * minute,
    840 * minute,
    1200 * minute,
    1440 * minute,
  ]);
  expect(delivery.attemptsMax).toBe(10);
  expect(delivery.jitterShare).toBe(0.2);
  expect(delivery.failingMaxMilliseconds).toBe(120 * hour);
  expect(delivery.disablingAttemptsMin).toBe(7);
  expect(delivery.resumableMilliseconds).toBe(72 * hour);
  expect(delivery.keptMilliseconds).toBe(30 * day);
  expect(dispatcher.perEndpointMax).toBe(4);
  expect(dispatcher.perMerchantMax).toBe(32);
  expect(dispatcher.claimMilliseconds).toBe(60_000);
  expect(eventDataBytesMax).toBe(19_456);
  expect(keptLimits).toEqual({
    idleMilliseconds: 10_000,
    ageMillisecondsMax: 60_000,
    idleMax: 1_024,
  });
  expect(loopLimits).toEqual({
    inFlightMax: 128,
    slowMilliseconds: 1_000,
    slowMax: 1_024,
    idleMilliseconds: 1_000,
    restMillisecondsMax: 50,
    backOffMilliseconds: 1_000,
    backOffMillisecondsMax: 60_000,
  });
});

test("to whoever talks to the server, and to those who stop it", () => {
  expect(serverLimits).toEqual({
    headerBytesMax: 16_384,
    headerCountMax: 100,
    headersTimeoutMilliseconds: 10_000,
    requestTimeoutMilliseconds: 30_000,
    keepAliveTimeoutMilliseconds: 65_000,
    timeoutCheckMilliseconds: 1_000,
    silenceMilliseconds: 60_000,
    connectionsMax: 10_000,
    connectionsPerAddressMax: 500,
    refusalsToldMilliseconds: 60_000,
  });
  expect([stopDeadlineMilliseconds, sameSignalMilliseconds]).toEqual([10_000, 500]);
  expect(jobLimits).toEqual({
    batchesMax: 200,
    restMilliseconds: 1_000,
    backOffMilliseconds: 1_000,
    backOffMillisecondsMax: 300_000,
    stopMillisecondsMax: 5_000,
  });
  expect(jobLeaseMilliseconds).toBe(8_000);
  expect(leaseLimits).toEqual({
    lookMilliseconds: 2_000,
    backOffMillisecondsMax: 8_000,
    batchMillisecondsMax: 60_000,
  });
});

test("to chains and the signer", () => {
  expect(endpointLimits).toEqual({
    callMilliseconds: 10_000,
    slowMilliseconds: 30_000,
    answerBytesMax: 67_108_864,
    batchMax: 50,
    singlesAtOnce: 8,
  });
  expect(feeLimits).toEqual({
    maxFeePerGas: 2_000n * gwei,
    maxPriorityFeePerGas: 200n * gwei,
  });
  expect(watcherLimits).toEqual({
    blocksMax: 100,
    blocksAtOnce: 20,
    keptBlocks: 4096n,
    firstBlocks: 32n,
    secondLookBlocks: 3n,
    finalsMax: 25,
  });
  expect([leaseMilliseconds, resendMilliseconds]).toEqual([60_000, 15_000]);
  expect([sweepGasUnits, blockSize]).toEqual([100_000n, 1_000n]);
  expect(signerClientLimits).toEqual({ answerMilliseconds: 10_000, waitingMax: 500 });
  expect([protocol.requestBytesMax, protocol.answerBytesMax]).toEqual([16_384, 65_536]);
  expect([protocol.socketPathBytesMax, protocol.signerMistakeExitCode]).toEqual([100, 2]);
  expect(protocol.depositIndexMax).toBe(2_147_483_647n);
});
