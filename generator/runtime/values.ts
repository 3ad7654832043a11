// Named values of one part of a request, safe for every name.

export type Values = Record<string, unknown>;

/** Names come from the client: `__proto__` must become a property like any other. */
export function put(values: Values, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(values, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    values[name] = value;
  }
}
