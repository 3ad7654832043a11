// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Bodies of requests that take time to read: forms with files, and what handlers read while it comes.

import type { MediaPlan } from "./bodies.ts";
import type { Inflow } from "./inflow.ts";
import { streamItems } from "./item-reading.ts";
import { boundaryOf, MultipartError } from "./multipart-parser.ts";
import { openForm, type IncomingFormPlan } from "./multipart-stream.ts";
import { formOf, readForm, readParts } from "./multipart.ts";
import { bodyViolation, checkPart, itemPlan } from "./parts.ts";
import type { Plan, Received } from "./plan.ts";
import type { Violation } from "./violations.ts";

type Source = Pick<Received, "plan" | "raw">;

/** The fields and files of a form that is there as a whole. */
export async function readMultipart(
  { plan, raw }: Source,
  media: MediaPlan,
  violations: Violation[],
): Promise<unknown> {
  const { parts, check } = media;
  try {
    const whole = await readParts(raw.body, boundaryOf(String(raw.headers["content-type"])));
    if (parts === undefined) return formOf(whole);
    const values = readForm(whole, formPlan(plan, media), violations);
    checkPart({ in: "body", check }, values, violations);
    return values;
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    bodyViolation(violations, "multipart", `must be multipart/form-data: ${error.message}`);
    return undefined;
  }
}

/** What the handler reads the body from. */
export function openBody({ plan, raw }: Source, media: MediaPlan, inflow: Inflow): unknown {
  if (media.codec === "items") return streamItems(() => inflow.read(), itemPlan(plan, media));
  if (media.codec !== "multipart") return inflow.stream();
  return openForm(inflow, formPlan(plan, media), String(raw.headers["content-type"]));
}

function formPlan(
  { edge }: Plan,
  { parts = new Map(), partHeaders: headers, check }: MediaPlan,
): IncomingFormPlan {
  return { parts, headers, check, depthMax: edge.depthMax, fieldBytesMax: edge.bodyBytesMax };
}
