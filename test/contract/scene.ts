// What the files of operations share: the service on both engines, and tests that begin with a merchant
// whom nobody has used before.

import { test as base, describe } from "vitest";
import { type Answer, errorOf } from "../support/contract-answers.ts";
import { type Asker, buildAsker } from "../support/contract-asker.ts";
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

export function describeOnEngines(
  describeOperations: (scene: Scene) => void,
  options: ServiceOptions = {},
): void {
  describe.each(engines)("on %s", (engine) => {
    describeOperations(sceneOf(useService(engine, options), buildAsker()));
  });
}

/** `[status, code]`, the two that a caller branches on. */
export function outcome({ status, body }: Answer): readonly [number, string | undefined] {
  return [status, status < 400 ? undefined : errorOf(body).code];
}
