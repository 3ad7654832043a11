// The operator's commands about the signer that the database belongs to, as text.

import type { SignerIdentity } from "../../service/addresses/signer-identity.ts";
import { table } from "./tables.ts";
import { type Command, command, place } from "./words.ts";

export interface SignerOperator {
  readonly signerIdentity: Pick<SignerIdentity, "list" | "accept">;
}

export const signerCommands: readonly Command<SignerOperator>[] = [
  command("signer show", {
    says: "the signer that this database belongs to, and the last one that was refused",
    words: {},
    run: async (_, { signerIdentity }: SignerOperator) => {
      const rows = (await signerIdentity.list()).map((one) => [
        one.state,
        one.fingerprint,
        one.hotAddress,
        one.settlementAddress,
        one.since.toISOString(),
      ]);
      return table([["STATE", "FINGERPRINT", "HOT", "SETTLEMENT", "SINCE"], ...rows]);
    },
  }),
  command("signer accept", {
    says: "from now on the database belongs to the one that was refused; stop all servers before",
    words: { fingerprint: place("FINGERPRINT") },
    run: async ({ fingerprint }, { signerIdentity }: SignerOperator) => {
      const { hotAddress } = await signerIdentity.accept(fingerprint);
      return `The signer with the hot account ${hotAddress} is accepted.\n`;
    },
  }),
];
