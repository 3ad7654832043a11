// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Everything about an operation that can be known before its first request.

import * as pairs from "./pairs.ts";
import * as parameters from "./parameters.ts";
import * as templates from "./templates.ts";
import { methodOf } from "./methods.ts";
import { querystringPlan, type QuerystringPlan } from "./querystring.ts";
import { buildAnswerPlans, type AnswerPlan } from "./answer-plans.ts";
import { buildBodyPlan, type BodyPlan } from "./bodies.ts";
import { checkOf, type Checked } from "./checked.ts";
import type { Inflow } from "./inflow.ts";
import { essenceOf, itemFormat } from "./media-types.ts";
import type {
  Edge,
  Handler,
  Operation,
  ParameterLocation,
  ParameterPlan,
  RawRequest,
  WireAnswer,
} from "./runtime.ts";
import type { Values } from "./values.ts";

export type AnyEdge = Edge<unknown, unknown>;

export interface Plan {
  readonly operation: Operation;
  /** nobody may call it */
  readonly isClosed: boolean;
  readonly handler: (request: HandlerRequest, caller: unknown) => WireAnswer | Promise<WireAnswer>;
  readonly edge: AnyEdge;
  readonly method: string;
  readonly template: templates.Template;
  /** the path in Hono's notation, which may match more than the template does */
  readonly honoPath: string;
  /** in the order of the template's groups */
  readonly pathParameters: readonly (ParameterPlan | undefined)[];
  readonly query: pairs.PairsPlan;
  /** in the place of `query` */
  readonly querystring: QuerystringPlan | undefined;
  readonly headers: parameters.NamedPlan;
  readonly cookies: parameters.NamedPlan;
  readonly checks: Readonly<Record<ParameterLocation, Checked>>;
  readonly body: BodyPlan | undefined;
  readonly answers: ReadonlyMap<string, AnswerPlan>;
  /** an answer may take its time, so the handler is told when nobody waits for it any more */
  readonly hasSignal: boolean;
}

export interface HandlerRequest {
  path?: Values;
  /** by name, or whatever the whole query stands for */
  query?: unknown;
  headers?: Values;
  cookies?: Values;
  body?: unknown;
  signal?: AbortSignal;
}

export function buildPlan(operation: Operation, handler: Handler, edge: AnyEdge): Plan {
  const { route } = operation;
  const template = templates.template(route.path);
  const at = (place: ParameterLocation): readonly ParameterPlan[] =>
    operation.parameters.filter((one) => one.in === place);
  const path = at("path");
  const body = buildBodyPlan(operation);
  return {
    operation,
    isClosed: operation.security?.length === 0,
    // the generated handler interface is what gives the two arguments their types
    handler: handler as unknown as Plan["handler"],
    edge,
    method: methodOf(route),
    template,
    honoPath: template.segments.join("/"),
    pathParameters: template.names.map((name) => path.find((one) => one.name === name)),
    query: pairs.queryPlan(at("query"), (name) => takesEmpty(route.request?.query, name)),
    querystring: querystringPlan(operation),
    headers: parameters.namedPlan(at("header")),
    cookies: parameters.namedPlan(at("cookie")),
    checks: {
      path: checkOf(route.request?.params),
      query: checkOf(route.request?.query),
      header: checkOf(route.request?.headers),
      cookie: checkOf(route.request?.cookies),
    },
    body,
    answers:
      edge.checkAnswers || edge.checkRefusals === true
        ? buildAnswerPlans(operation)
        : new Map<string, AnswerPlan>(),
    hasSignal: body?.hasStream === true || answersItems(operation),
  };
}

function answersItems({ route }: Operation): boolean {
  return Object.values(route.responses).some(
    (response) =>
      "content" in response &&
      Object.keys(response.content ?? {}).some((one) => itemFormat(essenceOf(one)) !== undefined),
  );
}

/** Whether the `data` of the events of this answer is always JSON. */
export function hasJsonEvents({ operation }: Plan, status: number): boolean {
  const { jsonEvents, route } = operation;
  if (jsonEvents === undefined) return false;
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, "default"];
  const key = keys.find((one) => Object.hasOwn(route.responses, one));
  return key !== undefined && jsonEvents.includes(key);
}

/** Whether an empty text fits the schema of this name. */
function takesEmpty(part: unknown, name: string): boolean {
  const shape: unknown = Reflect.get(Object(part) as object, "shape");
  return checkOf(Reflect.get(Object(shape) as object, name))?.valid("") ?? true;
}

/** A request that has arrived, with what is known of it so far. */
export interface Received {
  readonly plan: Plan;
  readonly raw: RawRequest;
  /** what the template found in the path; null when it is written in another way */
  readonly match: RegExpExecArray | null;
  readonly state: unknown;
  /** of a body that the handler reads while it comes */
  readonly inflow: Inflow | undefined;
}
