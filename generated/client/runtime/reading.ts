// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// From a response to the answer that the contract describes.

import { codecOf, essenceOf, itemFormat } from "../../runtime/media-types.ts";
import { type Answer, UnexpectedResponseError } from "./answers.ts";
import type { OperationPlan } from "./plan.ts";

/** Bytes of rows that may never end are given as they come. */
type Form = "json" | "text" | "bytes" | "stream";

/** @param mediaType as the contract writes it, or as a response says it */
export function formOf(mediaType: string): Form {
  const essence = essenceOf(mediaType);
  if (itemFormat(essence) !== undefined) return "stream";
  const codec = codecOf(essence);
  return codec === "json" || codec === "text" ? codec : "bytes";
}

/** @throws {UnexpectedResponseError} it is no answer of the contract */
export async function answerIn(response: Response, plan: OperationPlan): Promise<Answer> {
  const { status, headers } = response;
  const documented = documentedAt(status, plan);
  if (documented === undefined) {
    throw await unexpected(response, plan, "which the contract does not name");
  }
  if (documented === null) {
    await response.body?.cancel();
    return { status, body: undefined, headers };
  }
  const form = formOf(documented);
  const said = headers.get("Content-Type");
  if (said !== null && form !== "bytes" && formOf(said) !== form) {
    throw await unexpected(response, plan, `with ${said} in place of ${documented}`);
  }
  if (form === "stream") return { status, body: response.body, headers };
  if (form === "bytes") return { status, body: await response.blob(), headers };
  const text = await response.text();
  if (form === "text") return { status, body: text, headers };
  try {
    return { status, body: JSON.parse(text) as unknown, headers };
  } catch (cause) {
    const why = "with a body that is no JSON";
    const { operationId } = plan;
    throw new UnexpectedResponseError(operationId, { status, headers, text, why }, { cause });
  }
}

function documentedAt(status: number, plan: OperationPlan): string | null | undefined {
  const { answers, defaultStatuses, method } = plan;
  const range = `${Math.floor(status / 100)}XX`;
  const isOtherSuccess = range === "2XX" && Object.keys(answers).some((key) => key.startsWith("2"));
  const isDefault = defaultStatuses?.includes(status) ?? !isOtherSuccess;
  const keys = [String(status), range, ...(isDefault ? ["default"] : [])];
  const key = keys.find((one) => Object.hasOwn(answers, one));
  if (key === undefined) return undefined;
  // RFC 9110, sections 6.4.1 and 9.3.2
  const isBodiless = method === "HEAD" || [204, 205, 304].includes(status);
  return isBodiless ? null : answers[key];
}

async function unexpected(response: Response, { operationId }: OperationPlan, why: string) {
  const { status, headers } = response;
  const text = await response.text();
  return new UnexpectedResponseError(operationId, { status, headers, text, why });
}
