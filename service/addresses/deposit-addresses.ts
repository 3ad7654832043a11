// The address of a payment in a family of chains. It is made when somebody first wants to pay there:
// to derive one costs milliseconds, and most payments need one family or none.

import { ServiceError } from "../errors.ts";
import type { Deployment } from "../catalog/model.ts";
import type { AddressIndexes } from "./indexes.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { DepositAddressSource } from "../ports/chain.ts";
import { ForeignSigner } from "../ports/signer.ts";
import { findOtherSigner } from "./signer-identity.sql.ts";
import { findDepositAddress, insertDepositAddress } from "./deposit-addresses.sql.ts";

export interface DepositAddressPorts extends StoragePorts {
  /** of each family that can be paid in */
  readonly sources: Readonly<Partial<Record<Deployment["chainFamily"], DepositAddressSource>>>;
  readonly indexes: Pick<AddressIndexes, "next">;
}

export class DepositAddresses {
  readonly #ports: DepositAddressPorts;

  constructor(ports: DepositAddressPorts) {
    this.#ports = ports;
  }

  /**
   * The same address whenever and by however many it is asked for. It stays this payment's for ever,
   * and is watched for ever: money that comes late is still the payer's or the merchant's. Throws
   * `payment_not_found`, and `chain_unavailable` where no source of addresses is set up, or nobody
   * can say which indexes are free.
   */
  async open(paymentId: string, family: Deployment["chainFamily"]): Promise<string> {
    const { database, clock } = this.#ports;
    const known = await this.#find(paymentId, family);
    if (known !== undefined) return known;
    const source = this.#ports.sources[family];
    if (source === undefined) {
      throw new ServiceError("chain_unavailable", "This chain cannot be paid on right now.");
    }
    await this.#checkKey(source);
    const index = await this.#ports.indexes.next();
    const now = clock.now();
    const values = { paymentId, family, index, address: source.derive(index), now };
    const [made] = await database.run(insertDepositAddress, values);
    // Somebody else was faster; the index stays unused.
    const address = made?.address ?? (await this.#find(paymentId, family));
    if (address !== undefined) return address;
    throw new ServiceError("payment_not_found", "There is no payment with this id.");
  }

  /** A process that was started before an operator accepted another signer gives none any more. */
  async #checkKey({ publicKey }: DepositAddressSource): Promise<void> {
    if (publicKey === undefined) return;
    const values = { depositPublicKey: publicKey };
    if ((await this.#ports.database.run(findOtherSigner, values)).length === 0) return;
    const cause = new ForeignSigner("the database belongs to another signer");
    throw new ServiceError("chain_unavailable", "No new address can be made right now.", { cause });
  }

  async #find(paymentId: string, family: Deployment["chainFamily"]): Promise<string | undefined> {
    const [row] = await this.#ports.database.run(findDepositAddress, { paymentId, family });
    return row?.address;
  }
}
