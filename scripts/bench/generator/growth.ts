// How the cost of a run grows: documents with ten times as many routes, each with schemas of its own.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childrenCpuMicroseconds, median } from "../measuring.ts";
import { type Contender, ours, ownSources, types } from "./contenders.ts";

const sizes = [100, 1_000] as const;

export function measureGrowth(root: string, rounds: number): void {
  const contenders = [types, ours("ours, cold", ownSources, "")];
  console.log(`documents of ${sizes.join(" and ")} routes, ${rounds} rounds, processor time\n`);
  console.log("| generator | routes | seconds | times |");
  console.log("| --- | --: | --: | --: |");
  for (const contender of contenders) {
    let before: number | undefined;
    for (const size of sizes) {
      const all = Array.from({ length: rounds }, (_, round) =>
        secondsOf(contender, size, join(root, `${contenders.indexOf(contender)}-${size}-${round}`)),
      );
      const seconds = median(all);
      const times = before === undefined ? "" : (seconds / before).toFixed(1);
      console.log(`| ${contender.label} | ${size} | ${seconds.toFixed(2)} | ${times} |`);
      before = seconds;
    }
  }
}

function secondsOf(contender: Contender, routes: number, folder: string): number {
  mkdirSync(folder);
  writeFileSync(join(folder, "openapi.yaml"), documentOf(routes));
  const before = childrenCpuMicroseconds();
  const { status } = spawnSync(process.execPath, contender.command(folder, ""), { cwd: folder });
  if (status !== 0) throw new Error(`${contender.label} fails`);
  return (childrenCpuMicroseconds() - before) / 1e6;
}

/** Two operations on each path but the last of an odd number. */
export function documentOf(routes: number): string {
  const paths = Array.from({ length: Math.ceil(routes / 2) }, (_, index) => {
    const schema = `{ $ref: "#/components/schemas/Thing${index}" }`;
    const content = `{ application/json: { schema: ${schema} } }`;
    const answer = `"200": { description: A thing., content: ${content} }`;
    const get = `    get:
      operationId: getThing${index}
      tags: [group${index % 20}]
      responses: { ${answer} }
`;
    const put = `    put:
      operationId: putThing${index}
      tags: [group${index % 20}]
      requestBody: { required: true, content: ${content} }
      responses: { ${answer} }
`;
    const isLast = index * 2 + 1 === routes;
    return `  /things-${index}/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string, maxLength: 40 } }
${get}${isLast ? "" : put}`;
  });
  const schemas = paths.map(
    (_, index) => `    Thing${index}:
      type: object
      required: [name]
      properties:
        name: { type: string, maxLength: 100, description: "The name of thing ${index}." }
        count: { type: integer, format: int32, minimum: 0 }
        next: { $ref: "#/components/schemas/Thing${(index + 1) % paths.length}" }
        tags: { type: array, maxItems: 9, items: { type: string, enum: [a, b, c] } }
      example: { name: a, count: ${index}, tags: [a] }
`,
  );
  return `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
${paths.join("")}components:
  schemas:
${schemas.join("")}`;
}
