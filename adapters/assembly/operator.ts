// What the operator's commands about chains work on.

import type { CatalogReader } from "../../service/catalog/catalog.ts";
import { ChainOperations } from "../../service/sweeps/operations.ts";
import type { WatchedAccounts } from "../../service/chains/deposits.ts";
import { ChainRescan } from "../../service/chains/rescan.ts";
import { ForgottenSweeps } from "../../service/sweeps/forgotten.ts";
import { UndecidedSends } from "../../service/sweeps/undecided.ts";
import { ChainSettings } from "../../service/sweeps/settings.ts";
import { PaymentProgress } from "../../service/payments/progress.ts";
import { ForgottenRefunds } from "../../service/suspense/forgotten.ts";
import { takeBackGone } from "../../service/suspense/gone.ts";
import { PaymentTroubles } from "../../service/payments/troubles.ts";
import type { RecordingPorts } from "../../service/ports/recording.ts";
import type { Chain } from "../../service/ports/chain.ts";
import { ForgottenWithdrawals } from "../../service/withdrawals/forgotten.ts";
import type { ChainOperator } from "../operator/chains.ts";
import type { SuspenseOperator } from "../operator/suspense.ts";
import type { WithdrawalOperator } from "../operator/withdrawals.ts";
import type { ChainKnowledge } from "./chains.ts";
import type { Alarm } from "../system/alarm.ts";

export interface ChainOperatorPorts extends RecordingPorts {
  readonly catalog: CatalogReader;
  readonly alarm: Alarm;
  /** left out: this process does not know what is ours */
  readonly accounts?: WatchedAccounts;
  /** those that this process has */
  readonly chains?: readonly Chain[];
  /** with none of them: called where somebody wants one */
  readonly readChains?: (knowledge: ChainKnowledge) => Promise<readonly Chain[]>;
}

type ReadingOperator = Omit<ChainOperator, "rehearse"> &
  Pick<WithdrawalOperator, "forgottenWithdrawals"> &
  Pick<SuspenseOperator, "forgottenRefunds">;

/** All that asks a chain, and what is about chains. */
export function buildChainOperator(ports: ChainOperatorPorts): ReadingOperator {
  const { chains = [], readChains } = ports;
  const chainOf = async (chainId: string): Promise<Chain | undefined> => {
    const all = chains.length > 0 ? chains : await readChains?.(ports);
    return all?.find((chain) => chain.chainId === chainId);
  };
  const progress = new PaymentProgress(ports);
  const paymentTroubles = new PaymentTroubles({ ...ports, progress });
  return {
    chainOperations: new ChainOperations(ports),
    chainSettings: new ChainSettings(ports),
    paymentTroubles,
    chainRescan: new ChainRescan({
      ...ports,
      onTouched: (inside, ids) => progress.refresh(inside, ids),
      onNobodysGone: (inside, chainId) => takeBackGone(ports, inside, chainId),
      postpone: paymentTroubles.postpone,
      chainOf,
    }),
    forgottenRefunds: new ForgottenRefunds({ ...ports, chainOf }),
    forgottenSweeps: new ForgottenSweeps({ ...ports, chainOf }),
    undecidedSends: new UndecidedSends({ ...ports, chainOf }),
    forgottenWithdrawals: new ForgottenWithdrawals({ ...ports, chainOf }),
  };
}
