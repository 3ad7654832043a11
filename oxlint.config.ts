import { posix } from "node:path";
import { defineConfig, type OxlintOverride } from "oxlint";
import { type Row, roomsWithRules, rows } from "./test/tidy/rooms.ts";

/** How deep folders are nested inside a room at most. */
const depthMax = 2;

/** Everything is refused but what the row allows, as it is written from a file of that depth. */
function roomOverrides(row: Row): readonly OxlintOverride[] {
  const isFile = row.place.endsWith(".ts");
  const depths = isFile ? [0] : Array.from({ length: depthMax + 1 }, (_, depth) => depth);
  return depths.map((depth) => {
    const folder = isFile ? posix.dirname(row.place) : posix.join(row.place, "/x".repeat(depth));
    return {
      files: [
        isFile ? row.place : `${row.place}${"/*".repeat(depth)}/${endings[row.part ?? "all"]}`,
      ],
      rules: { "no-restricted-imports": ["error", { patterns: roomPatterns(row, folder) }] },
    };
  });
}

const endings = { all: "*.ts", rules: "*.ts", statements: "*.sql.ts" } as const;

/** One group says all that is allowed: a second one would allow what the first refuses. */
function roomPatterns({ place, may, onlyTypes, packages }: Row, folder: string) {
  const written = (path: string): string => {
    const relative = posix.relative(folder, path);
    return relative.startsWith(".") ? relative : `./${relative}`;
  };
  const whole = (path: string): string => (/\.(?:ts|json)$/.test(path) ? path : `${path}/**`);
  const message = `see the row of ${place} in test/tidy/rooms.ts`;
  // Beside a file, and beside the loose files of service/, there are other rooms.
  const isAlone = place.endsWith(".ts") || place === "service";
  // `../**` also stands for what is further up, which is refused again.
  const depth = folder.split("/").length - place.split("/").length;
  const inside = Array.from({ length: depth }, (_, index) => `!${"../".repeat(index + 1)}**`);
  const own = isAlone ? ["!./*.ts"] : ["!./**", ...inside, `${"../".repeat(depth + 1)}**`];
  const allowed = may.map((one) => `!${written(whole(one))}`);
  const named =
    packages === undefined ? ["!*", "!*/**", "../**", "./**"] : packages.map((one) => `!${one}`);
  const group = { group: ["**", ...named, ...own, ...allowed], message };
  if (onlyTypes === undefined) return [group];
  const rooms = `(?:${onlyTypes === "rules" ? roomsWithRules.join("|") : "[a-z0-9]+"})`;
  const ending = onlyTypes === "rules" ? "\\.ts" : "\\.sql\\.ts";
  const regex = `^(?:\\.\\./)+(?:service/)?${rooms}/[a-z0-9-]+${ending}$`;
  return [{ regex, allowTypeImports: true, message }, group];
}

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "node", "vitest"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  // The examples are a merchant's program: their test compiles them with the package that they import.
  ignorePatterns: ["test/generator/cases", "docs/examples", "data", "test-results"],
  rules: {
    // Types: nothing unknown may pass for something known.
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/no-unsafe-function-type": "error",
    "typescript/no-unnecessary-condition": "error",
    "typescript/switch-exhaustiveness-check": [
      "error",
      { considerDefaultExhaustiveForUnions: true },
    ],
    "typescript/consistent-type-imports": "error",
    "typescript/no-namespace": "error",
    "typescript/parameter-properties": "error",
    "typescript/ban-ts-comment": "error",
    // Casts are allowed with their reason beside them; this rule cannot see the reason.
    "typescript/no-unsafe-type-assertion": "off",

    // Promises and errors: nothing gets lost.
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/only-throw-error": "error",
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    "typescript/require-await": "error",

    // Size and shape, see "Style" in CONTRIBUTING.md.
    "max-lines": ["error", { max: 400 }],
    "max-lines-per-function": ["error", { max: 70 }],
    "max-params": ["error", { max: 3 }],
    eqeqeq: "error",
    "no-param-reassign": "error",
    "prefer-const": "error",
    "oxc/no-barrel-file": ["error", { threshold: 0 }],
    "import/no-cycle": "error",
    "no-console": "error",

    // `fc.string()` beside `fc.integer()` is how fast-check is meant to be read.
    "import/no-named-as-default-member": "off",
    // `then` is a keyword of JSON Schema, and "_zod" the documented way into a schema.
    "unicorn/no-thenable": "off",
    "no-underscore-dangle": "off",
    // Tables of cases assert in shared functions and by kind of case.
    "vitest/expect-expect": "off",
    "vitest/no-conditional-expect": "off",
    // Small objects are copied on purpose.
    "oxc/no-map-spread": "off",

    // Loops that await in order do so on purpose: order and load are the point.
    "no-await-in-loop": "off",
    // A name that is right inside and outside is better than a second, worse one.
    "no-shadow": "off",
    // Sets up test files and side effects of start-up.
    "import/no-unassigned-import": "off",
    // A method of an interface is handed on as a plain function only where it needs no `this`.
    "unicorn/consistent-function-scoping": "off",
    // `new Promise((resolve) => ...)` around callbacks of Node is the plain way.
    "promise/always-return": "off",
    "promise/no-multiple-resolved": "error",
    "vitest/require-mock-type-parameters": "off",
  },
  overrides: [
    ...rows.flatMap(roomOverrides),
    {
      // Copied into generated/ as they are: one rule for both places.
      files: ["generator/runtime/**"],
      rules: { "max-params": ["error", { max: 4 }] },
    },
    {
      // Generated files are as long as the contract is; `register` takes app, handlers, edge and
      // options, as its readers expect.
      files: ["generated/**"],
      rules: {
        "max-lines": "off",
        "max-lines-per-function": "off",
        "max-params": ["error", { max: 4 }],
      },
    },
    {
      // Whoever imports a client has one module to name.
      files: ["generated/client/client.ts", "scripts/client/merchant-payments.ts"],
      rules: { "oxc/no-barrel-file": "off" },
    },
    {
      files: ["service/**"],
      rules: {
        "no-restricted-globals": [
          "error",
          { name: "process", message: "configuration is parsed in adapters/ and handed in" },
          { name: "fetch", message: "outgoing HTTP is a port" },
          { name: "setTimeout", message: "the clock is handed in" },
          { name: "setInterval", message: "the clock is handed in" },
        ],
      },
    },
    {
      files: ["handlers/**"],
      rules: {
        "no-restricted-globals": [
          "error",
          { name: "process", message: "configuration is parsed in adapters/ and handed in" },
        ],
      },
    },
    {
      // A describe block is a table of contents, not a function.
      files: ["test/**"],
      rules: { "max-lines-per-function": "off" },
    },
    {
      // Programs people run talk to the terminal.
      files: ["scripts/**", "generator/main.ts"],
      rules: { "no-console": "off" },
    },
  ],
});
