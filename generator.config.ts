// The contracts of this project, and what becomes of each: see docs/generator.md.

import { defineConfig } from "./generator/configuration/define.ts";

export default defineConfig({
  contracts: {
    public: {
      spec: "spec/openapi.yaml",
      out: "generated",
      handlers: "handlers",
      // the rest of a signature: X-Api-Key is a security scheme
      client: { addedHeaders: ["X-Signature", "X-Timestamp", "X-Nonce"] },
    },
  },
});
