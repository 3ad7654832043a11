// Which of several media types a caller takes: the header `Accept` (RFC 9110 section 12.5.1).

import { isJson } from "../suite/contract.ts";

interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * Of what the contract has, what the caller takes best: in the order of the contract where two are as good.
 * Undefined: none of it.
 */
export function accepted(
  mediaTypes: readonly string[],
  header: string | undefined,
): string | undefined {
  const ranges = rangesOf(header ?? "");
  const usual = mediaTypes.toSorted((one, other) => Number(isJson(other)) - Number(isJson(one)));
  if (ranges.length === 0) return concrete(usual[0], []);
  const rated = usual.map((name) => ({ name, quality: qualityOf(name, ranges) }));
  const [best] = rated.toSorted((one, other) => other.quality - one.quality);
  return best === undefined || best.quality === 0 ? undefined : concrete(best.name, ranges);
}

function rangesOf(header: string): readonly Range[] {
  return header.split(",").flatMap((part): readonly Range[] => {
    const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const [type = "", subtype = ""] = name.split("/");
    if (type === "" || subtype === "") return [];
    const text = parameters.find((one) => one.startsWith("q="))?.slice(2);
    const quality = text === undefined ? 1 : Number(text);
    return [{ type, subtype, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
  });
}

/** What is said most exactly counts. */
function qualityOf(name: string, ranges: readonly Range[]): number {
  const [own = "", subtype = ""] = essenceOf(name).split("/");
  const fits = (one: string, other: string): boolean =>
    one === "*" || other === "*" || one === other;
  const exactness = (range: Range): number =>
    Number(range.type !== "*") + Number(range.subtype !== "*");
  const [best] = ranges
    .filter((range) => fits(range.type, own) && fits(range.subtype, subtype))
    .toSorted((one, other) => exactness(other) - exactness(one) || other.quality - one.quality);
  return best?.quality ?? 0;
}

function essenceOf(name: string): string {
  return name.replace(/\s*;.*$/s, "").toLowerCase();
}

/** One type out of a range of the contract's. */
const samples: readonly string[] = [
  "application/json",
  "text/plain",
  "image/png",
  "audio/mpeg",
  "video/mp4",
  "font/woff2",
];

function concrete(name: string | undefined, ranges: readonly Range[]): string | undefined {
  if (name?.includes("*") !== true) return name;
  const isOf = (one: string): boolean => {
    const [type] = essenceOf(name).split("/");
    return type === "*" || one.startsWith(`${type}/`);
  };
  const asked = ranges
    .filter(({ type, subtype, quality }) => type !== "*" && subtype !== "*" && quality > 0)
    .map(({ type, subtype }) => `${type}/${subtype}`);
  return [...asked, ...samples].find(isOf) ?? name.replaceAll("*", "octet-stream");
}
