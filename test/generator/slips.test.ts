// Slips of those who write YAML by hand: each is one problem, at the place that has to be changed.

import { describe, expect, test } from "vitest";
import { formatProblems } from "../../generator/problems.ts";
import { whole } from "../../scripts/diagnostics/documents.ts";
import { toldOf } from "../../scripts/diagnostics/told.ts";
import { said } from "./said.ts";

const shop = `openapi: 3.1.0
info:
  title: Shop
  version: "1"
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      parameters:
        - name: limit
          in: query
          schema:
            type: integer
      responses:
        "200":
          description: All pets
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Pets"
    post:
      operationId: addPet
      requestBody:
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/Pet"
      responses:
        "204":
          description: Done
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name:
          type: string
        age:
          type: integer
    Pets:
      type: array
      items:
        $ref: "#/components/schemas/Pet"
`;

/** Everything that is said of the document with this text in place of another one. */
function slipped(from: string, to: string): readonly string[] {
  const text = shop.replace(from, () => to);
  expect(text, "nothing to replace").not.toBe(shop);
  return toldOf(whole(text)).problems.map(said);
}

test("the document without a slip is fine", () => {
  expect(toldOf(whole(shop)).problems).toEqual([]);
});

describe("a slip of YAML is one problem", () => {
  test.for([
    [
      "a line that is indented too deep",
      "  version:",
      "    version:",
      '4:5 OAG103 this line is indented deeper than "title" above, which has its value already',
    ],
    [
      "a line that fits nowhere",
      "      tags:",
      "     tags:",
      "9:6 OAG103 this line is indented by 5, and the lines around it by 6, 4",
    ],
    [
      "a list whose dash has slipped",
      "          in: query",
      "        in: query",
      "12:9 OAG103 this line is indented by 8, and the lines around it by 10, 6",
    ],
    ["a tab", "  /pets:", "\t/pets:", "6:1 OAG103 a tab indents this line"],
    [
      "a colon inside a text",
      "description: Done",
      "description: Done: really",
      '31:24 OAG103 a text with ": " in it has to stand in quotes',
    ],
    [
      "no space behind a colon",
      "type: object",
      "type:object",
      '35:7 OAG103 a space is missing after "type:"',
    ],
    [
      "a quote that is never closed",
      '"200"',
      '"200',
      "16:9 OAG103 the text that begins here goes on to the next quote, in line 21",
    ],
    [
      "a quote that is never closed, before a line that cannot belong to the text",
      "description: All pets",
      'description: "All pets',
      "17:24 OAG103 the text that begins here is not closed before line 18, which is not indented deeply enough to belong to it",
    ],
    [
      "a quoted text whose second line is not indented more deeply than its name",
      "description: Done",
      "description: 'Done: it''s all\n          done' # which isn't much",
      "31:24 OAG103 the text that begins here is not closed before line 32, which is not indented deeply enough to belong to it",
    ],
    [
      "a quote inside a text",
      "All pets",
      "'It's all pets'",
      "17:28 OAG103 the quote in this text ends it",
    ],
    ["a bracket that is never closed", "[name]", "[name", '36:17 OAG103 this "[" is not closed'],
    [
      "a text that begins with a mark",
      "All pets",
      "@pets",
      "17:24 OAG103 a text cannot begin with @",
    ],
    [
      "an alias that was meant as a text",
      "All pets",
      "*pets",
      '17:24 OAG116 nothing is called "&pets" before this',
    ],
    ["an escape that is none", "All pets", '"\\d"', "17:25 OAG103 \\d is no escape of YAML"],
    [
      "a line without a name",
      "      tags: [pets]",
      "      tags [pets]",
      "9:7 OAG103 this line is no name with a value",
    ],
    [
      "a merge that was not finished",
      "components:",
      "<<<<<<< HEAD\ncomponents:",
      "32:1 OAG103 a merge was not finished here",
    ],
    [
      "a second document",
      "components:",
      "---\ncomponents:",
      "32:1 OAG107 the file holds several documents",
    ],
    [
      "a name that stands twice",
      "tags: [pets]",
      "operationId: pets",
      '9:7 OAG105 "operationId" stands twice in this object',
    ],
    [
      "a number and a text of one name",
      '      responses:\n        "204":',
      '      responses:\n        204: { description: A }\n        "204":',
      '31:9 OAG105 "204" stands twice in this object',
    ],
  ])("%s", ([, from = "", to = "", expected = ""]) => {
    expect(slipped(from, to)).toEqual([expected]);
  });
});

describe("a slip that is YAML all the same is one problem", () => {
  test.for([
    [
      "properties beside the word",
      "        name:\n          type: string\n        age:\n          type: integer",
      "      name:\n        type: string\n      age:\n        type: integer",
      '37:7 OAG308 "properties" has nothing in it, and "name" in line 38 could belong into it',
    ],
    [
      "an operation beside its method",
      "      operationId: addPet",
      "    operationId: addPet",
      "", // the rest is indented deeper: YAML itself says so
    ],
    [
      "a method among the paths",
      "    post:\n",
      "  post:\n",
      '22:3 OAG308 "post" stands in "paths", and belongs into one of its entries',
    ],
    [
      "answers out of their operation",
      '      responses:\n        "204":\n          description: Done',
      '    responses:\n      "204":\n        description: Done',
      '29:5 OAG308 "responses" is out of place in a path item, and "post" has none',
    ],
    [
      "an answer out of the answers",
      '        "204":\n          description: Done',
      '    "204":\n      description: Done',
      '29:7 OAG308 "responses" has nothing in it, and "204" in line 30 could belong into it',
    ],
    [
      "content among the answers",
      "          content:\n            application/json:\n              schema:\n                $ref",
      "        content:\n          application/json:\n            schema:\n              $ref",
      '18:9 OAG308 "content" stands in "responses", and belongs into one of its entries',
    ],
    [
      "components inside the paths",
      "components:\n  schemas:\n",
      "  components:\n    schemas:\n",
      "",
    ],
    [
      "a component beside the components",
      "    Pets:\n      type: array\n      items:\n        $ref",
      "Pets:\n  type: array\n  items:\n    $ref",
      '42:1 OAG308 "Pets" is out of place, and "#/components/schemas/Pets" is referred to',
    ],
    [
      "a reference beside its schema",
      "                $ref",
      "              $ref",
      '20:15 OAG308 "schema" has nothing in it, and "$ref" in line 21 could belong into it',
    ],
    [
      "a reference beside its path",
      shop.slice(shop.indexOf("    get:"), shop.indexOf("components:")),
      '  $ref: "#/components/pathItems/Pets"\n',
      '6:3 OAG308 "/pets" has nothing in it, and "$ref" in line 7 could belong into it',
    ],
  ])("%s", ([, from = "", to = "", expected = ""]) => {
    const found = slipped(from, to);
    expect(found).toHaveLength(1);
    if (expected !== "") expect(found).toEqual([expected]);
  });

  test("what extends a map has not slipped out of what is empty above it", () => {
    const found = slipped(
      "          description: Done\n",
      "          description: Done\n          headers:\n  x-owner: { team: pets }\n",
    );
    expect(found).toEqual(['32:19 OAG307 "headers" must be an object, not null']);
  });

  test("each line and each block of a document, moved by 1, 2 or 4 in both directions", () => {
    const lines = shop.trimEnd().split("\n");
    const indentOf = (line = ""): number => line.length - line.trimStart().length;
    const several: string[] = [];
    let slips = 0;
    for (const [first, line] of lines.entries()) {
      let end = first + 1;
      while (end < lines.length && indentOf(lines[end]) > indentOf(line)) end += 1;
      for (const last of new Set([first + 1, end])) {
        for (const by of [-4, -2, -1, 1, 2, 4].filter((one) => indentOf(line) + one >= 0)) {
          const moved = lines.map((one, index) => {
            if (index < first || index >= last) return one;
            return by > 0 ? " ".repeat(by) + one : one.slice(Math.min(-by, indentOf(one)));
          });
          slips += 1;
          const { problems } = toldOf(whole(`${moved.join("\n")}\n`));
          const errors = problems.filter(({ severity }) => severity === "error");
          if (errors.length > 1)
            several.push(`${line} by ${by}\n${formatProblems(problems).join("\n")}`);
        }
      }
    }
    expect(slips).toBeGreaterThan(350);
    expect(several).toEqual([]);
  });
});

test.for([
  [
    "a field of another object",
    "title: Shop",
    'title: Shop\n  externalDocs: { url: "https://example.com" }',
  ],
  [
    "a schema's word in a parameter",
    "          in: query",
    "          in: query\n          type: integer",
  ],
  [
    "text beside a media type's schema",
    "              schema:\n                $ref",
    "              description: x\n              schema:\n                $ref",
  ],
])("what is only unusual is no slip: %s", ([, from = "", to = ""]) => {
  const problems = slipped(from, to);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("OAG301");
});

describe("one cause is said once", () => {
  test("a reference of Swagger 2.0, and not again in the words of 3.0", () => {
    const text = `swagger: "2.0"
info: { title: Shop, version: "1" }
paths:
  /pets:
    get:
      operationId: listPets
      responses: { "200": { description: All, schema: { $ref: "#/definitions/Pets" } } }
definitions: { Cat: { type: object } }
`;
    const { problems } = toldOf(whole(text), new Set(["OAG117", "OAG201"]));
    expect(problems.map(said)).toEqual(['7:63 OAG201 there is nothing at "#/definitions/Pets"']);
  });

  test("a file that is broken, and not each reference to it", () => {
    const files = { "pet.yaml": 'type: "object\n' };
    const { problems } = toldOf(
      whole(shop.replaceAll('"#/components/schemas/Pet"', "pet.yaml"), files),
    );
    expect(problems.map(said)).toEqual(["1:7 OAG103 the text that begins here is never closed"]);
  });

  test("a component that is nowhere, with all its places", () => {
    const { problems } = toldOf(whole(shop.replace("    Pet:\n", "    Cat:\n")));
    expect(problems.map(said)).toEqual([
      '28:21 OAG201 there is nothing at "#/components/schemas/Pet"',
    ]);
    expect(problems[0]?.also).toMatchObject([{ line: 45 }]);
  });

  test("a parameter that is broken, and not the path that would have it", () => {
    const text = shop
      .replace("/pets:", "/pets/{limit}:")
      .replace("          in: query\n", "")
      .replace(/ {4}post:[^]*(?=components:)/, "");
    expect(toldOf(whole(text)).problems.map(said)).toEqual(['11:11 OAG302 "in" is missing']);
  });

  test("a type that does not exist, and not what the words beside it need", () => {
    const text = shop.replace("type: integer", "type: intger\n            minimum: 1");
    expect(toldOf(whole(text)).problems.map(said)).toEqual([
      '14:19 OAG401 the text "intger" is not a type',
    ]);
  });

  test("a name of the path that is called otherwise", () => {
    const text = shop
      .replace("/pets:", "/pets/{petid}:")
      .replace(
        "name: limit\n          in: query",
        "name: petId\n          in: path\n          required: true",
      )
      .replace(/ {4}post:[^]*(?=components:)/, "");
    const { problems } = toldOf(whole(text));
    expect(problems.map(said)).toEqual([
      "8:7 OAG607 the path names {petid}, and the operation has no such path parameter",
    ]);
    expect(problems[0]?.advice).toBe('did you mean "petId", as the parameter is called?');
  });
});
