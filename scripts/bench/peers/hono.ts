// Hono as its documentation shows it. The body is parsed; nothing is checked.

import { createAdaptorServer } from "@hono/node-server";
import type { ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { samples } from "../requests.ts";

export function start(): ServerType {
  const app = new Hono();
  for (const { method, template, status, answer } of samples) {
    const path = template.replace(/\{(\w+)\}/, ":$1");
    const code = status as 200; // c.json wants a literal type
    if (method === "POST") {
      app.post(path, async (c) => {
        await c.req.json();
        return c.json(answer, code);
      });
    } else {
      app.get(path, (c) => {
        c.req.query();
        c.req.param();
        return c.json(answer, code);
      });
    }
  }
  return createAdaptorServer({ fetch: app.fetch });
}
