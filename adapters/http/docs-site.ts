// The site of merchants' developers at /docs: the files of a folder, found and read at once, and served from memory. What
// was not found then is never looked for, whatever a path says.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { buildStaticFile } from "./static-file.ts";
import type { FileAnswer } from "./static-file.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Serve = (request: Request) => FileAnswer | Promise<FileAnswer>;

export interface DocsFiles {
  /** by the path of a request, from `/docs` on */
  readonly byPath: ReadonlyMap<string, Serve>;
  /** for people who ask for a page that is not there */
  readonly notFound: Serve | undefined;
}

/** Where the pages begin, whatever a proxy in front has. */
export const docsPath = "/docs";

/** Others are no part of a site, and are not served. */
const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The name of such a file changes with its content. */
const hashedFolder = "assets/";
const forEver = "public, max-age=31536000, immutable";

/**
 * Files alone: what is behind a link of the file system lies elsewhere, and is not read.
 * Throws what Node says where something cannot be read, with a `code` such as `ENOENT`, and where there is no first page.
 */
export async function readDocsFiles(folder: string): Promise<DocsFiles> {
  const byPath = new Map<string, Serve>();
  let notFound: Serve | undefined;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const contentType = contentTypes[extname(entry.name)];
    if (contentType === undefined || !entry.isFile()) continue;
    const place = join(entry.parentPath, entry.name);
    const content: Bytes = await readFile(place);
    const path = relative(folder, place).replaceAll(sep, "/");
    if (path === "404.html") notFound = serveFile({ path, contentType, content }, 404);
    else addFile(byPath, { path, contentType, content });
  }
  if (!byPath.has(docsPath)) throw new Error(`${join(folder, "index.html")} is not there`);
  return { byPath, notFound };
}

interface SiteFile {
  /** below the folder */
  readonly path: string;
  readonly contentType: string;
  readonly content: Bytes;
}

/** Pages have addresses without an end; the one of a folder ends in a slash, and whoever forgets that is led there. */
function addFile(byPath: Map<string, Serve>, file: SiteFile): void {
  const serve = serveFile(file, 200);
  const address = file.path.replace(/(?:(?<=^|\/)index)?\.html$/, "");
  byPath.set(`${docsPath}/${address}`, serve);
  if (address === "") byPath.set(docsPath, serve);
  else if (address.endsWith("/")) {
    const location = `${address.split("/").at(-2)}/`;
    const headers = { Location: location, "Cache-Control": "no-cache" };
    byPath.set(`${docsPath}/${address.slice(0, -1)}`, () => ({
      status: 302,
      content: null,
      headers,
    }));
  }
}

function serveFile({ path, contentType, content }: SiteFile, status: number): Serve {
  const isPage = path.endsWith(".html");
  // Of a page that is not there nothing is kept, and programs are told in their own way.
  const kept =
    status === 200
      ? { "Cache-Control": path.startsWith(hashedFolder) ? forEver : "no-cache" }
      : { "Cache-Control": "no-store", Vary: "Accept" };
  const headers = {
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    ...kept,
    ...(isPage ? { "Content-Security-Policy": pagePolicy(content) } : {}),
  };
  const serve = buildStaticFile(() => ({ status, content, headers }));
  return (request) => serve(request, undefined);
}

/**
 * Scripts are files of ours, or those of the page, by their hash; code has its colours in attributes, which no policy can
 * name. Nothing comes from another host.
 */
export function pagePolicy(page: Bytes): string {
  const text = new TextDecoder().decode(page);
  const hashes = Array.from(
    text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g),
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(" "),
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
