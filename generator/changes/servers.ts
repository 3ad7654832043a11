// The addresses that clients have.

import { entriesOf, isObject, itemsOf, type Json, type JsonObject, textOf } from "../json.ts";
import { type Both, type Found, type Pair, shown } from "./found.ts";
import type { Revision } from "./revision.ts";

function serversOf(list: Json | undefined): ReadonlyMap<string, JsonObject> {
  const servers = itemsOf(list).filter((one) => isObject(one));
  return new Map(
    servers.map((server) => [(textOf(server["url"]) ?? "").replace(/\/$/, ""), server]),
  );
}

export function compareServers(lists: Both<Json | undefined>, pair: Pair): readonly Found[] {
  const before = serversOf(lists.base);
  const after = serversOf(lists.head);
  const found: Found[] = [];
  for (const [url, server] of before) {
    const other = after.get(url);
    const at = { revision: pair.base, node: server };
    if (other === undefined) found.push({ rule: "server-removed", at, message: `${url} is gone` });
    else found.push(...compareVariables({ base: server, head: other }, pair.head));
  }
  for (const [url, server] of after) {
    if (before.has(url)) continue;
    const at = { revision: pair.head, node: server };
    found.push({ rule: "server-added", at, message: `${url} is new` });
  }
  return found;
}

function compareVariables({ base, head }: Both<JsonObject>, revision: Revision): readonly Found[] {
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
    return [{ rule: "server-changed", at: { revision, node: head }, message }];
  });
}
