// The routes below /docs: of the site where it is built, and otherwise of a plain page that says so.

import { ServiceError } from "../../service/errors.ts";
import { plainDocsPage } from "./docs-plain-page.ts";
import { docsPath, readDocsFiles } from "./docs-site.ts";
import type { DocsFiles } from "./docs-site.ts";
import { buildStaticFile, once } from "./static-file.ts";
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

/** The files of a folder, read once, and once more when they were built anew. */
export class DocsSite {
  readonly folder: string;
  #read: () => Promise<DocsFiles | undefined>;
  /** somebody builds it now */
  isBuilding = false;

  constructor(folder: string) {
    this.folder = folder;
    this.#read = once(() => readDocsFiles(folder));
  }

  /** Undefined: there is no site. */
  files(): Promise<DocsFiles | undefined> {
    return this.#read();
  }

  reload(): void {
    this.#read = once(() => readDocsFiles(this.folder));
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
        if (pathname === docsPath) return plainDocsPage(site?.isBuilding ?? false);
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
