// Answers of the checkout page, with the headers that all of them wear.

export interface CheckoutAnswer {
  readonly status: number;
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Nothing from elsewhere, nothing inline, in nobody's frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The link is all that it takes to see the page: it goes into no cache and to no other site. */
const everyAnswer = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy":
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Robots-Tag": "noindex, nofollow",
} as const;

interface Content {
  readonly contentType: string;
  readonly content: CheckoutAnswer["content"];
  readonly headers?: Readonly<Record<string, string>>;
}

export function fresh(status: number, { contentType, content, headers = {} }: Content) {
  const own = { "Content-Type": contentType, "Cache-Control": "no-store", Vary: "Accept" };
  return { status, content, headers: { ...everyAnswer, ...own, ...headers } };
}

export function lasting({ contentType, content }: Content): CheckoutAnswer {
  const own = {
    "Content-Type": contentType,
    "Cache-Control": "public, max-age=31536000, immutable",
  };
  return { status: 200, content, headers: { ...everyAnswer, ...own } };
}

export const markup = "text/html; charset=utf-8";
export const json = "application/json";
