// The site of merchants' developers at /docs: the files of a folder, read at once, and served from memory. What
// was not listed then is never looked for, whatever a path says.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
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

/** What the build writes: the hash of the sources, the base, and then a line `<SHA-256 in hexadecimal> <path>` for each file. */
const listFile = "sources.txt";

/**
 * Only what is listed, and all of it: half of a copy is no site.
 * Throws what Node says where there is no list, with a `code` such as `ENOENT`, and what is wrong with a file of it.
 */
export async function readDocsFiles(folder: string): Promise<DocsFiles> {
  const byPath = new Map<string, Serve>();
  let notFound: Serve | undefined;
  const [, , ...lines] = (await readFile(join(folder, listFile), "utf8")).trim().split("\n");
  for (const line of lines) {
    const [hash = "", path = ""] = line.split(/ (.*)/);
    const contentType = contentTypes[extname(path)];
    if (contentType === undefined) continue;
    const content = await readListed(join(folder, path), hash);
    if (path === "404.html") notFound = serveFile({ path, contentType, content }, 404);
    else addFile(byPath, { path, contentType, content });
  }
  if (!byPath.has(docsPath)) throw new Error(`${join(folder, listFile)} has no index.html`);
  return { byPath, notFound };
}

async function readListed(place: string, hash: string): Promise<Bytes> {
  let content: Bytes;
  try {
    content = await readFile(place);
  } catch (error) {
    throw new Error(`${place} cannot be read, and the site has it`, { cause: error });
  }
  if (createHash("sha256").update(content).digest("hex") !== hash) {
    throw new Error(`${place} is not as it was built: the copy is of two sites, or of a part`);
  }
  return content;
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
