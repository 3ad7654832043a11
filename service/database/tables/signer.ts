// The tables of the signer that this database belongs to.

export interface SignerIdentitiesTable {
  readonly slot: "accepted" | "refused";
  readonly fingerprint: string;
  readonly hot_address: string;
  readonly settlement_address: string;
  readonly deposit_public_key: string;
  readonly since: Date;
}

export interface SignerJournalsTable {
  readonly deposit_public_key: string;
  readonly record_count: bigint;
  readonly head: string;
  readonly seen_at: Date;
}

export interface SignerTables {
  readonly signer_journals: SignerJournalsTable;
  readonly signer_identities: SignerIdentitiesTable;
}
