// An operator's word, with evidence, for what the signer cannot know. Not on the socket: who asks for
// signatures must not be able to say it. Each is a record of the journal that stays.

import { openSigner } from "./open.ts";
import type { OpenedSigner } from "./open.ts";
import type { Mend } from "./journal-records.ts";
import type { SignerSettings } from "./settings.ts";
import { SignerStartError } from "./start-error.ts";

interface Mending {
  /** what is typed behind the command */
  readonly shown: string;
  readonly example: string;
  /** each of the words before the evidence */
  readonly forms: readonly RegExp[];
  /** without a check of where the journal was */
  readonly takesJournal?: boolean;
  /** For the terminal. Throws `SignerStartError`. */
  readonly run: (opened: OpenedSigner, words: readonly string[], mend: Mend) => string;
}

const chainForm = /^eip155:[1-9][0-9]{0,14}$/;
const accountForm = /^(?:hot|settlement)$/;
const numberForm = /^(?:0|[1-9][0-9]{0,14})$/;
const dateForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const evidenceForm = /^[^\p{Cc}]{10,500}$/u;

const ofNumber = {
  shown: "CHAIN ACCOUNT NUMBER EVIDENCE",
  forms: [chainForm, accountForm, numberForm],
} as const;

const mendings: Readonly<Record<string, Mending>> = {
  release: {
    ...ofNumber,
    example: 'release eip155:8453 hot 17 "0x... has number 17, see block 123"',
    run: ({ usage }, [chainId = "", account = "", number = ""], mend) => {
      const isKnown = usage.release({ chainId, account, nonce: BigInt(number) }, mend);
      if (isKnown) return `Number ${number} of ${account} on ${chainId} may be signed anew.`;
      throw new SignerStartError(
        `Number ${number} of ${account} on ${chainId} was not signed here.`,
      );
    },
  },
  next: {
    ...ofNumber,
    example: 'next eip155:8453 hot 500 "the chain counts 500, see block 123"',
    run: ({ usage }, [chainId = "", account = "", number = ""], mend) => {
      usage.setNext({ chainId, account, nonce: BigInt(number) }, mend);
      return `Number ${number} of ${account} on ${chainId} is the next one.`;
    },
  },
  clock: {
    shown: "DATE EVIDENCE",
    example: 'clock 2026-11-22 "the clock was an hour of 2036, and is right now"',
    forms: [dateForm],
    run: ({ usage }, [date = ""], mend) => {
      const today = new Date(mend.at).toISOString().slice(0, 10);
      if (date !== today) {
        throw new SignerStartError(
          `The clock says ${today}, and not ${date}: set the clock first.`,
        );
      }
      usage.confirmTime(mend.at, mend);
      return `Limits are counted from ${new Date(mend.at).toISOString()} on.`;
    },
  },
  journal: {
    shown: "EVIDENCE",
    example: 'journal "the disk was lost, restored from the copy of 2026-11-20"',
    forms: [],
    takesJournal: true,
    run: ({ usage }, _, mend) => {
      usage.note(mend);
      return "The journal is taken as it is. Say with next which numbers are used, account by account.";
    },
  },
};

export const mendingCommands: readonly string[] = Object.keys(mendings);

/** Of one of `mendingCommands`, for the terminal. Throws `SignerStartError`. */
export function mendJournal(
  settings: SignerSettings,
  [command = "", ...words]: readonly string[],
  now: number,
): string {
  const mending = mendings[command];
  const evidence = words[mending?.forms.length ?? 0] ?? "";
  const isWhole =
    mending !== undefined &&
    words.length === mending.forms.length + 1 &&
    mending.forms.every((form, at) => form.test(words[at] ?? "")) &&
    evidenceForm.test(evidence);
  if (!isWhole) {
    throw new SignerStartError(
      `Write: npm run signer -- ${command} ${mending?.shown ?? ""}, such as: ${mending?.example ?? ""}. ` +
        "The evidence is 10 to 500 characters: why this is so, for whoever reads it later.",
    );
  }
  const mend = {
    kind: "mended",
    at: now,
    command: [command, ...words.slice(0, -1)].join(" "),
    evidence,
  };
  const opened = openSigner(settings, { isJournalTaken: mending.takesJournal === true });
  try {
    return mending.run(opened, words, mend as Mend);
  } finally {
    opened.close();
  }
}

/** What was mended, the oldest first. */
export function listMends(settings: SignerSettings): string {
  const opened = openSigner(settings);
  try {
    return opened.usage.mends
      .map(({ at, command, evidence }) => `${new Date(at).toISOString()}  ${command}  ${evidence}`)
      .join("\n");
  } finally {
    opened.close();
  }
}
