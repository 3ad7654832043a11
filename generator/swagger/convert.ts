// Documents of Swagger 2.0 in the words of OpenAPI 3.0. A library converts them, as far as it is loaded at all;
// what it gets is a document in one piece in which every operation says everything itself, and places are found
// where people wrote them.

import { createRequire } from "node:module";
import type { Json, JsonObject } from "../json.ts";
import { isObject, pointerTokens } from "../json.ts";
import type { Load } from "../read/locate.ts";
import type { Report } from "../read/origins.ts";
import type { Source } from "../read/source.ts";
import { mended } from "./mend.ts";
import { originalOf } from "./places.ts";
import { settleMedia } from "./settle.ts";
import { Straightener } from "./straighten.ts";

/** Swagger 2.0 was OpenAPI 2.0 later; nothing else begins with "swagger". */
export function isSwagger(data: Json): boolean {
  return isObject(data) && /^2\.0(?:\.\d+)?$/.test(versionText(data["swagger"]));
}

/** YAML takes 2.0 for a number, and many documents write it so. */
function versionText(version: Json | undefined): string {
  if (typeof version === "number") return version.toFixed(1);
  return typeof version === "string" ? version : "";
}

/** The same document of 3.0; undefined (and reported) when it cannot be converted. */
export function convertSwagger(root: Source, load: Load, report: Report): Source | undefined {
  const { data: written } = root;
  if (!isObject(written)) return undefined;
  const straight = new Straightener(root, load, report).run();
  settleMedia(straight, report);
  if (report.failed) return undefined;
  const data = upgraded(straight, written, report);
  if (data === undefined) return undefined;
  report.warning(
    "OAG117",
    [written, "swagger", "key"],
    [
      "this is a Swagger 2.0 document: it is converted, and served as OpenAPI 3.0",
      'convert it once, with a tool of your choice, and go on with "openapi: 3.2.0"',
    ],
  );
  const source: Source = {
    file: root.file,
    language: root.language,
    uri: root.uri,
    data,
    place(pointer, of = "value") {
      const { node, name } = originalOf(straight, pointerTokens(pointer));
      return report.origins.place(node, name, of);
    },
  };
  report.origins.note(source);
  return source;
}

const require = createRequire(import.meta.url);

function copyOf(data: object): JsonObject {
  return JSON.parse(JSON.stringify(data)) as JsonObject; // of an object nothing else is written
}

/** The library changes what it is given. */
function upgraded(straight: JsonObject, written: JsonObject, report: Report): Json | undefined {
  // data in, data out: its own types of documents would say no more
  const module = require("@scalar/openapi-upgrader/2.0-to-3.0") as {
    readonly upgradeFromTwoToThree: (document: object) => object;
  };
  try {
    // written out, since aliases of YAML are one object in several places, and it converts each of them
    const document = { ...copyOf(straight), swagger: "2.0" };
    const converted = copyOf(module.upgradeFromTwoToThree(document));
    return mended(converted, straight);
  } catch (error) {
    // it looks at nothing before it reads it
    const cause = error instanceof Error ? error.message : String(error);
    const advice = "check the document with a validator of Swagger 2.0, or write it as OpenAPI 3.2";
    const message = `the document cannot be converted: ${cause}`;
    report.error("OAG118", [written, "swagger"], [message, advice]);
    return undefined;
  }
}
