// The address that a document gives itself (OpenAPI 3.2.0, section 4.1).

import type { JsonObject } from "../json.ts";
import { textOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { absolute } from "../read/resources.ts";

export function checkSelf(document: JsonObject, report: Report): void {
  const self = textOf(document["$self"]);
  if (self === undefined) return;
  const where = [document, "$self"] as const;
  if (absolute(self, "https://base.invalid/") === undefined) {
    const message = `"${self}" is not a reference of RFC 3986`;
    report.error("OAG217", where, [message, "write a URI, or remove it"]);
  } else if (self.includes("#")) {
    const advice = 'write it without "#" and what follows';
    report.error("OAG218", where, [`"${self}" has a fragment`, advice]);
  }
}
