// Which names carry something that must not be repeated: not to the caller, not into the log.

const sensitiveName =
  /signature|secret|nonce|password|authorization$|api[-_]?key|private[-_]?key|cookie|token$/i;

export function isSensitiveName(name: string): boolean {
  return sensitiveName.test(name);
}
