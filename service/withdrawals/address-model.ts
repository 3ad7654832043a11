// An address that a merchant may withdraw to.

import type { DestinationType } from "../database/words.ts";

export interface WithdrawAddress {
  readonly id: string;
  /** CAIP-2 */
  readonly chainId: string;
  /** in the normal form of its chain's family */
  readonly address: string;
  readonly destinationType: DestinationType;
  readonly label: string | null;
  readonly activatesAt: Date;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export type WithdrawAddressStatus = "pending_activation" | "active" | "disabled";

/** It follows from the clock: an address is active at its time even if nothing of ours runs then. */
export function withdrawAddressStatus(
  { activatesAt, disabledAt }: Pick<WithdrawAddress, "activatesAt" | "disabledAt">,
  now: Date,
): WithdrawAddressStatus {
  if (disabledAt !== null) return "disabled";
  return activatesAt <= now ? "active" : "pending_activation";
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function isWithdrawAddressId(text: string): boolean {
  return /^wad_[0-9A-Za-z]{1,64}$/.test(text);
}

/** In wire names: the service needs them too, for the data of events. */
export interface PublishedWithdrawAddress {
  readonly id: string;
  readonly chain_id: string;
  readonly address: string;
  readonly destination_type: DestinationType;
  readonly label: string | null;
  readonly status: WithdrawAddressStatus;
  readonly activates_at: string;
  readonly created_at: string;
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly withdraw_address: PublishedWithdrawAddress;
  }
}

export function publishedWithdrawAddress(
  address: WithdrawAddress,
  now: Date,
): PublishedWithdrawAddress {
  return {
    id: address.id,
    chain_id: address.chainId,
    address: address.address,
    destination_type: address.destinationType,
    label: address.label,
    status: withdrawAddressStatus(address, now),
    activates_at: address.activatesAt.toISOString(),
    created_at: address.createdAt.toISOString(),
  };
}
