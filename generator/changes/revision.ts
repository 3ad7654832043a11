// One revision of a contract: the document in one piece, in the words of 3.1, with the place of every
// value in the files it was written in.

import { versionOf } from "../check/shape.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { lift } from "../normalise/lift.ts";
import { follow, targetOf } from "../normalise/references.ts";
import { DocumentError, inReadingOrder, type Place } from "../problems.ts";
import { bundle } from "../read/bundle.ts";
import { type Copies, Library, openRoot, type Shelf } from "../read/library.ts";
import { Origins, Report } from "../read/origins.ts";

export interface Revision {
  readonly document: JsonObject;
  readonly origins: Origins;
}

/**
 * Where something stands: `name` is a property of the node. What is gone stands in the older revision,
 * everything else in the newer one.
 */
export interface At {
  readonly revision: Revision;
  readonly node: object;
  readonly name?: string | number;
}

/**
 * Reads without the checks of the generator: revisions of the past have mistakes that nobody can mend
 * any more. Throws DocumentError when there is no document to compare.
 */
export function readRevision(path: string, shelf?: Shelf, copies?: Copies): Revision {
  const origins = new Origins();
  const report = new Report(origins);
  const library = new Library(report, { shelf, copies });
  const root = openRoot(path, library, report);
  if (root !== undefined) {
    const bundled = bundle(root, library.load, report);
    const version = versionOf(bundled, report);
    if (version !== undefined && !report.failed) {
      return { document: lift(bundled, version, origins), origins };
    }
  }
  throw new DocumentError(inReadingOrder(report.problems), library.files());
}

export function placeOf({ revision, node, name }: At): Place {
  return revision.origins.place(node, name);
}

/** The object behind references, and where it stands; undefined when there is none. */
export function objectAt(revision: Revision, node: Json | undefined): JsonObject | undefined {
  return follow(revision.document, node);
}

/** The object that is a property, references followed. */
export function objectIn(
  revision: Revision,
  node: Json | undefined,
  name: string,
): JsonObject | undefined {
  return isObject(node) && Object.hasOwn(node, name) ? objectAt(revision, node[name]) : undefined;
}

/** What a reference of a schema points at. */
export function schemaAt({ document }: Revision, reference: string): Json | undefined {
  return targetOf(document, reference);
}

/** The members of a map whose values are objects, references followed. */
export function objectsIn(
  revision: Revision,
  node: Json | undefined,
  name: string,
): ReadonlyMap<string, JsonObject> {
  const map = objectIn(revision, node, name);
  const found = new Map<string, JsonObject>();
  for (const [key, value] of Object.entries(map ?? {})) {
    const object = objectAt(revision, value);
    if (object !== undefined) found.set(key, object);
  }
  return found;
}
