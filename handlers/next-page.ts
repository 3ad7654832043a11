// Where the next page is, in the headers of a list.

/**
 * RFC 8288, with the filters of this page. Relative to the request, as the contract's example: the
 * service does not know its host. `cursor` null: this page is the last one.
 */
export function nextPage(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | null,
): { readonly Link?: string; readonly "X-Next-Cursor"?: string } {
  if (cursor === null) return {};
  const parameters = new URLSearchParams({ cursor });
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return { Link: `<${path}?${parameters.toString()}>; rel="next"`, "X-Next-Cursor": cursor };
}
