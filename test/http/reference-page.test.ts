import { expect, test } from "vitest";
import { buildAssets } from "../../adapters/http/reference-page.ts";

test("an asset is read once, but a failure to read it is not remembered", async () => {
  let count = 0;
  const assets = buildAssets("/anywhere", (path) => {
    count += 1;
    if (count === 1) return Promise.reject(new Error("too many open files"));
    return Promise.resolve(new TextEncoder().encode(path));
  });
  const read = assets.get("swagger-ui.css");
  await expect(read?.()).rejects.toThrow("too many open files");
  await expect(read?.()).resolves.toMatchObject({ contentType: "text/css; charset=utf-8" });
  await read?.();
  expect(count).toBe(2);
});
