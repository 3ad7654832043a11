// From a contract to the files it stands for. Nothing is written here.

import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { checkCircles } from "./check/circles.ts";
import { checkExamples } from "./check/examples.ts";
import { checkSchemas } from "./check/schemas.ts";
import { checkSecurity } from "./check/security.ts";
import { checkShapes, nameOf, versionOf } from "./check/shape.ts";
import { emitApplication, emitHandlers } from "./emit/application.ts";
import { emitDocument, emitManifest } from "./emit/document.ts";
import { FileWriter, type GeneratedFile } from "./emit/file.ts";
import { emitOperations } from "./emit/operations.ts";
import { emitRuntime } from "./emit/runtime-files.ts";
import { emitSchemas } from "./emit/schemas.ts";
import { emitShared } from "./emit/shared.ts";
import { emitTypes } from "./emit/types.ts";
import { isObject } from "./json.ts";
import { buildModel } from "./model/build.ts";
import type { Model } from "./model/model.ts";
import { lift } from "./normalise/lift.ts";
import { splitDirections } from "./normalise/directions.ts";
import { nameReferences } from "./normalise/references.ts";
import { DocumentError, inReadingOrder, type Place, type Problem } from "./problems.ts";
import { bundle, type Load } from "./read/bundle.ts";
import { Origins, Report } from "./read/origins.ts";
import { readSource, type Source } from "./read/source.ts";
import { hashOf } from "./write/cache.ts";
import { displayPath } from "./write/plan.ts";

export interface Reading {
  readonly model: Model;
  /** the document in one piece, otherwise as written */
  readonly bundled: ReturnType<typeof bundle>;
  readonly warnings: readonly Problem[];
  /** absolute paths of all files of the document */
  readonly files: readonly string[];
  /** of each of them, the bytes that were read */
  readonly hashes: ReadonlyMap<string, string>;
}

/** Reads and checks the contract; throws DocumentError with every problem at once. */
export function readContract(path: string): Reading {
  const origins = new Origins();
  const report = new Report(origins);
  const library = new Library(origins, report);
  const refusal = (): DocumentError =>
    new DocumentError(inReadingOrder(report.problems), library.files());
  const root = openRoot(resolve(path), library, report);
  if (root === undefined) throw refusal();
  const bundled = bundle(root, library.load, report);
  const version = versionOf(bundled, report);
  if (version === undefined) throw refusal();
  checkShapes(bundled, version, report);
  checkSchemas(bundled, version, report);
  checkSecurity(bundled, report);
  const document = lift(bundled, version, origins);
  if (!report.failed) nameReferences(document);
  checkCircles(document, report);
  if (!report.failed) splitDirections(document, origins);
  const model = buildModel(document, report);
  checkExamples(document, report);
  if (report.failed) throw refusal();
  const warnings = inReadingOrder(report.problems);
  return { model, bundled, warnings, files: library.files(), hashes: library.hashes };
}

/** The file the document begins in; undefined (and reported) when there is none in it. */
function openRoot(path: string, library: Library, report: Report): Source | undefined {
  const root = library.open(path);
  const refuse = (place: Place, message: string, advice: string): undefined => {
    report.problems.push({ severity: "error", place, message, advice });
  };
  if (!("data" in root)) {
    if (report.failed) return undefined; // it is there, and it is broken
    const message = `the file cannot be read: ${root.failure}`;
    const place = { file: displayPath(path), pointer: "" };
    return refuse(place, message, "name an existing OpenAPI file with --spec FILE");
  }
  if (isObject(root.data)) return root;
  const found = root.data === null ? "nothing" : nameOf(root.data);
  const message = `the document must be an object, and this is ${found}`;
  return refuse(root.place(""), message, 'begin with "openapi: 3.1.0"');
}

/** Every generated file, unformatted, in a fixed order. */
export async function emitFiles(
  { model, bundled }: Reading,
  source: string,
): Promise<GeneratedFile[]> {
  const writer = new FileWriter(source);
  return [
    writer.verbatim("types.ts", await emitTypes(model)),
    emitSchemas(model, writer),
    ...emitShared(model, writer),
    ...emitOperations(model, writer),
    emitHandlers(model, writer),
    emitApplication(model, writer),
    ...emitDocument(bundled, writer),
    emitManifest(model, writer),
    ...emitRuntime(writer),
  ];
}

/** Opens each file once, whatever name it is called by. */
class Library {
  readonly #sources = new Map<string, Source | { readonly failure: string }>();
  readonly hashes = new Map<string, string>();
  readonly #paths = new Map<Source, string>();
  readonly #origins: Origins;
  readonly #report: Report;

  constructor(origins: Origins, report: Report) {
    this.#origins = origins;
    this.#report = report;
  }

  readonly load: Load = (name, from) =>
    this.open(resolve(dirname(this.#paths.get(from) ?? "."), decodeName(name)));

  open(path: string): Source | { readonly failure: string } {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const opened = this.#read(path);
    this.#sources.set(path, opened);
    return opened;
  }

  /** Every file that was asked for, those that cannot be read included. */
  files(): string[] {
    return [...this.#sources.keys()];
  }

  #read(path: string): Source | { readonly failure: string } {
    let text: string;
    try {
      const bytes = readFileSync(path);
      this.hashes.set(path, hashOf(bytes));
      text = bytes.toString("utf8");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      return { failure: code === "ENOENT" ? "there is no such file" : code };
    }
    const { source, problems } = readSource(displayPath(path), text);
    this.#report.problems.push(...problems);
    if (source === undefined) return { failure: "it is not valid YAML or JSON" };
    this.#origins.note(source);
    this.#paths.set(source, path);
    return source;
  }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a "%" that encodes nothing belongs to the file's name
  }
}

/** How generated files name the contract: relative to the project, so that machines agree. */
export function sourceName(spec: string, out: string): string {
  return relative(dirname(resolve(out)), resolve(spec)).replaceAll("\\", "/");
}
