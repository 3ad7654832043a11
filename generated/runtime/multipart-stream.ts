// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Multipart bodies that the handler reads while they come: the fields first, which are held against the contract
// before it is asked, and then one file after the other, of whose bytes nothing is kept.

import { boundaryOf, MultipartError, MultipartParser, type PartHead } from "./multipart-parser.ts";
import {
  addPart,
  addValue,
  bytesOf,
  fileRules,
  openPlace,
  sizeProblem,
  type FileRules,
  type Form,
  type MultipartPlan,
} from "./multipart.ts";
import type { IncomingFile, IncomingForm } from "./answers.ts";
import type { Checked } from "./checked.ts";
import type { Problem } from "./checking.ts";
import { streamOf, tooLarge, type Inflow } from "./inflow.ts";
import { invalidRequest, type RequestError, type Violation } from "./runtime.ts";
import { put, type Values } from "./values.ts";
import { escapePointer, problemsToViolations } from "./violations.ts";

export interface IncomingFormPlan extends MultipartPlan {
  readonly check: Checked;
  /** of all fields together, and of the names of files, which are held in memory */
  readonly fieldBytesMax: number;
}

/** Reads as far as the first file. */
export async function openForm(
  inflow: Inflow,
  plan: IncomingFormPlan,
  contentType: string,
): Promise<IncomingForm<Values, string>> {
  const form = await orRefusal(() => new FormReader(inflow, plan, boundaryOf(contentType)));
  await form.readFields();
  return { fields: form.values, files: form.files() };
}

class FormReader implements Form {
  readonly values: Values = {};
  readonly violations: Violation[] = [];
  readonly plan: IncomingFormPlan;
  readonly #parser: MultipartParser;
  readonly #fileNames: ReadonlySet<string>;
  /** fields, and files that stand for those that were read: what holds of the whole is asked of it */
  readonly #all: Form;
  #bytesLeft: number;
  #first: FileReader | undefined;

  constructor(inflow: Inflow, plan: IncomingFormPlan, boundary: string) {
    this.plan = plan;
    this.#parser = new MultipartParser(() => inflow.read(), boundary);
    this.#all = { values: {}, plan, violations: this.violations };
    this.#bytesLeft = plan.fieldBytesMax;
    const files = Array.from(plan.parts).filter(([, one]) => fileRules(one) !== undefined);
    this.#fileNames = new Set(files.map(([name]) => name));
  }

  async readFields(): Promise<void> {
    for (let head = await this.#next(); head !== undefined; head = await this.#next()) {
      this.#first = await this.#fileOf(head);
      if (this.#first !== undefined) break;
      if (this.#isFile(head)) continue;
      this.#spend(head.name.length + fieldCostBytes);
      addPart(this, { ...head, bytes: await bytesOf(() => this.#fieldPiece()) });
    }
    for (const [name, value] of Object.entries(this.values)) put(this.#all.values, name, value);
    const isWhole = this.#first === undefined;
    // of files, and of what only the whole can break, nothing is known before they have come
    this.#judge(this.values, ([name]) => {
      return isWhole || (name !== undefined && !this.#fileNames.has(String(name)));
    });
  }

  async *files(): AsyncGenerator<IncomingFile, void, undefined> {
    for (let file = this.#first; file !== undefined; file = await this.#nextFile()) {
      const { name, filename = "", contentType: type = "text/plain" } = file.head;
      this.#admit(file.head);
      yield { name, filename, type, stream: streamOf(file.read) };
      await file.skip();
    }
    this.#judge(this.#all.values, () => true);
  }

  /** Undefined: it is no file, or an input for files that nobody has chosen. */
  async #fileOf(head: PartHead): Promise<FileReader | undefined> {
    if (!this.#isFile(head)) return undefined;
    const piece = (): Promise<Uint8Array | undefined> => this.#piece();
    const first = head.filename === "" ? await piece() : undefined;
    if (head.filename === "" && first === undefined) return undefined;
    return new FileReader(head, { rules: fileRules(this.plan.parts.get(head.name)), piece, first });
  }

  /** A text that came with the name of a file is one all the same, where the contract says text. */
  #isFile({ name, filename }: PartHead): boolean {
    const known = this.plan.parts.get(name);
    return filename !== undefined && (known === undefined || fileRules(known) !== undefined);
  }

  async #nextFile(): Promise<FileReader | undefined> {
    for (let head = await this.#next(); head !== undefined; head = await this.#next()) {
      const file = await this.#fileOf(head);
      if (file !== undefined) return file;
      if (this.#isFile(head)) continue;
      throw refusal(head.name, { rule: "order", message: "must stand before the first file" });
    }
    return undefined;
  }

  #admit(head: PartHead): void {
    const { name, filename = "", contentType = "" } = head;
    if (this.#fileNames.size > 0 && !this.#fileNames.has(name)) {
      throw refusal(name, { rule: "unknown", message: "is none of the files of this operation" });
    }
    this.#spend(name.length + filename.length + fieldCostBytes);
    openPlace(this.#all, head);
    if (this.violations.length > 0) throw invalidRequest(this.violations);
    addValue(this.#all, name, new File([], filename, { type: contentType }));
    // all else is asked when all of them have come: to ask it of each would cost more with each
    const { [name]: value } = this.#all.values;
    const { itemsMax = Infinity } = this.plan.parts.get(name) ?? {};
    if (Array.isArray(value) && value.length > itemsMax) {
      this.#judge(this.#all.values, ([first]) => first === name);
    }
  }

  #judge(values: Values, isAsked: (path: Problem["path"]) => boolean): void {
    const problems = this.plan.check?.problems(values) ?? [];
    const asked = problems.filter(({ path }) => isAsked(path));
    const known = new Set(this.violations.map(({ pointer }) => pointer));
    for (const one of problemsToViolations("body", asked)) {
      if (!known.has(one.pointer)) this.violations.push(one);
    }
    if (this.violations.length > 0) throw invalidRequest(this.violations);
  }

  async #fieldPiece(): Promise<Uint8Array | undefined> {
    const bytes = await this.#piece();
    this.#spend(bytes?.length ?? 0);
    return bytes;
  }

  #spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) throw tooLarge(this.plan.fieldBytesMax);
  }

  #next(): Promise<PartHead | undefined> {
    return orRefusal(() => this.#parser.next());
  }

  #piece(): Promise<Uint8Array | undefined> {
    return orRefusal(() => this.#parser.piece());
  }
}

/** What a field costs beside its text: a body must not be all names. */
const fieldCostBytes = 100;

interface FileReading {
  readonly rules: FileRules | undefined;
  readonly piece: () => Promise<Uint8Array | undefined>;
  /** what was read of it already */
  readonly first: Uint8Array | undefined;
}

class FileReader {
  readonly head: PartHead;
  readonly #reading: FileReading;
  #first: Uint8Array | undefined;
  #size = 0;
  #failure: Error | undefined;
  /** left: its reader has not come to the end, and gets no more */
  #state: "open" | "ended" | "left" = "open";
  #isOver = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(head: PartHead, reading: FileReading) {
    this.head = head;
    this.#reading = reading;
    this.#first = reading.first;
  }

  readonly read = async (): Promise<Uint8Array | undefined> => {
    if (this.#state === "left") throw new Error("a file is read before the next one is asked for");
    return this.#inTurn();
  };

  /** To its end. Who is reading it at that moment gets this piece, and is told at the next that there are no more. */
  async skip(): Promise<void> {
    if (this.#state === "open") this.#state = "left";
    while ((await this.#inTurn()) !== undefined);
  }

  /** Of two readers each piece goes to one, in the order in which they have asked. */
  #inTurn(): Promise<Uint8Array | undefined> {
    const piece = this.#turn.then(() => this.#piece());
    this.#turn = piece.then(
      () => undefined,
      () => undefined,
    );
    return piece;
  }

  async #piece(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isOver) return undefined;
    const bytes = this.#first ?? (await this.#reading.piece());
    this.#first = undefined;
    this.#size += bytes?.length ?? 0;
    if (bytes === undefined) {
      this.#isOver = true;
      if (this.#state === "open") this.#state = "ended";
    }
    const { minBytes = 0, maxBytes = Infinity } = this.#reading.rules ?? {};
    // whether it is too small shows at its end
    const problem = sizeProblem(
      { minBytes: bytes === undefined ? minBytes : 0, maxBytes },
      this.#size,
    );
    if (problem === undefined) return bytes;
    this.#failure = refusal(this.head.name, problem);
    throw this.#failure;
  }
}

async function orRefusal<T>(reading: () => T | Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    const message = `must be multipart/form-data: ${error.message}`;
    throw invalidRequest([{ in: "body", pointer: "", rule: "multipart", message }]);
  }
}

function refusal(name: string, problem: Pick<Violation, "rule" | "message">): RequestError {
  return invalidRequest([{ in: "body", pointer: `/${escapePointer(name)}`, ...problem }]);
}
