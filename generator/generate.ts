// From a contract to the files it stands for. Nothing is written here.

import { dirname, relative, resolve } from "node:path";
import { checkCircles } from "./check/circles.ts";
import { checkExamples } from "./check/examples.ts";
import { checkExclusive } from "./check/exclusive.ts";
import { checkMethods } from "./check/methods.ts";
import { checkSchemas } from "./check/schemas.ts";
import { checkSecurity } from "./check/security.ts";
import { checkSelf } from "./check/self.ts";
import { checkShapes, versionOf } from "./check/shape.ts";
import { emitClient } from "./client/emit.ts";
import type { ClientWish } from "./client/writing.ts";
import type { Code } from "./diagnostics/codes.ts";
import { checkTags } from "./check/tags.ts";
import { emitApplication, emitHandlers } from "./emit/application.ts";
import { emitDocument, emitManifest } from "./emit/document.ts";
import { FileWriter, type GeneratedFile } from "./emit/file.ts";
import { emitOperations } from "./emit/operations.ts";
import { emitRuntime } from "./emit/runtime-files.ts";
import { emitSchemas } from "./emit/schemas.ts";
import { emitShared } from "./emit/shared.ts";
import { emitTypes } from "./emit/types.ts";
import { buildModel } from "./model/build.ts";
import type { Model } from "./model/model.ts";
import { lift } from "./normalise/lift.ts";
import { markFiles } from "./normalise/files.ts";
import { inlineMediaTypes } from "./normalise/media-types.ts";
import { markItems } from "./normalise/items.ts";
import { splitDirections } from "./normalise/directions.ts";
import { nameReferences } from "./normalise/references.ts";
import { requireTogether } from "./normalise/required.ts";
import { DocumentError, inReadingOrder, type Problem } from "./problems.ts";
import { bundle } from "./read/bundle.ts";
import { leaveOutItems } from "./read/leave-out.ts";
import { saySlip, slipCode } from "./read/slips.ts";
import { type Copies, Library, openRoot, type Shelf } from "./read/library.ts";
import { Origins, Report } from "./read/origins.ts";

export interface Reading {
  readonly model: Model;
  /** the document in one piece, otherwise as written */
  readonly bundled: ReturnType<typeof bundle>;
  readonly warnings: readonly Problem[];
  /** absolute paths of all files of the document */
  readonly files: readonly string[];
  /** of each of them, the bytes that were read */
  readonly hashes: ReadonlyMap<string, string>;
  /** which examples fit, for the next run */
  readonly fitting: readonly string[];
}

export interface Means {
  /** examples that an earlier run has found to fit */
  readonly known?: ReadonlySet<string> | undefined;
  /** what stands for files of other machines */
  readonly copies?: Copies;
  /** what is allowed by name, as the table of codes says */
  readonly allow?: ReadonlySet<Code>;
  /** hears what is being done */
  readonly progress?: (doing: string) => void;
  /** where operations are mounted, as the configuration says it */
  readonly basePath?: string | undefined;
  /** where files come from; the disk */
  readonly shelf?: Shelf;
}

/** Reads and checks the contract; throws DocumentError with every problem at once. */
export function readContract(path: string, means: Means = {}): Reading {
  const { known, copies, allow, basePath, shelf, progress = (): void => {} } = means;
  const origins = new Origins();
  const report = new Report(origins, allow);
  const library = new Library(report, { shelf, copies, progress });
  const refusal = (): DocumentError =>
    new DocumentError(inReadingOrder(report.problems), library.files());
  const root = openRoot(resolve(path), library, report);
  if (root === undefined) throw refusal();
  const isSlipped = saySlip(root, { value: root.data, kind: "Document" }, report);
  if (isSlipped) throw refusal();
  const bundled = bundle(root, library.load, report);
  // nearly everything else would follow from them
  const slips = report.problems.filter(({ code }) => code === slipCode);
  if (slips.length > 0) throw new DocumentError(inReadingOrder(slips), library.files());
  const version = versionOf(bundled, report);
  if (version === undefined) throw refusal();
  progress("checking the document");
  checkShapes(bundled, version, report);
  checkSchemas(bundled, version, report);
  checkSelf(bundled, report);
  checkSecurity(bundled, version, report);
  checkMethods(bundled, report);
  checkTags(bundled, version, report);
  checkExclusive(bundled, report);
  const document = lift(bundled, version, origins);
  if (!report.failed) nameReferences(document);
  checkCircles(document, report);
  if (!report.failed) inlineMediaTypes({ document, origins, report });
  const hasFiles = !report.failed && markFiles(document, origins);
  if (!report.failed) {
    markItems({ document, origins, report });
    splitDirections(document, origins);
    requireTogether(document, origins);
  }
  // before the model: a default that is used and does not fit may be taken away
  const fitting = checkExamples(document, report, { known, progress });
  const model = buildModel(document, { report, hasFiles, basePath });
  if (report.failed) throw refusal();
  leaveOutItems(bundled); // what is wrong was said by the numbers that its file has
  const warnings = inReadingOrder(report.problems);
  return { model, bundled, warnings, files: library.files(), hashes: library.hashes, fitting };
}

/** Every generated file, unformatted, in a fixed order; a client of the contract among them where one is wished. */
export function emitFiles(
  { model, bundled }: Reading,
  source: string,
  client?: ClientWish,
): GeneratedFile[] {
  const writer = new FileWriter(source);
  const { shared, application } = emitCode(model, writer);
  return [
    writer.verbatim("types.ts", emitTypes(model)),
    ...shared,
    emitHandlers(model, writer),
    application,
    ...emitDocument(bundled, writer),
    emitManifest(model, writer),
    ...emitRuntime(writer),
    ...(client === undefined ? [] : emitClient(model, writer, client)),
  ];
}

/** What serves requests, beside the runtime: no types, no documents. */
export function emitRoutes({ model }: Reading, source: string): GeneratedFile[] {
  const { shared, application } = emitCode(model, new FileWriter(source));
  return [...shared, application];
}

function emitCode(model: Model, writer: FileWriter) {
  const shared = [
    emitSchemas(model, writer),
    ...emitShared(model, writer),
    ...emitOperations(model, writer),
  ];
  return { shared, application: emitApplication(model, writer) };
}

/** How generated files name the contract: relative to the project, so that machines agree. */
export function sourceName(spec: string, out: string): string {
  return relative(dirname(resolve(out)), resolve(spec)).replaceAll("\\", "/");
}
