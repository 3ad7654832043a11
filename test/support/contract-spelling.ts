// The same JSON, written in another way: every reader has to read the same value from it.

import { isObject, type Json } from "./contract-document.ts";

/** What is thrown where there is a choice, one after the other and then from the start; none: as it is. */
export type Dice = readonly number[];

const gaps = ["", "", " ", "\n", "\t", "\r\n  "];

export function spell(value: Json, dice: Dice): string {
  let thrown = 0;
  const choose = (count: number): number => {
    if (dice.length === 0) return 0;
    thrown += 1;
    return (dice[thrown % dice.length] ?? 0) % count;
  };
  const gap = (): string => gaps[choose(gaps.length)] ?? "";
  const write = (one: Json): string => {
    if (typeof one === "string") return spellText(one, choose);
    if (typeof one === "number") return spellNumber(one, choose);
    if (Array.isArray(one)) return `[${gap()}${one.map(write).join(`,${gap()}`)}${gap()}]`;
    if (!isObject(one)) return JSON.stringify(one);
    const members = Object.entries(one).map(
      ([name, member]) => `${spellText(name, choose)}${gap()}:${gap()}${write(member)}`,
    );
    return `{${gap()}${members.join(`${gap()},`)}${gap()}}`;
  };
  return gap() + write(value) + gap();
}

type Choose = (count: number) => number;

/** Any character may stand as an escape (RFC 8259 section 7). */
function spellText(text: string, choose: Choose): string {
  // From a random place on, since most texts are left as they are.
  const at = choose(8) === 1 ? choose(text.length + 1) : text.length;
  const escaped = Array.from({ length: text.length - at }, (_, index) => {
    const unit = text
      .charCodeAt(at + index)
      .toString(16)
      .padStart(4, "0");
    return `\\u${choose(2) === 0 ? unit : unit.toUpperCase()}`;
  });
  // Half of a pair alone is written as an escape anyway.
  return JSON.stringify(text.slice(0, at)).slice(0, -1) + escaped.join("") + '"';
}

/** 100 is 100.0, 1e2 and 1000E-1 too. */
function spellNumber(value: number, choose: Choose): string {
  const plain = JSON.stringify(value);
  if (!/^-?\d+$/.test(plain)) return plain;
  const tenths = value === 0 ? "0.0" : `${plain}0`;
  const forms = [plain, plain, plain, `${plain}.0`, `${plain}e0`, `${tenths}E-1`, `${plain}.00e+0`];
  return forms[choose(forms.length)] ?? plain;
}
