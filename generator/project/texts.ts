// The hand-written files of a new project, as they are on its first day: whoever owns it changes them.

export const serverText = `// The server: npm start, on PORT or 3000.

import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { register } from "./generated/app.ts";
import { defaultEdge } from "./generated/runtime/edge.ts";
import { handlers } from "./handlers/handlers.ts";

/** Also for tests without a socket: await app.request("/..."). */
export const app = new Hono();
// Middleware comes first: app.use(logger());
register(app, handlers, defaultEdge());

export interface Running {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** @param port 0: any that is free */
export async function start(port: number): Promise<Running> {
  const server = createAdaptorServer(app);
  await new Promise<void>((resolve) => server.listen(port, resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: \`http://localhost:\${own}\`,
    close: async () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { url } = await start(Number(process.env["PORT"] ?? 3000));
  console.log(\`listening on \${url}\`);
}
`;

export const testText = (
  hasOwnRefusals: boolean,
) => `// Everything that the contract says, against the running server. What the suite cannot know stands here.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Running, start } from "../server.ts";
import type { JsonObject } from "./suite/json.ts";
import { ContractSuite, readViolations } from "./suite/suite.ts";
import { contractTests } from "./suite/tests.ts";

const root = join(import.meta.dirname, "..");
const text = readFileSync(join(root, "generated", "openapi.json"), "utf8");
let server: Running;
beforeAll(async () => {
  server = await start(0);
});
afterAll(() => server.close());

const suite = new ContractSuite({
  document: JSON.parse(text) as JsonObject,
  /** Add what says who asks: a key, a token, a signature. */
  send: ({ method, target, headers, body = null }) =>
    fetch(server.url + target, { method, headers, body }),
  /** Ids that are there: { "path user_id": "42" } */
  known: {},
  /** What a refused request says is wrong with it; leave it out where it does not. */
  saidWrong: readViolations,
  /** Headers that the server adds and the contract does not know, in lower case. */
  otherHeaders: [],
${
  hasOwnRefusals
    ? `  /** The contract has a form for refusals: give \`defaultEdge\` a \`refuse\` that keeps it, and set this to true. */
  judgesRefusals: false,
`
    : `  judgesRefusals: true,
`
}  seed: Number(process.env["SEED"] ?? 1),
  draws: 10,
});

contractTests({ suite, url: () => server.url, folder: join(root, "test-results", "contract") });
`;

export const vitestText = `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Node runs TypeScript as it is.
    experimental: { viteModuleRunner: false },
    reporters: ["dot"],
  },
});
`;

export const readmeText = (name: string, spec: string) => `# ${name}

A server that is made from \`${spec}\`.

\`\`\`sh
npm install
npm start       # every operation answers 501 until you write it
npm test        # everything that the contract says, against the running server
npm run types   # the compiler: a missing operation or a wrong answer is an error
npm run generate
\`\`\`

- \`${spec}\`: the contract. Edit it, then \`npm run generate\`.
- \`generated/\`: routes, types, validation. Never edited by hand.
- \`handlers/\`: one function for each operation. Yours; new operations get a stub.
- \`server.ts\`: middleware, who asks, what a refusal looks like, limits. Yours.
- \`test/contract.test.ts\`: keys, ids that are there, what the suite cannot know. Yours.
- \`test/suite/\`: the contract suite; \`npm run generate\` leaves it alone.

\`npm test\` sends what the contract allows (each bound, each listed value, each alternative, and more at random),
breaks each of its rules one at a time, and tries what HTTP forbids. It holds every answer against the contract,
prints which answers were met by operation and status, and writes \`test-results/contract/index.html\`. An operation
that is not written yet is listed, and no failure. \`SEED=7 npm test\` draws other requests.
`;

export const ignoreText = "node_modules/\ntest-results/\n";

export const compilerText = `${JSON.stringify(
  {
    compilerOptions: {
      noEmit: true,
      target: "es2024",
      lib: ["es2024"],
      types: ["node"],
      module: "nodenext",
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
    include: [
      "generated",
      "handlers",
      "test",
      "generator.config.ts",
      "server.ts",
      "vitest.config.ts",
    ],
  },
  null,
  2,
)}\n`;
