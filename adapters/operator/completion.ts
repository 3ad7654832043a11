// Completion for shells, made from the same table as the usage. It defines the command pay-admin, since nobody's shell
// completes what stands behind `npm run admin --`.

import { join } from "node:path";
import { result, said } from "./results.ts";
import { type Command, command, oneOf } from "./words.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];
type Named = Pick<Command<never>, "name" | "words">;

const root = join(import.meta.dirname, "..", "..");

/** @param all the table, which has this command too */
export function completionCommand(all: () => readonly Named[]): Command<unknown> {
  return command("completion", {
    says: "a script that defines pay-admin in your shell, and completes what is typed behind it",
    words: { shell: { ...oneOf(shells), form: "place" } },
    run: ({ shell }) => {
      const script = completionScript(shell, all(), root);
      return Promise.resolve(result(said(script, { shell, script })));
    },
  });
}

/** @param folder where the service is installed */
export function completionScript(shell: Shell, all: readonly Named[], folder: string): string {
  const places = placesOf(all);
  return shell === "fish" ? fishScript(places, folder) : bashScript(places, folder, shell);
}

interface Place {
  /** what stands before it: `ledger`, `ledger fund`, or `ledger fund --account` */
  readonly behind: string;
  readonly words: readonly string[];
}

/** Where something can be completed, the shortest first. */
function placesOf(all: readonly Named[]): readonly Place[] {
  const firsts = new Set(all.map(({ name }) => name.split(" ")[0] ?? ""));
  const seconds = Array.from(firsts, (first): Place => {
    const own = all.filter(({ name }) => name.startsWith(`${first} `));
    return { behind: first, words: own.map(({ name }) => name.slice(first.length + 1)) };
  });
  const options = all.map(({ name, words }): Place => {
    const entries = Object.entries(words);
    const flags = entries.filter(([, { form }]) => form !== "place").map(([key]) => `--${key}`);
    const values = entries.flatMap(([, { form, choices = [] }]) =>
      form === "place" ? choices : [],
    );
    return { behind: name, words: [...values, ...flags] };
  });
  const choices = all.flatMap(({ name, words }) =>
    Object.entries(words).flatMap(([key, { form, choices: values = [] }]): readonly Place[] =>
      form === "place" || values.length === 0
        ? []
        : [{ behind: `${name} --${key}`, words: values }],
    ),
  );
  const twoWords = seconds.filter(({ words }) => words.length > 0);
  return [{ behind: "", words: [...firsts] }, ...twoWords, ...options, ...choices];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function bashScript(places: readonly Place[], folder: string, shell: Shell): string {
  const cases = places.map(
    ({ behind, words }) => `    ${quoted(behind)}) words=${quoted(words.join(" "))} ;;`,
  );
  return [
    ...(shell === "zsh"
      ? [
          "autoload -U compinit bashcompinit",
          "(( $+functions[compdef] )) || compinit",
          "bashcompinit",
        ]
      : []),
    `pay-admin() { npm --prefix ${quoted(folder)} run -s admin -- "$@"; }`,
    "_pay_admin_words() {",
    "  local words=",
    '  case "$1" in',
    ...cases,
    "  esac",
    '  printf "%s" "$words"',
    "}",
    "_pay_admin() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local name="${COMP_WORDS[1]}" words=',
    '  if [ "$COMP_CWORD" -eq 1 ]; then name=; fi',
    '  if [ "$COMP_CWORD" -gt 2 ]; then',
    '    case "${COMP_WORDS[2]}" in -*) ;; *) if [ "$name" != completion ]; then name="$name ${COMP_WORDS[2]}"; fi ;; esac',
    '    case "$previous" in --*) words="$(_pay_admin_words "$name $previous")" ;; esac',
    "  fi",
    '  if [ -z "$words" ]; then words="$(_pay_admin_words "$name")"; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -o default -F _pay_admin pay-admin",
    "",
  ].join("\n");
}

function fishScript(places: readonly Place[], folder: string): string {
  const cases = places.flatMap(({ behind, words }) => [
    `    case ${quoted(behind)}`,
    `      printf '%s\\n' ${words.map(quoted).join(" ")}`,
  ]);
  return [
    `function pay-admin; npm --prefix ${quoted(folder)} run -s admin -- $argv; end`,
    "function _pay_admin_words",
    "  switch $argv[1]",
    ...cases,
    "  end",
    "end",
    "function _pay_admin",
    "  set --local typed (commandline --tokenize --current-process --cut-at-cursor)",
    "  set --local name $typed[2]",
    "  if test (count $typed) -gt 2; and not string match --quiet -- '-*' $typed[3]",
    '    set name "$typed[2] $typed[3]"',
    "  end",
    "  if test (count $typed) -gt 3; and string match --quiet -- '--*' $typed[-1]",
    '    set --local values (_pay_admin_words "$name $typed[-1]")',
    "    if test (count $values) -gt 0; printf '%s\\n' $values; return; end",
    "  end",
    '  _pay_admin_words "$name"',
    "end",
    "complete --command pay-admin --no-files --arguments '(_pay_admin)'",
    "",
  ].join("\n");
}
