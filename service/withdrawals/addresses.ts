// The addresses a merchant may withdraw to: registering them, telling when they are active, and the
// operator's way to switch one off.

import assert from "node:assert";
import { auditValues } from "../audit/audit.ts";
import { isUnavailable, ServiceError } from "../errors.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import { keyExpired, keyTaken } from "../idempotency/idempotency.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import { doPage } from "../jobs/batch.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { OperatorError } from "../operator-error.ts";
import type { Owner } from "../owner.ts";
import { UniqueViolation } from "../ports/database.ts";
import {
  announceAddress,
  disableAddress,
  findAddressById,
  listAddressesToAnnounce,
  readChainFamily,
  registerAddress,
} from "./addresses.sql.ts";
import type { RegisterAddressFacts, RegisterAddressValues } from "./addresses.sql.ts";
import { isWithdrawAddressId, publishedWithdrawAddress } from "./address-model.ts";
import type { DestinationType } from "../database/words.ts";
import type { WithdrawAddress } from "./address-model.ts";
import { isSink, normalAddress } from "./address-rules.ts";
import type { RecordingPorts } from "../ports/recording.ts";

/** How many a batch of the job announces. */
const announcedMax = 100;

export interface CoolingMilliseconds {
  readonly mainNetwork: number;
  readonly testNetwork: number;
}

export interface WithdrawAddressPorts extends RecordingPorts {
  /** from registering an address until it can be used, by its chain and whatever the key */
  readonly coolingMilliseconds: CoolingMilliseconds;
}

/** As the constraints of the table are called. */
const constraints = {
  address: "withdraw_addresses_address",
  key: "withdraw_addresses_idempotency_key",
} as const;

export interface RegisterAddressCommand {
  readonly chainId: string;
  readonly address: string;
  readonly destinationType: DestinationType;
  readonly label: string | null;
  /** the API key that asks for it */
  readonly keyId: string;
}

export class WithdrawAddresses {
  readonly #ports: WithdrawAddressPorts;

  constructor(ports: WithdrawAddressPorts) {
    this.#ports = ports;
  }

  /**
   * `finish` stores the answer in the statement that writes. Throws `chain_not_accepted`,
   * `invalid_address`, `address_not_allowed`, `address_already_registered`. Texts must be without
   * U+0000.
   */
  async register(
    owner: Owner,
    command: RegisterAddressCommand,
    finish: Finish<WithdrawAddress>,
  ): Promise<void> {
    const { identifiers, coolingMilliseconds } = this.#ports;
    const { merchantId, environment } = owner;
    const { chainId, destinationType, label } = command;
    const chain = await this.#chain(environment, chainId);
    const address = allowedAddress(command.address, chain.chain_family);
    const now = this.#ports.clock.now();
    const { mainNetwork, testNetwork } = coolingMilliseconds;
    const waitMilliseconds = chain.is_test_network ? testNetwork : mainNetwork;
    const registered: WithdrawAddress = {
      id: identifiers.next("wad"),
      chainId,
      address,
      destinationType,
      label,
      activatesAt: new Date(now.getTime() + waitMilliseconds),
      disabledAt: null,
      createdAt: now,
    };
    const { id, activatesAt } = registered;
    const values = { id, chainId, address, destinationType, label, activatesAt, now };
    assertRegistered(
      await this.#write({
        ...values,
        merchantId,
        environment,
        chainFamily: chain.chain_family,
        ...eventValues(this.#ports, {
          merchantId,
          environment,
          type: "withdraw_address.registered",
          resource: { type: "withdraw_address", id },
          data: dataAbout("withdraw_address", publishedWithdrawAddress(registered, now)),
        }),
        ...auditValues({
          occurredAt: now,
          actor: `api_key ${command.keyId}`,
          action: "withdraw_address.registered",
          merchantId,
          environment,
          subject: { type: "withdraw_address", id },
          details: { chain_id: chainId, address, destination_type: destinationType },
        }),
        ...finish(registered),
      }),
    );
  }

  /**
   * What `register` would refuse of a body of which parts are not known, but for what only writing
   * finds out: whether the address is ours, or registered.
   */
  async problemsOf(
    { environment }: Owner,
    {
      chainId,
      address,
    }: { readonly chainId: string | undefined; readonly address: string | undefined },
  ): Promise<readonly ServiceError[]> {
    if (chainId === undefined) return [];
    try {
      const chain = await this.#chain(environment, chainId);
      if (address !== undefined) allowedAddress(address, chain.chain_family);
      return [];
    } catch (error) {
      if (error instanceof ServiceError && !isUnavailable(error)) return [error];
      throw error;
    }
  }

  /** Throws `chain_not_accepted`. */
  async #chain(environment: Owner["environment"], chainId: string) {
    const [chain] = await this.#ports.database.run(readChainFamily, { chainId, environment });
    if (chain !== undefined) return chain;
    const more = { details: { pointer: "/chain_id", chain_id: chainId } };
    throw new ServiceError("chain_not_accepted", "The service does not know this chain.", more);
  }

  async #write(values: RegisterAddressValues): Promise<RegisterAddressFacts> {
    const write = async (): Promise<RegisterAddressFacts> => {
      const [facts] = await this.#ports.database.run(registerAddress, values);
      assert(facts !== undefined, "the statement has one row");
      return facts;
    };
    return write().catch((error: unknown) => {
      // Another request was faster.
      if (!(error instanceof UniqueViolation)) throw error;
      if (error.constraint === constraints.key) throw keyExpired();
      // Nothing was written, and what that one wrote is there now, for good.
      if (error.constraint === constraints.address) return write();
      throw error;
    });
  }

  /** For good: payouts to it end, and what waits to be sent there is not sent. Throws `OperatorError`. */
  async disable(id: string): Promise<WithdrawAddress> {
    const { database } = this.#ports;
    const [row] = isWithdrawAddressId(id) ? await database.run(findAddressById, { id }) : [];
    if (row === undefined) throw new OperatorError(`There is no withdraw address ${id}.`);
    const now = this.#ports.clock.now();
    const audit = auditValues({
      occurredAt: now,
      actor: "operator",
      action: "withdraw_address.disabled",
      merchantId: row.merchant_id,
      environment: row.environment,
      subject: { type: "withdraw_address", id },
      details: { chain_id: row.chain_id, address: row.address },
    });
    await database.run(disableAddress, { id, now, ...audit });
    return { ...addressOf(row), disabledAt: row.disabled_at ?? now };
  }

  /** Tells merchants, once for each address, that its cooling-off period is over. */
  announcing(): Job {
    return {
      name: "announce-withdraw-addresses",
      everyMilliseconds: 5_000,
      run: () => this.#announce(),
    };
  }

  async #announce(): Promise<JobRun> {
    const { database } = this.#ports;
    const now = this.#ports.clock.now();
    const rows = await database.run(listAddressesToAnnounce, { now, rowsMax: announcedMax });
    return doPage(
      { rows, rowsMax: announcedMax, now, since: (row) => row.activates_at },
      async (row) => {
        const event = eventValues(this.#ports, {
          merchantId: row.merchant_id,
          environment: row.environment,
          type: "withdraw_address.activated",
          resource: { type: "withdraw_address", id: row.id },
          data: dataAbout("withdraw_address", publishedWithdrawAddress(addressOf(row), now)),
        });
        const announced = await database.run(announceAddress, { id: row.id, now, ...event });
        return announced.length > 0;
      },
    );
  }
}

type AddressRow = NonNullable<(typeof findAddressById)["row"]>;

function addressOf(row: AddressRow): WithdrawAddress {
  return {
    id: row.id,
    chainId: row.chain_id,
    address: row.address,
    destinationType: row.destination_type,
    label: row.label,
    activatesAt: row.activates_at,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}

/** The reasons in the order of precedence; the key comes first, since nothing else counts. */
function assertRegistered(facts: RegisterAddressFacts): void {
  if (facts.is_finished) return;
  // The request registered an address once, and its answer is long forgotten.
  if (facts.has_key) throw keyExpired();
  if (facts.is_token || facts.is_ours) throw notAllowed();
  if (facts.registered_id !== null) throw alreadyRegistered(facts.registered_id);
  throw keyTaken();
}

/** In its normal form. Throws `invalid_address`, `address_not_allowed`. */
function allowedAddress(text: string, family: Parameters<typeof normalAddress>[1]): string {
  const address = normalAddress(text, family);
  if (isSink(address)) throw notAllowed();
  return address;
}

/** One text for all reasons: nobody is to learn which addresses are ours. */
function notAllowed(): ServiceError {
  const more = { details: { pointer: "/address" } };
  return new ServiceError(
    "address_not_allowed",
    "Funds cannot be withdrawn to this address.",
    more,
  );
}

function alreadyRegistered(id: string): ServiceError {
  return new ServiceError(
    "address_already_registered",
    "This address is registered on this chain.",
    { details: { withdraw_address_id: id } },
  );
}
