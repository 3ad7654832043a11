// The table of the signer that this database belongs to.

export interface SignerIdentitiesTable {
  readonly slot: "accepted" | "refused";
  readonly fingerprint: string;
  readonly hot_address: string;
  readonly settlement_address: string;
  readonly deposit_public_key: string;
  readonly since: Date;
}

export interface SignerTables {
  readonly signer_identities: SignerIdentitiesTable;
}
