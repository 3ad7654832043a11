import { expect, test } from "vitest";
import { ConfigurationError } from "../../adapters/configuration/configuration.ts";
import { readStartWords } from "../../adapters/configuration/start-words.ts";

test("npm's own script says that the site is built, and nobody else says anything", () => {
  expect(readStartWords([])).toEqual({ isBuildingDocs: false });
  expect(readStartWords(["--build-docs"])).toEqual({ isBuildingDocs: true });
});

test.each([
  ["--build-docs=1", "--build-docs"],
  ["--build-docs_", "a word"],
  ["--port=8081", "--port"],
  ["--PORT=8081", "a word"],
  ["PORT=8081", "PORT"],
  ["PORT", "a word"],
  [`--${"a".repeat(21)}`, "a word"],
  [`${"A".repeat(41)}=1`, "a word"],
])("%s is a mistake, and of what may be a secret nothing is repeated", (word, named) => {
  const read = () => readStartWords(["--build-docs", word]);
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(`${named} stands behind the command`);
});
