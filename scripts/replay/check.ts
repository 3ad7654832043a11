// The whole check of a server: a first look, what can be read, what has to be refused, and with --all the
// life of everything that a merchant can make.

import { buildAnswerJudge } from "../../generator/suite/answer-judge.ts";
import {
  buildMatrix,
  type DocumentedOperation,
  isSound,
  type Matrix,
} from "../../generator/suite/cells.ts";
import { listAt, textOf } from "../../generator/suite/json.ts";
import { documented } from "../../test/support/contract-cells.ts";
import { contract } from "../../test/support/contract-document.ts";
import { judges } from "../../test/support/contract-schemas.ts";
import { Caller } from "./caller.ts";
import { readCatalog } from "./catalog-reads.ts";
import { firstLook, type FirstLook } from "./first-look.ts";
import { readDeliveries, readSchedules, untilStopped } from "./list-reads.ts";
import { liveEverything } from "./lives/everything.ts";
import type { Options } from "./options.ts";
import { Pace } from "./pace.ts";
import { refusals } from "./refusals.ts";
import { buildRedaction } from "./secrets.ts";
import { serverRow, Session } from "./session.ts";
import { together } from "./together.ts";
import { whyUntried } from "./untried.ts";
import { UsageError } from "./usage-error.ts";

export interface Checked {
  readonly matrix: Matrix;
  readonly isSound: boolean;
  readonly requests: number;
  /** what was made and stays */
  readonly notes: readonly string[];
  /** why it ended before everything was asked */
  readonly brokenOff: string | undefined;
}

/** Throws `UsageError` where it makes no sense to begin. */
export async function check(options: Options): Promise<Checked> {
  const { url, key, secret, requestSeconds, concurrency, otherHeaders, isWhole } = options;
  const caller = new Caller({ url, key, secret }, { requestSeconds, concurrency });
  try {
    const look = await firstLook(caller, url);
    const session = new Session({
      caller,
      pace: new Pace(options.patienceSeconds),
      judge: buildAnswerJudge(contract, judges, { otherHeaders }),
      secret,
      url,
      redact: buildRedaction(secret),
    });
    noteDocument(session, look);
    const brokenOff = await playAll(session, options, look);
    const tried = { ...pick(session), isWhole };
    const matrix = buildMatrix([...documented, server], session.met, {
      whyUntried: (cell) => whyUntried(cell, tried),
    });
    const isRight = isSound(matrix) && brokenOff === undefined;
    const { requests, notes } = session;
    return { matrix, isSound: isRight, requests, notes, brokenOff };
  } finally {
    caller.close();
  }
}

function pick({ lacking, meant, unplayed, stopped }: Session) {
  return { lacking, meant, unplayed, stopped };
}

async function playAll(
  session: Session,
  options: Options,
  { usedNonce }: FirstLook,
): Promise<string | undefined> {
  const { concurrency, environment, isWhole, given } = options;
  try {
    const wish = { environment, concurrency };
    const catalog = await untilStopped(() => readCatalog(session, wish));
    await untilStopped(() => readSchedules(session));
    await readDeliveries(session);
    await together(refusals(usedNonce), concurrency, (step) => session.play(step));
    if (isWhole && catalog !== undefined) await liveEverything(session, catalog, given);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** What is answered outside of the operations, and the document that the server shows. */
const server: DocumentedOperation = {
  operation: serverRow,
  title: "/openapi.json, and what is no operation",
  cells: [
    { operation: serverRow, status: 200 },
    ...Array.from(contract.serverResponses).flatMap(([status, { node }]) =>
      listAt(node, "x-error-codes").map((code) => {
        return { operation: serverRow, status: Number(status), code: textOf(code) };
      }),
    ),
  ],
};

function noteDocument({ met }: Session, { documentProblem: problem }: FirstLook): void {
  met.push({ operation: serverRow, status: 200, by: `${serverRow}: GET /openapi.json`, problem });
}
