// Queries for those who have to agree on their canonical form.

import fc from "fast-check";

/** Everything that may stand on a request line, and a little that may not. */
const queryCharacter = fc.constantFrom(
  ...Array.from("aAzZ09-._~!$'()*,;:@/?[]{}=&&&===++ é😀\\\"<>`^|"),
  "%41",
  "%7e",
  "%7E",
  "%2b",
  "%2B",
  "%20",
  "%26",
  "%3d",
  "%00",
  "%c3%a9",
  "%F0%9F%98%80",
  "%ff",
  "%c3",
  "%",
  "%zz",
);
export const query = fc.array(queryCharacter, { maxLength: 30 }).map((parts) => parts.join(""));
