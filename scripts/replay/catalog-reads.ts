// The catalog: page by page, as a whole, one by one, and not again while it has not changed.

import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../../generator/suite/answer-judge.ts";
import { isObject, type JsonObject, listAt, objectAt, textOf } from "../../generator/suite/json.ts";
import { operationBy } from "../../test/support/contract-resources.ts";
import { orderProblems, walk } from "./pages.ts";
import { plainOf } from "./requests.ts";
import type { Session } from "./session.ts";
import { together } from "./together.ts";

export interface ReadingWish {
  readonly environment: "live" | "test";
  readonly concurrency: number;
}

const list = { operationId: "listCurrencies", member: "currencies" };

/** The currencies, as they were answered. */
export async function readCatalog(
  session: Session,
  { environment, concurrency }: ReadingWish,
): Promise<readonly JsonObject[]> {
  let version: string | undefined;
  const checkVersion = (answer: Answer): readonly string[] => {
    const said = isObject(answer.body) ? textOf(answer.body["catalog_version"]) : "";
    version ??= said;
    return [
      ...etagProblems(answer, `"${said}-${environment}"`),
      ...(said === version ? [] : [`body /catalog_version: is ${said}, and was ${version} before`]),
    ];
  };
  const { items, last } = await walk(session, {
    ...list,
    limit: 100,
    checkPage: (answer) => [...checkVersion(answer), ...currencyProblems(listOf(answer))],
  });
  const third = Math.max(1, Math.ceil(items.length / 3));
  const inParts: JsonObject[] = [];
  const isSame = (answer: Answer): readonly string[] => {
    inParts.push(...listOf(answer));
    const isLast = answer.headers.get("Link") === null;
    const ids = inParts.map(({ id }) => textOf(id)).join(", ");
    const expected = items.slice(0, inParts.length);
    const isWhole = !isLast || inParts.length === items.length;
    return isWhole && isDeepStrictEqual(inParts, expected)
      ? []
      : [
          `body /currencies: page by page it has ${ids}, and at once ${items.map(({ id }) => textOf(id)).join(", ")}`,
        ];
  };
  await walk(session, {
    ...list,
    limit: third,
    checkPage: (answer) => [...checkVersion(answer), ...isSame(answer)],
  });
  await notModified(session, last, "listCurrencies");
  await together(items, concurrency, (currency) => readOne(session, currency, checkVersion));
  return items;
}

function listOf({ body }: Answer): readonly JsonObject[] {
  return isObject(body) ? listAt(body, list.member).filter(isObject) : [];
}

function etagProblems({ headers }: Answer, expected: string): readonly string[] {
  const etag = headers.get("ETag");
  if (etag === null || etag === expected) return [];
  return [
    `header ETag: is ${etag} in place of ${expected}: version of the body, environment of the key`,
  ];
}

async function readOne(
  session: Session,
  currency: JsonObject,
  check: (answer: Answer) => readonly string[],
): Promise<void> {
  const operation = operationBy("getCurrency");
  const id = textOf(currency["id"]);
  const answer = await session.play({
    name: `getCurrency: ${id}`,
    operation,
    request: plainOf(operation, { path: { id } }),
    expected: [{ status: 200 }],
    check: (seen) => {
      const one = isObject(seen.body) ? objectAt(seen.body, "currency") : {};
      const isSame = isDeepStrictEqual(one, currency);
      const differing = Object.keys({ ...one, ...currency }).filter(
        (name) => !isDeepStrictEqual(one[name], currency[name]),
      );
      return [
        ...check(seen),
        ...(isSame
          ? []
          : differing.map((name) => `body /currency/${name}: is not what the list says`)),
      ];
    },
  });
  if (answer !== undefined) await notModified(session, answer, "getCurrency", { id });
}

/** Asked about with its tag, it has no body; with another tag it has. */
async function notModified(
  session: Session,
  { headers }: Answer,
  ...[operationId, path]: [string, Record<string, string>?]
): Promise<void> {
  const operation = operationBy(operationId);
  const etag = headers.get("ETag");
  if (etag === null) return;
  const request = (tag: string) =>
    plainOf(operation, {
      ...(path === undefined ? { query: "limit=100" } : { path }),
      headers: { "If-None-Match": tag },
    });
  await session.play({
    name: `${operationId}: asked about with its ETag`,
    operation,
    request: request(etag),
    expected: [{ status: 304 }],
    check: (seen) => etagProblems(seen, etag),
  });
  await session.play({
    name: `${operationId}: asked about with another ETag`,
    operation,
    request: request('"0-none"'),
    expected: [{ status: 200 }],
  });
}

/** What the members of one entry say of each other. */
function currencyProblems(items: readonly JsonObject[]): readonly string[] {
  const place = ({ code, id }: JsonObject): string => `${textOf(code)} ${textOf(id)}`;
  const order = orderProblems(items, list.member, (one, other) => place(one) < place(other));
  const deployments = items.flatMap((one) => listAt(one, "deployments").filter(isObject));
  const ids = deployments.map(({ id }) => textOf(id));
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return [
    ...order,
    ...(twice === undefined ? [] : [`body /currencies: has the deployment ${twice} twice`]),
    ...deployments.flatMap(deploymentProblems),
  ];
}

function deploymentProblems(deployment: JsonObject): readonly string[] {
  const { id, chain_id, asset_locator, asset_kind, token_standard } = deployment;
  const problem = (member: string, text: string): string =>
    `body /currencies: deployment ${textOf(id)}: ${member} ${text}`;
  const isNative = asset_kind === "native";
  return [
    ...(textOf(asset_locator).startsWith(`${textOf(chain_id)}/`)
      ? []
      : [problem("asset_locator", `${textOf(asset_locator)} is not on ${textOf(chain_id)}`)]),
    ...(isNative === (token_standard === "native")
      ? []
      : [problem("token_standard", `${textOf(token_standard)} is not of a ${textOf(asset_kind)}`)]),
  ];
}
