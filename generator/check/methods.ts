// Operations of other methods than those that have a field of their own (OpenAPI 3.2.0, section 4.9).

import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { methods } from "../read/operations.ts";
import type { Report } from "../read/origins.ts";
import { walk } from "../read/walk.ts";

/** Whether Node's parser of HTTP hands it on; a tunnel never comes as a request. */
function isParsed(method: string): boolean {
  // loaded with all that HTTP needs, which most documents have no use for
  const { METHODS } = process.getBuiltinModule("node:http");
  return method !== "CONNECT" && METHODS.includes(method);
}

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function checkMethods(document: JsonObject, report: Report): void {
  walk(document, "Document", (node, kind) => {
    const others = kind === "PathItem" ? node["additionalOperations"] : undefined;
    if (!isObject(others)) return;
    for (const method of Object.keys(others)) checkMethod(others, method, report);
  });
}

function checkMethod(others: JsonObject, method: string, report: Report): void {
  const where = [others, method, "key"] as const;
  const own = methods.find((one) => one === method.toLowerCase());
  if (own !== undefined) {
    const advice = `write the operation as "${own}", beside "additionalOperations"`;
    report.error("OAG612", where, [`"${method}" has a field of its own in a path item`, advice]);
  } else if (!token.test(method)) {
    const message = `"${method}" is not a method of HTTP (RFC 9110, section 9.1)`;
    report.error("OAG613", where, [message, "write one word, as it is sent: PURGE"]);
  } else if (!isParsed(method)) {
    const upper = isParsed(method.toUpperCase());
    const message = `no request with the method "${method}" arrives: Node refuses it before the application`;
    const advice = upper
      ? `methods are case-sensitive: write "${method.toUpperCase()}"`
      : "use a method that Node's parser knows, such as COPY, PURGE or SEARCH";
    report.warning("OAG614", where, [message, advice]);
  }
}
