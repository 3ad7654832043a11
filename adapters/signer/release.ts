// An operator's word that what was signed under a number will never be mined. Not on the socket: who
// asks for signatures must not be able to say it.

import type { SignerSettings } from "./settings.ts";
import { openSigner } from "./open.ts";
import { SignerStartError } from "./start-error.ts";

/** For the terminal. Throws `SignerStartError`. */
export function releaseNumber(settings: SignerSettings, words: readonly string[]): string {
  const [chainId = "", account = "", number = ""] = words;
  const isWhole =
    words.length === 3 &&
    /^eip155:[1-9][0-9]{0,14}$/.test(chainId) &&
    /^(?:hot|settlement)$/.test(account) &&
    /^(?:0|[1-9][0-9]{0,14})$/.test(number);
  if (!isWhole) {
    throw new SignerStartError(
      "Write: npm run signer -- release CHAIN ACCOUNT NUMBER, such as: release eip155:8453 hot 17",
    );
  }
  const opened = openSigner(settings);
  try {
    const isKnown = opened.usage.release({ chainId, account, nonce: BigInt(number) });
    if (isKnown) return `Number ${number} of ${account} on ${chainId} may be signed anew.`;
    throw new SignerStartError(`Number ${number} of ${account} on ${chainId} was not signed here.`);
  } finally {
    opened.close();
  }
}
