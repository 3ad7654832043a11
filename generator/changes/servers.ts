// The addresses that clients have.

import { entriesOf, isObject, itemsOf, type Json, type JsonObject, textOf } from "../json.ts";
import { addTo, type Both, type Found, shown, type Where } from "./found.ts";
import type { At } from "./revision.ts";

function serversOf(list: Json | undefined): ReadonlyMap<string, JsonObject> {
  const servers = itemsOf(list).filter((one) => isObject(one));
  return new Map(
    servers.map((server) => [(textOf(server["url"]) ?? "").replace(/\/$/, ""), server]),
  );
}

/** `holders`: what says the lists, or would say them. */
export function compareServers(lists: Both<Json | undefined>, holders: Both<At>): readonly Found[] {
  const before = serversOf(lists.base);
  const after = serversOf(lists.head);
  const found: Found[] = [];
  for (const [url, server] of before) {
    const other = after.get(url);
    const at = { revision: holders.base.revision, node: server };
    if (other === undefined) {
      const where = { base: at, head: holders.head, isGone: true };
      found.push({ ...where, rule: "server-removed", message: `${url} is gone` });
      continue;
    }
    const where = { base: at, head: { revision: holders.head.revision, node: other } };
    addTo(found, compareVariables({ base: server, head: other }, where));
  }
  // where no server is named, the operations are at the root (OpenAPI 3.1.1, 4.8.1.1)
  if (before.size === 0 && after.size > 0 && ![...after.keys()].some(isAtRoot)) {
    const message = "/ is gone, which holds where no server is named";
    found.push({ ...holders, rule: "server-removed", message });
  }
  for (const [url, server] of after) {
    if (before.has(url)) continue;
    const where = { base: holders.base, head: { revision: holders.head.revision, node: server } };
    found.push({ ...where, rule: "server-added", message: `${url} is new` });
  }
  return found;
}

/** Or may be, where its address begins with a variable. */
function isAtRoot(url: string): boolean {
  return /^(?:[^/]*\/\/[^/]*)?[./]*$|^\{[^}]*\}(?!:\/\/)/.test(url);
}

function compareVariables({ base, head }: Both<JsonObject>, where: Where): readonly Found[] {
  const after = new Map(entriesOf(head["variables"]));
  return entriesOf(base["variables"]).flatMap(([name, variable]) => {
    const other = after.get(name);
    const [was, is] = [variable, other].map((one) => (isObject(one) ? one : {}));
    const values = itemsOf(is?.["enum"]);
    const before = itemsOf(was?.["enum"]);
    // Without a list it may be anything.
    const isAllowed =
      values.length === 0 || (before.length > 0 && before.every((value) => values.includes(value)));
    const isKept = was?.["default"] === is?.["default"] && isAllowed;
    if (isKept) return [];
    const message = `the variable ${name} ${shown(was)} became ${shown(other)}`;
    return [{ ...where, rule: "server-changed", message }];
  });
}
