// How bad a change is, and for whom.

export type Severity = "breaking" | "warning" | "info";

/** The worst first. */
export const severities: readonly Severity[] = ["breaking", "warning", "info"];

/** Who is bound by a contract: those who call, and those who answer. */
export type Party = "clients" | "servers";

export const parties: readonly Party[] = ["clients", "servers"];

/** `request`: what clients send; `response`: what they get. A webhook's body is a response of ours. */
export type Direction = "request" | "response";

export const directions: readonly Direction[] = ["request", "response"];

export interface Judgement {
  readonly severity: Severity;
  /** what to do instead, and why where that is not plain; "" where there is nothing to do */
  readonly advice: string;
}

export type Rule = Readonly<Record<Party, Judgement>>;
