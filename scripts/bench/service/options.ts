// What is typed behind a command.

export function positive(name: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${max}`);
}

/** What was typed is no option, or has no such value. */
export class OptionError extends Error {
  constructor(message: string, help: string) {
    super(`${message}\n\n${help}`);
    this.name = "OptionError";
  }
}
