// One document: a server is made of it, the suite looks at it, and then at servers that each have one fault.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DocumentError } from "../../generator/problems.ts";
import type { Operation } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { Drawing } from "../../generator/suite/drawing.ts";
import { buildJudges } from "../../generator/suite/schemas.ts";
import { ContractSuite, readViolations } from "../../generator/suite/suite.ts";
import { upgrade } from "../../generator/suite/upgrade.ts";
import type { Tries, Try } from "../../generator/suite/try.ts";
import { answerFaults, documentFaults, type Fault, protocolFaults } from "./faults.ts";
import { type Made, Mock } from "./mock.ts";
import { type MadeServer, makeServer } from "./server.ts";

export interface Planted {
  readonly name: string;
  readonly kind: Fault["kind"];
  /** the try that noticed it; undefined: none did */
  readonly by: string | undefined;
  readonly problem: string | undefined;
}

export interface Trial {
  readonly operations: number;
  readonly tries: number;
  readonly untried: readonly string[];
  /** of the server as it must be */
  readonly problems: readonly string[];
  readonly planted: readonly Planted[];
  /** servers that the generator refused to make */
  readonly refused: number;
}

export interface TrialWish {
  readonly path: string;
  readonly seed: number;
  /** of each kind */
  readonly faults: number;
  readonly say: (line: string) => void;
}

interface Named {
  readonly operation: Operation;
  readonly one: Try;
}

interface Send {
  current: (request: Request) => Promise<Response>;
}

const base = "http://localhost";

export async function trial(wish: TrialWish): Promise<Trial> {
  const { path, seed, faults: count, say } = wish;
  const seen = new Map<string, Made>();
  let change = (made: Made): Made => {
    seen.set(JSON.stringify(made), made);
    return made;
  };
  const server = await makeServer({ path, mock: undefined, change: (made) => change(made) });
  const send: Send = { current: server.send };
  const suite = suiteOf(server, send, seed);
  const all = suite.operations.map((operation) => ({ operation, ...suite.triesOf(operation) }));
  const problems = await problemsOf(suite, all, Infinity);
  const named = problems.map(({ name, problem }) => `${name}: ${problem}`);
  const dice = new Dice(seed);
  const document = upgrade(server.document);
  const drawing = new Drawing(suite.contract, buildJudges(document));
  const source = readFileSync(path, "utf8");
  const chosen: readonly Fault[] = [
    ...drawn(answerFaults(drawing, [...seen.values()]), count, dice),
    ...drawn(documentFaults(suite.contract, source), count, dice),
    ...protocolFaults(suite.contract),
  ];
  const planted: Planted[] = [];
  let refused = 0;
  for (const fault of named.length > 0 ? [] : chosen) {
    const { kind, name } = fault;
    change = fault.kind === "answer" ? fault.change : (made) => made;
    try {
      send.current = await sendWith(fault, {
        server,
        document: path,
        mock: new Mock(server.document),
      });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      refused += 1;
      continue;
    }
    const [found] = await problemsOf(suite, all, 1);
    planted.push({ kind, name, by: found?.name, problem: found?.problem });
    if (found === undefined) say(`not noticed: ${kind} ${name}`);
  }
  const tries = all.reduce((sum, one) => sum + one.tries.length, 0);
  const untried = all.flatMap(({ operation, untried: some }) =>
    some.map((one) => `${operation.operationId}: ${one}`),
  );
  return { operations: all.length, tries, untried, problems: named, planted, refused };
}

function suiteOf({ document }: MadeServer, send: Send, seed: number): ContractSuite {
  return new ContractSuite({
    document,
    seed,
    judgesRefusals: false,
    saidWrong: readViolations,
    send: ({ method, target, headers, body }) =>
      send.current(
        new Request(base + target, { method, headers, ...(body === undefined ? {} : { body }) }),
      ),
  });
}

interface Problem {
  readonly name: string;
  readonly problem: string;
}

/** So many at most. */
async function problemsOf(
  suite: ContractSuite,
  all: readonly ({ readonly operation: Operation } & Tries)[],
  most: number,
): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  const named: readonly Named[] = all.flatMap(({ operation, tries }) =>
    tries.map((one) => ({ operation, one })),
  );
  for (const { operation, one } of named) {
    const { problem } = await suite.run(operation, one);
    if (problem === undefined) continue;
    found.push({ name: `${operation.operationId}: ${one.name}`, problem });
    if (found.length >= most) break;
  }
  return found;
}

interface Sound {
  readonly server: MadeServer;
  /** its path */
  readonly document: string;
  readonly mock: Mock;
}

async function sendWith(fault: Fault, { server, document, mock }: Sound): Promise<Send["current"]> {
  if (fault.kind === "answer") return server.send;
  if (fault.kind === "document") {
    const folder = mkdtempSync(join(tmpdir(), "suite-trial-"));
    const path = join(folder, `other${/\.\w+$/.exec(document)?.[0] ?? ".yaml"}`);
    try {
      writeFileSync(path, fault.text);
      return (await makeServer({ path, mock, change: (made) => made })).send;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const { before = (one) => one, after = (one) => one } = fault;
  return async (request) => after(await server.send(await before(request)));
}

function drawn<Item>(list: readonly Item[], count: number, dice: Dice): readonly Item[] {
  const left = [...list];
  const found: Item[] = [];
  while (found.length < count && left.length > 0) {
    found.push(...left.splice(dice.below(left.length), 1));
  }
  return found;
}
