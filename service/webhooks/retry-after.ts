// The header Retry-After (RFC 9110, section 10.2.3): seconds, or a date.

/** "Sun, 06 Nov 1994 08:49:37 GMT", the one form that may still be sent (RFC 9110, section 5.6.7). */
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Whole seconds from now, not negative; undefined when the text means nothing. */
export function parseRetryAfter(text: string, nowMilliseconds: number): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed);
  if (!httpDate.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  if (Number.isNaN(at)) return undefined;
  return Math.max(0, Math.ceil((at - nowMilliseconds) / 1000));
}
