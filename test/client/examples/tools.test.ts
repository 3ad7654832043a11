// What the tests of examples and clients say of a machine that lacks something.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { endChildren, makeFolder } from "../../programs/child.ts";
import { absence, type Command } from "../languages/language.ts";
import { exampleLanguages } from "./example-shop.ts";

afterAll(endChildren);

/** It knows as few options as one before 7.76. */
const olderCurl = `#!/bin/sh
if [ "$1" = --version ]; then echo 'curl 7.74.0'; exit; fi
echo "curl: option $1: is unknown" >&2
exit 2
`;

function shellWith(curl: string) {
  const shell = exampleLanguages.find(({ language }) => language === "sh");
  if (shell === undefined) throw new Error("there are no examples in sh");
  const versions = shell.versions.map(([program, ...words]): Command => [
    program === "curl" ? curl : program,
    ...words,
  ]);
  return { ...shell, versions };
}

test("a curl that is too old is told, and what it does not know", () => {
  const curl = join(makeFolder(), "curl");
  writeFileSync(curl, olderCurl);
  chmodSync(curl, 0o755);
  expect(absence(shellWith(curl))).toBe(
    `"${curl} --fail-with-body --version" ends with 2: curl: option --fail-with-body: is unknown`,
  );
});

test("a program that is not there is told", () => {
  const curl = join(makeFolder(), "curl");
  expect(absence(shellWith(curl))).toBe(`${curl} is not on this machine`);
});
