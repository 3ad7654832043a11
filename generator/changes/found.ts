// One change: its rule, where it is and what has changed, before severity and lines are looked up.

import { equal, itemsOf, type Json } from "../json.ts";
import type { At, Revision } from "./revision.ts";
import type { Rule } from "./judgement.ts";
import { missingIn } from "./value-keys.ts";

/** Where it stands in each revision, or what it would stand in where it is not. */
export interface Where extends Both<At> {
  /** it stands in the older revision only, and is shown there */
  readonly isGone?: boolean;
}

export interface Found extends Where {
  readonly rule: string;
  readonly message: string;
  /** a property that is gone, and that might have been absent all the time */
  readonly wasOptional?: boolean;
}

/** A revision and the one after it. */
export interface Pair {
  readonly base: Revision;
  readonly head: Revision;
}

/** The same part in both revisions. */
export interface Both<T> {
  readonly base: T;
  readonly head: T;
}

/** An extension (`x-...`) in which a contract promises something to its clients. */
export interface Extension {
  readonly name: `x-${string}`;
  readonly on: "Operation" | "Response" | "Schema";
  /** a list of which each value is a promise, one value, or one value of an order from less to more */
  readonly form: "list" | "value" | { readonly order: readonly string[] };
  readonly removed: ExtensionRule;
  readonly added: ExtensionRule;
}

export type ExtensionRule = Rule & { readonly id: string };

/** However many there are. */
export function addTo(found: Found[], more: readonly Found[]): void {
  for (const one of more) found.push(one);
}

/** As people read it in a message; long values are cut. */
export function shown(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  const charactersMax = 80;
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}...` : text;
}

export function extensionChanges(
  at: Both<At>,
  nodes: Both<Json | undefined>,
  extension: Extension,
): readonly Found[] {
  const { form, removed, added } = extension;
  const report = ({ id }: ExtensionRule, message: string, isGone = false): Found => {
    return { ...at, isGone, rule: id, message: `${extension.name}: ${message}` };
  };
  if (form === "list") {
    const before = itemsOf(nodes.base);
    const after = itemsOf(nodes.head);
    // a contract that begins to say what it always did changes nothing
    if (nodes.base === undefined) return [];
    return [
      ...missingIn(before, after).map((value) => report(removed, `${shown(value)} is gone`, true)),
      ...missingIn(after, before).map((value) => report(added, `${shown(value)} is new`)),
    ];
  }
  const { base, head } = nodes;
  if (base === head || (base !== undefined && head !== undefined && equal(base, head))) return [];
  const message = `${shown(base)} became ${shown(head)}`;
  const isGone = head === undefined;
  if (form === "value") return [report(removed, message, isGone)];
  const [before, after] = [base, head].map((value) =>
    typeof value === "string" ? form.order.indexOf(value) : -1,
  );
  const isMore = before !== undefined && after !== undefined && before >= 0 && after > before;
  return [report(isMore ? added : removed, message, isGone)];
}
