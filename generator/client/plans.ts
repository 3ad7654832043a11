// What a client knows of an operation, as text: runtime/plan.ts says what it means.

import { typedLiteral } from "../emit/literals.ts";
import type { FormField, ParameterKind, PartPlan } from "../runtime/runtime.ts";
import type { Content, Operation, Parameter, Querystring } from "../model/model.ts";
import { acceptOf, hasSuccess, readContent, sentType } from "./answers.ts";
import type { Writing } from "./writing.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import { argumentsOf, arrangementOf, idempotencyKey, sentContent } from "./names.ts";
import type {
  BodyPlan,
  FieldPlan,
  FieldPlans,
  OperationPlan,
  ParameterPlan,
} from "./runtime/plan.ts";

export function planText(writing: Writing): string {
  return typedLiteral(planOf(writing));
}

function planOf({ operation, model, added }: Writing): OperationPlan {
  const arrangement = arrangementOf(operation, added, model.document);
  const content = sentContent(operation);
  const accept = acceptOf(operation);
  const fallback = operation.responses.find(({ key }) => key === "default");
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.writtenPath,
    parameters: [
      ...argumentsOf(operation, added).map(parameterPlan),
      ...(operation.querystring === undefined ? [] : [wholePlan(operation.querystring)]),
    ],
    ...(arrangement === "grouped" ? { isGrouped: true } : {}),
    ...(content === undefined
      ? {}
      : { body: bodyPlan(operation, content, arrangement === "spread") }),
    ...keyPlan(operation),
    ...(accept === undefined ? {} : { accept }),
    answers: answersOf(operation),
    ...(fallback?.statuses === undefined ? {} : { defaultStatuses: fallback.statuses }),
  };
}

function answersOf(operation: Operation): OperationPlan["answers"] {
  const documented = operation.responses.map((response) => {
    const content = readContent(response);
    return [response.key, content === undefined ? null : sentType(content)] as const;
  });
  const success = hasSuccess(operation) ? [] : [["2XX", null] as const];
  return Object.fromEntries([...success, ...documented]);
}

function parameterPlan({
  in: place,
  name,
  style,
  explode,
  required,
  kind,
}: Parameter): ParameterPlan {
  const usual = style === "simple" || style === "form";
  return {
    in: place,
    name,
    ...(usual ? {} : { style }),
    ...(explode ? { explode } : {}),
    ...(required || place === "path" ? { isRequired: true } : {}),
    ...(kind === "json" ? { isJson: true } : {}),
  };
}

function wholePlan({ name, required, isText, mediaType, fields }: Querystring): ParameterPlan {
  return {
    in: "query",
    name,
    ...(required ? { isRequired: true } : {}),
    whole: isText ? "text" : codecOf(essenceOf(mediaType)) === "form" ? "form" : "json",
    ...fieldPlans(formPlans(fields)),
  };
}

function bodyPlan({ body }: Operation, content: Content, isSpread: boolean): BodyPlan {
  return {
    mediaType: content.mediaType,
    ...(body?.required === true ? { isRequired: true } : {}),
    ...(isSpread ? { isSpread } : {}),
    ...fieldPlans(content.parts === undefined ? formPlans(content.fields) : partPlans(content)),
  };
}

type Named = readonly (readonly [name: string, plan: FieldPlan | undefined])[];

/** Of those that are written in another way than usual. */
function fieldPlans(named: Named): { readonly fields?: FieldPlans } {
  const said = named.flatMap(([name, plan]) => (plan === undefined ? [] : [[name, plan] as const]));
  return said.length === 0 ? {} : { fields: Object.fromEntries(said) };
}

function formPlans(fields: Readonly<Record<string, FormField>> = {}): Named {
  return Object.entries(fields).map(([name, field]) => {
    if (field === "json") return [name, { isJson: true }];
    if (!isStyled(field)) return [name, undefined];
    const { style, explode } = field;
    return [name, { ...(style === "form" ? {} : { style }), ...(explode ? { explode } : {}) }];
  });
}

function partPlans({ parts = {} }: Content): Named {
  return Object.entries(parts).map(([name, part]) => [name, partPlan(part)]);
}

function partPlan({ kind, isList, contentTypes }: PartPlan): FieldPlan | undefined {
  const isFile = kind !== "json" && "file" in kind;
  if (kind !== "json" && !isFile) return undefined;
  const types = isFile ? kind.file.contentTypes : contentTypes;
  const [type] = types?.filter((one) => isFile || codecOf(one) === "json") ?? [];
  const isUsual = !isFile && type === "application/json";
  const isSaid = type !== undefined && !type.includes("*") && !isUsual;
  const said = isSaid ? { mediaType: type } : {};
  if (isFile) return isSaid ? said : undefined;
  return { isJson: true, ...(isList ? { explode: true } : {}), ...said };
}

function isStyled(field: FormField): field is Exclude<FormField, ParameterKind> {
  return typeof field === "object" && "style" in field;
}

function keyPlan({ parameters }: Operation): Pick<OperationPlan, "key"> {
  const found = parameters.find(
    ({ in: place, name }) => place === "header" && name.toLowerCase() === idempotencyKey,
  );
  return found === undefined ? {} : { key: { header: found.name, isRequired: found.required } };
}
