// Which commands ask before they do it, since they move money or cannot be undone, and what is typed to confirm them.
// What can be set back, such as a fee or a suspended merchant, is not asked about, and neither is what only stops
// something; what leaves under a limit that was raised does not come back. Of a key that is rotated a second one has the same rights.

export interface Confirmation {
  readonly because: "moves money" | "cannot be undone";
  /** the word of the command that is typed once more */
  readonly typed: string;
  /** in its place where it is left out, or where there is none */
  readonly otherwise?: string;
}

const moves = (typed: string, otherwise?: string): Confirmation => ({
  because: "moves money",
  typed,
  ...(otherwise === undefined ? {} : { otherwise }),
});
const ends = (typed: string): Confirmation => ({ because: "cannot be undone", typed });

export const confirmations: Readonly<Record<string, Confirmation>> = {
  "key revoke": ends("key"),
  "ledger fund": moves("amount"),
  "ledger move": moves("amount"),
  "ledger take": moves("amount"),
  "ledger unfreeze": moves("deployment"),
  "suspense credit": moves("item"),
  "suspense return": moves("item"),
  "suspense write-off": moves("item"),
  "suspense decide": ends("exit"),
  "suspense remember": ends("exit"),
  "debt settle": moves("amount"),
  "debt write-off": moves("amount"),
  "withdrawal approve": moves("withdrawal"),
  "withdrawal reject": ends("withdrawal"),
  "withdrawal decide": ends("withdrawal"),
  "withdrawal remember": ends("withdrawal"),
  "withdrawal limit": moves("deployment"),
  "withdrawal resume": moves("chain", "all"),
  "withdraw-address disable": ends("address"),
  "webhook resend": ends("endpoint"),
  "signer accept": ends("fingerprint"),
  "signer take-journal": { ...ends("journal"), otherwise: "journal" },
  "chain sweep": moves("chain"),
  "chain float": moves("max"),
  "chain decide": ends("subject"),
  "chain remember": ends("transaction"),
  "chain rescan": ends("chain"),
};

/** Undefined: what was typed asks nothing, or says itself that it is meant. */
export function confirmationOf(words: readonly string[]): Confirmation | undefined {
  if (["--yes", "--dry-run", "--help", "-h"].some((word) => words.includes(word))) return undefined;
  const name = words.slice(0, 2).join(" ");
  return Object.hasOwn(confirmations, name) ? confirmations[name] : undefined;
}
