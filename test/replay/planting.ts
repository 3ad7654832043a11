// How a fault is planted into answers on their way: which ones, and what becomes of them.

import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
} from "../../generator/suite/json.ts";
import type { Fault, Passing } from "./faulty-proxy.ts";

export interface PlantedFault {
  readonly name: string;
  readonly fault: Fault;
  /** cell and problem, as they are told */
  readonly told: readonly [cell: RegExp, problem: RegExp];
}

export type Where = (passing: Passing) => boolean;
export type Change = (passing: Passing) => Partial<Passing>;

export function planted(
  name: string,
  [where, change]: readonly [Where, Change],
  told: PlantedFault["told"],
): PlantedFault {
  return { name, fault: (passing) => (where(passing) ? change(passing) : undefined), told };
}

export const everywhere: Where = () => true;
export const answersTo =
  (line: RegExp, ...statuses: readonly number[]): Where =>
  (passing) =>
    line.test(passing.line) && (statuses.length === 0 || statuses.includes(passing.status));
export const withStatus = (...statuses: readonly number[]): Where =>
  answersTo(/ \/v1\//, ...statuses);
export const withCode =
  (code: string): Where =>
  ({ body }) =>
    body.startsWith(`{"code":"${code}"`);

export const lists = answersTo(/^GET \/v1\/currencies(?:\?|$)/, 200);
export const singles = answersTo(/^GET \/v1\/currencies\//, 200);
export const pages: Where = (passing) => lists(passing) && isNamed(passing, "Link");
export const schedules = answersTo(/^GET \/v1\/payout-schedules/, 200);
export const deliveries = answersTo(/^GET \/v1\/webhook-deliveries/, 200);
export const acceptance = answersTo(/^PUT \/v1\/currency-acceptance/);

export function isNamed({ headers }: Passing, name: string): boolean {
  return headers.some(([one]) => one.toLowerCase() === name.toLowerCase());
}

/** Undefined: without it. */
export const header =
  (name: string, value: string | undefined): Change =>
  ({ headers }) => {
    const others = headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
    return { headers: value === undefined ? others : [...others, [name, value]] };
  };
export const dropped = (name: string): Change => header(name, undefined);
export const bodyBy =
  (change: (body: JsonObject) => Json): Change =>
  ({ body }) => {
    const parsed = JSON.parse(body) as Json;
    return { body: JSON.stringify(isObject(parsed) ? change(parsed) : parsed) };
  };
export const member = (name: string, value: Json): Change =>
  bodyBy((body) => ({ ...body, [name]: value }));
export const detail = (name: string, value: Json): Change =>
  bodyBy((body) => ({ ...body, details: { ...objectAt(body, "details"), [name]: value } }));
export const items = (name: string, change: (list: readonly Json[]) => readonly Json[]): Change =>
  bodyBy((body) => ({ ...body, [name]: [...change(listAt(body, name))] }));
export const firstItem = (name: string, more: JsonObject): Change =>
  items(name, ([first, ...rest]) => [{ ...(isObject(first) ? first : {}), ...more }, ...rest]);
export const hourAgo = (): Date => new Date(Date.now() - 3_600_000);
export const far = "2099-01-01T00:00:00.000Z";

export function without(value: Json | undefined, name: string): JsonObject {
  const { [name]: _, ...rest } = isObject(value) ? value : {};
  return rest;
}
