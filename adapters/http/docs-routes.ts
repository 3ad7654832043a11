// The routes below /docs: of the site where it is built, and otherwise of a plain page that says so.

import { ServiceError } from "../../service/errors.ts";
import { plainDocsPage } from "./docs-plain-page.ts";
import { docsPath, readDocsFiles } from "./docs-site.ts";
import type { DocsFiles } from "./docs-site.ts";
import { buildStaticFile } from "./static-file.ts";
import type { FileAnswer } from "./static-file.ts";

export interface DocsRoute<State> {
  readonly serve: (request: Request, state: State) => FileAnswer | Promise<FileAnswer>;
}

/** As deep as files of a site lie. */
const templates = [
  docsPath,
  `${docsPath}/`,
  `${docsPath}/{one}`,
  `${docsPath}/{one}/`,
  `${docsPath}/{one}/{two}`,
  `${docsPath}/{one}/{two}/{three}`,
];

export interface DocsSiteOptions {
  /** told once of each reading: why there is no site */
  readonly onMissing?: (error: unknown) => void;
  /** whoever opens the page is told how to build what is missing: a server of development */
  readonly isForBuilders?: boolean;
}

/** The files of a folder, read once, and once more when they were built anew. A site that cannot be read is none. */
export class DocsSite {
  readonly folder: string;
  readonly isForBuilders: boolean;
  readonly #onMissing: DocsSiteOptions["onMissing"];
  #files: Promise<DocsFiles | undefined> | undefined;
  /** somebody builds it now */
  isBuilding = false;

  constructor(folder: string, { onMissing, isForBuilders = false }: DocsSiteOptions = {}) {
    this.folder = folder;
    this.isForBuilders = isForBuilders;
    this.#onMissing = onMissing;
  }

  /** Never rejects. Undefined: there is no site. */
  files(): Promise<DocsFiles | undefined> {
    this.#files ??= this.#read();
    return this.#files;
  }

  reload(): void {
    this.#files = undefined;
  }

  async #read(): Promise<DocsFiles | undefined> {
    try {
      return await readDocsFiles(this.folder);
    } catch (error) {
      this.#onMissing?.(error);
      return undefined;
    }
  }
}

/**
 * @param site undefined: there is none
 * @param others routes that there are already; those below /docs stand in where there is no site
 */
export function docsRoutes<State>(
  site: DocsSite | undefined,
  others: ReadonlyMap<string, DocsRoute<State> & { readonly isFile?: boolean }>,
): ReadonlyMap<string, DocsRoute<State>> {
  const own = [...others.keys()].filter((path) => path.startsWith(`${docsPath}/`));
  const routes = new Map<string, DocsRoute<State>>();
  for (const path of [...own, ...templates]) {
    const other = others.get(path);
    const instead = other?.isFile === true ? buildStaticFile(other.serve) : other?.serve;
    routes.set(path, {
      serve: async (request, state) => {
        const files = await site?.files();
        const { pathname } = new URL(request.url);
        const found = files?.byPath.get(pathname);
        if (found !== undefined) return found(request);
        if (files === undefined && instead !== undefined) return instead(request, state);
        if (pathname === docsPath) return plainDocsPage(site);
        if (pathname === `${docsPath}/`)
          return { status: 302, content: null, headers: { Location: "../docs" } };
        // Programs are told as everywhere.
        const isPerson = request.headers.get("Accept")?.includes("text/html") ?? false;
        if (isPerson && files?.notFound !== undefined) return files.notFound(request);
        throw new ServiceError("not_found", "there is nothing at this path");
      },
    });
  }
  return routes;
}
