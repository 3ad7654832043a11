// Punycode: code points in letters, digits and hyphens (RFC 3492).

const [base, least, most, skew, damp] = [36, 1, 26, 38, 700];
const [firstPoint, firstBias] = [0x80, 72];

/** Section 6.1. */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((base - least) * most) / 2; k += base) rest = Math.floor(rest / (base - least));
  return k + Math.floor(((base - least + 1) * rest) / (rest + skew));
}

function threshold(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, least), most);
}

const digits = "abcdefghijklmnopqrstuvwxyz0123456789";

/** `text` is of one label, in lower case; undefined: it stands for nothing (section 6.2). */
export function decodePunycode(text: string): readonly number[] | undefined {
  const hyphen = text.lastIndexOf("-");
  const points = Array.from(text.slice(0, Math.max(hyphen, 0)), (one) => one.charCodeAt(0));
  let [point, bias, place] = [firstPoint, firstBias, 0];
  for (let at = hyphen + 1; at < text.length;) {
    const before = place;
    for (let k = base, weight = 1; ; k += base) {
      const digit = digits.indexOf(text.charAt(at++) || "-");
      if (digit === -1) return undefined;
      place += digit * weight;
      const limit = threshold(k, bias);
      if (digit < limit) break;
      weight *= base - limit;
      // no label goes that far, and from there on numbers would not be exact
      if (weight > 2 ** 31) return undefined;
    }
    const length = points.length + 1;
    bias = adapt(place - before, length, before === 0);
    point += Math.floor(place / length);
    place %= length;
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    points.splice(place++, 0, point);
  }
  return points;
}

/** Section 6.3. */
export function encodePunycode(points: readonly number[]): string {
  const basic = points.filter((one) => one < firstPoint);
  let text = String.fromCharCode(...basic) + (basic.length > 0 ? "-" : "");
  let [point, bias, delta, written] = [firstPoint, firstBias, 0, basic.length];
  while (written < points.length) {
    const next = Math.min(...points.filter((one) => one >= point));
    delta += (next - point) * (written + 1);
    point = next;
    for (const one of points) {
      if (one < point) delta += 1;
      if (one !== point) continue;
      text += writeNumber(delta, bias);
      bias = adapt(delta, written + 1, written === basic.length);
      delta = 0;
      written += 1;
    }
    delta += 1;
    point += 1;
  }
  return text;
}

function writeNumber(number: number, bias: number): string {
  let text = "";
  let rest = number;
  for (let k = base; ; k += base) {
    const limit = threshold(k, bias);
    if (rest < limit) return text + digits.charAt(rest);
    const span = base - limit;
    text += digits.charAt(limit + ((rest - limit) % span));
    rest = Math.floor((rest - limit) / span);
  }
}
