/** Why the signer does not start, for whoever starts it. */
export class SignerStartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SignerStartError";
  }
}
