// What the service of a benchmark is configured with.

import { randomBytes } from "node:crypto";

/** As in production, as far as a machine without a name allows. */
export function productionEnvironment(databaseUrl: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NODE_ENV: "production",
    PUBLIC_URL: "https://pay.example",
    TRUSTED_PROXIES: "none",
  };
}
