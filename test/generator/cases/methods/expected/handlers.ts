// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as answers from "./runtime/answers.ts";
import type * as pagesOperations from "./operations/pages.ts";

/**
 * One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers
 * that the edge adds to every answer.
 */
export interface Handlers<Caller, Edge extends string = never> {
  /** QUERY /pages/{id} */
  readonly searchPage: answers.HandlerOf<
    pagesOperations.SearchPageRequest,
    pagesOperations.SearchPageAnswer<Edge>,
    Caller
  >;
  /** PURGE /pages/{id} */
  readonly purgePage: answers.HandlerOf<
    pagesOperations.PurgePageRequest,
    pagesOperations.PurgePageAnswer<Edge>,
    Caller
  >;
  /** M-SEARCH /pages/{id} */
  readonly mSearchPagesById: answers.HandlerOf<
    pagesOperations.MSearchPagesByIdRequest,
    pagesOperations.MSearchPagesByIdAnswer<Edge>,
    Caller
  >;
  /** GET /pages/{id} */
  readonly getPage: answers.HandlerOf<
    pagesOperations.GetPageRequest,
    pagesOperations.GetPageAnswer<Edge>,
    Caller
  >;
  /** BREW /again */
  readonly brewAgain: answers.HandlerOf<
    pagesOperations.BrewAgainRequest,
    pagesOperations.BrewAgainAnswer<Edge>,
    Caller
  >;
  /** purge /again */
  readonly purgeAgain: answers.HandlerOf<
    pagesOperations.PurgeAgainRequest,
    pagesOperations.PurgeAgainAnswer<Edge>,
    Caller
  >;
}
