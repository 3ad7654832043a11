// What the files of operations share: the service on both engines, a matrix of the statuses that were
// met, and tests that begin with a merchant whom nobody has used before.

import { test as base, describe } from "vitest";
import { type Answer, errorOf } from "../support/contract-answers.ts";
import { type Asker, useMatrix } from "../support/contract-matrix.ts";
import { engines } from "../support/engines.ts";
import { type ServiceOptions, type TestService, useService } from "../support/service.ts";

export type Scene = ReturnType<typeof sceneOf>;

function sceneOf(service: TestService, asker: Asker) {
  return { service, asker, test: testWith(service) };
}

/** `test` with a merchant for those who name it. */
export function testWith(service: TestService) {
  return base.extend("merchant", () => service.newMerchant());
}

/** On each engine; at the end of the file every promised status of the operations has been met. */
export function describeOnEngines(
  operationIds: readonly string[],
  describeOperations: (scene: Scene) => void,
  options: ServiceOptions = {},
): void {
  describe.each(engines)("on %s", (engine) => {
    describeOperations(sceneOf(useService(engine, options), useMatrix(operationIds)));
  });
}

/** `[status, code]`, the two that a caller branches on. */
export function outcome({ status, body }: Answer): readonly [number, string | undefined] {
  return [status, status < 400 ? undefined : errorOf(body).code];
}
