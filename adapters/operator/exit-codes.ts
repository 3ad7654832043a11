// How a command ends, for scripts: one table for the code, the usage and the documentation.

export const exitCodes = {
  done: { code: 0, says: "done; all that was looked at is well" },
  no: {
    code: 1,
    says: "refused, and nothing was changed; or what status, verify or resend looked at is not well",
  },
  usage: { code: 2, says: "these words are no command" },
  unreachable: {
    code: 3,
    says: "the database, the signer or a chain does not answer, or the configuration does not fit; look before you repeat it",
  },
  unconfirmed: { code: 4, says: "not confirmed, and nothing was changed" },
  failed: { code: 5, says: "a fault of ours; standard error or the server's log has more" },
} as const;

export type Ending = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[Ending]["code"];
