// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** GET /v1/currencies: what a call is given */
export type ListCurrenciesArguments = {
  /**
   * @description The `X-Next-Cursor` of the page before. Opaque; a changed cursor, or one made for other
   *     filters, is 400 `invalid_cursor`.
   * @example eyJ2IjoxLCJhZnRlciI6InBvc18wMUtEVkROQTAwIn0
   */
  readonly cursor?: string;
  /**
   * @description The most entries a page has. Out of range is 400 `invalid_limit`, not clamped.
   * @example 20
   */
  readonly limit?: number;
  /**
   * @description The `ETag` of an earlier answer; 304 when it is still current.
   * @example "42"
   */
  readonly "If-None-Match"?: string;
};

/** GET /v1/currencies: every documented answer */
export type ListCurrenciesAnswer =
  | answers.Answer<200, types.CurrencyList>
  | answers.Answer<304, undefined>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "invalid_cursor"
        | "invalid_limit"
        | "unknown_parameter"
        | "invalid_request"
        | "missing_header"
        | "invalid_header"
      >
    >
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** GET /v1/currencies/{id}: what a call is given */
export type GetCurrencyArguments = {
  /**
   * @description The currency.
   * @example cur_usdc
   */
  readonly id: types.Identifier;
  /**
   * @description The `ETag` of an earlier answer; 304 when it is still current.
   * @example "42"
   */
  readonly "If-None-Match"?: string;
};

/** GET /v1/currencies/{id}: every documented answer */
export type GetCurrencyAnswer =
  | answers.Answer<200, types.CurrencyDetail>
  | answers.Answer<304, undefined>
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<404, answers.WithCode<types.ApiError, "not_found">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        "invalid_request" | "missing_header" | "invalid_header" | "unknown_parameter"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** The operations of "currencies". */
export interface CurrenciesOperations {
  /**
   * List the currency catalog
   *
   * The merchant's catalog, ordered by `code`, then `id`: currencies, where they are deployed,
   * and what each deployment can do. `catalog_version` rises with any change. Send the `ETag`
   * back in `If-None-Match` to learn cheaply that nothing changed.
   *
   * Our choice: the catalog says what is listed, so that a version names one content. Whether a
   * chain is watched right now is said where it counts: a payment lists only deployments whose
   * chains are watched.
   *
   * GET /v1/currencies
   */
  readonly listCurrencies: calls.PagedCall<
    ListCurrenciesArguments,
    ListCurrenciesAnswer,
    types.Currency
  >;
  /**
   * Read a currency
   *
   * One currency of the merchant's catalog with its deployments and capabilities. The `ETag` has
   * the catalog version, so it changes with any entry of the catalog.
   *
   * GET /v1/currencies/{id}
   */
  readonly getCurrency: calls.Call<GetCurrencyArguments, GetCurrencyAnswer>;
}

/** How they are sent. */
export function currenciesOperations(sender: calls.Sender): CurrenciesOperations {
  return {
    listCurrencies: calls.pagedCall(
      sender,
      {
        operationId: "listCurrencies",
        method: "GET",
        path: "/v1/currencies",
        parameters: [
          { in: "query", name: "cursor", explode: true },
          { in: "query", name: "limit", explode: true },
          { in: "header", name: "If-None-Match" },
        ],
        accept: "application/json",
        answers: {
          200: "application/json",
          304: null,
          400: "application/json",
          401: "application/json",
          403: "application/json",
          429: "application/json",
          default: "application/json",
        },
        defaultStatuses: [413, 500, 503],
      },
      { items: "currencies", isAlways: true },
    ),
    getCurrency: calls.call(sender, {
      operationId: "getCurrency",
      method: "GET",
      path: "/v1/currencies/{id}",
      parameters: [
        { in: "path", name: "id", isRequired: true },
        { in: "header", name: "If-None-Match" },
      ],
      accept: "application/json",
      answers: {
        200: "application/json",
        304: null,
        401: "application/json",
        403: "application/json",
        404: "application/json",
        429: "application/json",
        default: "application/json",
      },
      defaultStatuses: [400, 413, 500, 503],
    }),
  };
}
