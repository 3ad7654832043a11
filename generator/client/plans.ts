// What a client knows of an operation, as text: runtime/plan.ts says what it means.

import { typedLiteral } from "../emit/literals.ts";
import type { FormField, ParameterKind } from "../runtime/runtime.ts";
import type { Content, Operation, Parameter, Querystring } from "../model/model.ts";
import { acceptOf, readContent } from "./answers.ts";
import type { Writing } from "./writing.ts";
import { argumentsOf, arrangementOf, idempotencyKey, sentContent } from "./names.ts";
import type { BodyPlan, FieldPlans, OperationPlan, ParameterPlan } from "./runtime/plan.ts";

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
    answers: Object.fromEntries(
      operation.responses.map((response) => [
        response.key,
        readContent(response)?.mediaType ?? null,
      ]),
    ),
    ...(fallback?.statuses === undefined ? {} : { defaultStatuses: fallback.statuses }),
  };
}

function parameterPlan({
  in: place,
  name,
  style,
  explode,
  required,
  kind,
}: Parameter): ParameterPlan {
  const usual = style === "simple" || style === "form" || style === "cookie";
  return {
    in: place,
    name,
    ...(usual ? {} : { style }),
    ...(explode ? { explode } : {}),
    ...(required || place === "path" ? { isRequired: true } : {}),
    ...(kind === "json" ? { isJson: true } : {}),
  };
}

function wholePlan({ name, required, isText, fields }: Querystring): ParameterPlan {
  return {
    in: "query",
    name,
    ...(required ? { isRequired: true } : {}),
    whole: isText ? "text" : fields === undefined ? "json" : "form",
  };
}

function bodyPlan({ body }: Operation, content: Content, isSpread: boolean): BodyPlan {
  const fields = fieldPlans(content.fields ?? {});
  return {
    mediaType: content.mediaType,
    ...(body?.required === true ? { isRequired: true } : {}),
    ...(isSpread ? { isSpread } : {}),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

/** Of those that are written in another way than usual. */
function fieldPlans(fields: Readonly<Record<string, FormField>>): FieldPlans {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isStyled(field)) return [];
      const { style, explode } = field;
      return [[name, { ...(style === "form" ? {} : { style }), ...(explode ? { explode } : {}) }]];
    }),
  );
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
