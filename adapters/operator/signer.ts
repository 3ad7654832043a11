// The operator's commands about the signer that the database belongs to, as text.

import type { SignerIdentity } from "../../service/addresses/signer-identity.ts";
import type { SignerJournals } from "../../service/addresses/signer-journals.ts";
import { listing, result, said } from "./results.ts";
import { type Command, command, place, text } from "./words.ts";

export interface SignerOperator {
  readonly signerIdentity: Pick<SignerIdentity, "list" | "accept">;
  readonly signerJournals: Pick<SignerJournals, "accept">;
}

export const signerCommands: readonly Command<SignerOperator>[] = [
  command("signer show", {
    says: "the signer that this database belongs to, and the last one that was refused",
    words: {},
    run: async (_, { signerIdentity }: SignerOperator) =>
      result(
        listing("signers", await signerIdentity.list(), [
          ["STATE", "state", (one) => one.state],
          ["FINGERPRINT", "fingerprint", (one) => one.fingerprint],
          ["HOT", "hot_address", (one) => one.hotAddress],
          ["SETTLEMENT", "settlement_address", (one) => one.settlementAddress],
          ["SINCE", "since", (one) => one.since],
        ]),
      ),
  }),
  command("signer accept", {
    says: "from now on the database belongs to the one that was refused; stop all servers before",
    words: { fingerprint: place("FINGERPRINT") },
    dryRun: "rehearsal",
    run: async ({ fingerprint }, { signerIdentity }: SignerOperator) => {
      const { hotAddress } = await signerIdentity.accept(fingerprint);
      const sentence = `The signer with the hot account ${hotAddress} is accepted.\n`;
      return result(said(sentence, { fingerprint, hot_address: hotAddress }));
    },
  }),
  command("signer take-journal", {
    says: "ends the alarm signer_journal_went_back: the journal is taken from where it is",
    words: { reason: text("TEXT") },
    dryRun: "rehearsal",
    run: async ({ reason }, { signerJournals }: SignerOperator) => {
      await signerJournals.accept(reason);
      return result(said("The journal of the signer is taken as it is.\n", { is_taken: true }));
    },
  }),
];
