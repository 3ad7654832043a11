// Where the checkout page links to once a payment is final. A browser follows it, never we.

/** As the column and the contract have it. */
const charactersMax = 2048;

/** The URL in the one spelling it is kept in, or what is wrong with it (threat 74). */
export function parseRedirectUrl(
  text: string,
): { readonly href: string } | { readonly problem: string } {
  const url = URL.parse(text);
  if (url === null) return { problem: "must be a URL" };
  // "https:shop.example" is read as if the slashes were there; nobody means it.
  if (url.protocol !== "https:" || !/^https:\/\//i.test(text)) {
    return { problem: "must begin with https://" };
  }
  if (url.username !== "" || url.password !== "" || /^https:\/\/[^/?#]*@/i.test(text)) {
    return { problem: "must be without user information" };
  }
  // Escapes can make it longer than what was sent.
  if (url.href.length > charactersMax) {
    return { problem: `must have at most ${charactersMax} characters with its escapes` };
  }
  return { href: url.href };
}
