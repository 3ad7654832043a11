// Written by "npm run generate" from spec/openapi.yaml; do not edit.

/**
 * @description An amount in whole units of the asset. Never rounded; more fraction digits than the asset
 *     has are refused with 422 `amount_precision`.
 */
export type DecimalAmount = string;
/**
 * @description An integer in the smallest unit of the asset, at most 2^256-1: the last part of the pattern is
 *     that bound, digit by digit.
 */
export type RawAmount = string;
/**
 * Format: date-time
 * @description A time as the service writes it, UTC with milliseconds and `Z`.
 */
export type Timestamp = string;
/** @description An amount in whole units of the asset, as the service writes it, without zeros at the end. */
export type CanonicalAmount = string;
/**
 * Format: int32
 * @description How many decimals the asset has on this chain.
 */
export type Decimals = number;
/** @description A chain (CAIP-2). */
export type ChainId = string;
/** @description A contract, with EIP-55 checksum on EVM chains. */
export type ContractAddress = string;
/** @description The transaction. */
export type TransactionHash = string;
/** @description A currency of the catalog. */
export type CatalogCurrencyId = string;
/** @description A deployment of the catalog. */
export type DeploymentId = string;
/** @description The code of a currency, for example `USDC`. */
export type CurrencyCode = string;
/** @description The symbol to show. */
export type CurrencySymbol = string;
/** @description The name to show. */
export type CurrencyName = string;
/** @description A bucket in the words of draft-ietf-httpapi-ratelimit-headers. */
export type RateLimitPolicyText = string;
/** @description What is left of a bucket, in the same words. */
export type RateLimitText = string;
/** @description The endpoint. */
export type WebhookEndpointId = string;
/** @description The delivery. */
export type WebhookDeliveryId = string;
/** @description The payment. */
export type PaymentId = string;
/** @description The withdrawal. */
export type WithdrawalId = string;
/** @description The withdraw address. */
export type WithdrawAddressId = string;
/** @description The schedule. */
export type PayoutScheduleId = string;
/** @description The subscription. */
export type SubscriptionId = string;
/**
 * @description `pending`; `authorized` (x402 upto, waits for usage); `partially_paid`, `confirming`;
 *     `paid`, `overpaid`, `paid_late`; `underpaid`, `expired`, `cancelled`; `reversed` (a
 *     reorganisation took the funds away; when they are there again it is `paid`, `overpaid` or
 *     `paid_late` again, told by the event `payment.restored`).
 */
export type PaymentStatus = string;
/**
 * @description `pending` (reserved, can be cancelled), `processing`, `broadcast`, `confirmed`; or
 *     `cancelled`, `rejected` (by policy), `failed` (on the chain).
 */
export type WithdrawalStatus = string;
/** @description `pending_activation` (cooling off), `active` (can be used) or `disabled`. */
export type WithdrawAddressStatus = string;
/** @description `incomplete`, `active`, `past_due`, `cancelled` or `expired`. */
export type SubscriptionStatus = string;
/** @description The events that the endpoint receives, each once, or `*` alone for all of them. */
export type ChosenEventTypes = EventType[];
/** @description An opaque identifier. */
export type Identifier = string;
/** @description Visible ASCII characters, taken literally. */
export type IdempotencyKey = string;
/**
 * @description The chain's own coin, or a token contract on it.
 * @enum {string}
 */
export type AssetKind = "native" | "token";
/**
 * @description The standard of the asset; `native` for the chain's own coin.
 * @enum {string}
 */
export type TokenStandard = "native" | "erc20" | "spl" | "spl2022" | "trc20";
/**
 * @description The body of every error. `code` says which of these it is, and so what `details` holds; new codes
 *     may come, and of those that are not known `request_id` alone can be relied on.
 */
export type ApiError =
  | PlainError
  | ContractError
  | ClockError
  | ScopeError
  | RateLimitError
  | OrderExistsError
  | ScheduleExistsError
  | EndpointExistsError
  | AddressExistsError
  | StatusError
  | WithdrawalStatusError
  | PaymentStatusError
  | OtherSettlementError
  | PlaceError
  | PrecisionError
  | RangeError
  | FirstRunError
  | BalanceError
  | AddressStatusError
  | UnknownCurrencyError
  | CurrencyAcceptanceError
  | ChainAcceptanceError
  | DepositsDisabledError
  | WithdrawalsDisabledError
  | SplitMerchantError
  | SplitTotalError
  | X402RequirementsError
  | X402Error;
/** @description An error that its code says all about. */
export type PlainError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code:
    | "authentication_failed"
    | "nonce_reused"
    | "ip_not_allowed"
    | "merchant_suspended"
    | "not_found"
    | "payment_not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "idempotency_in_progress"
    | "idempotency_key_expired"
    | "endpoint_limit_reached"
    | "usage_already_reported"
    | "body_too_large"
    | "unsupported_media_type"
    | "idempotency_key_reused"
    | "usage_not_upto"
    | "headers_too_large"
    | "internal_error"
    | "not_implemented"
    | "service_unavailable"
    | "chain_unavailable";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
  };
};
/** @description The request breaks the contract. */
export type ContractError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code:
    | "invalid_json"
    | "invalid_request"
    | "missing_header"
    | "invalid_header"
    | "unknown_parameter"
    | "invalid_cursor"
    | "invalid_limit"
    | "webhook_url_not_allowed"
    | "unknown_event_type";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /**
     * @description Every place where the request breaks the contract. Our choice: where one does, what the rules
     *     say of the other parts of the body is listed behind, with its code as the `rule`
     *     (`currency_not_found`, for example), so that all can be repaired in one go: up to 100.
     */
    violations: Violation[];
  };
};
/** @description The clock of the caller is not the server's. */
export type ClockError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "timestamp_out_of_range";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /**
     * Format: int64
     * @description What the clock of the server shows, in unix seconds.
     */
    server_time: number;
  };
};
/** @description The key may not do this. */
export type ScopeError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "insufficient_scope";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The scope that the key lacks. */
    required_scope?: Scope;
    /** @description The scope that a key which moves money may not have. */
    excluded_scope?: Scope;
  };
};
/** @description Too many requests, or too much for now. */
export type RateLimitError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "rate_limited";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /**
     * @description What is used up: the bucket of the operation (`read`, `write`, `money`), of the merchant, of the
     *     address that the request came from, of its failed attempts to sign in, of the payer's failed
     *     authorizations, or what settlements of one merchant may cost in a day.
     * @enum {string}
     */
    policy:
      | "read"
      | "write"
      | "money"
      | "merchant"
      | "address"
      | "failed_authentication"
      | "x402_payer"
      | "x402_gas";
  };
};
/** @description The order has a payment. */
export type OrderExistsError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "order_already_exists";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The payment of the order. */
    payment_id: PaymentId;
  };
};
/** @description There is such a schedule. */
export type ScheduleExistsError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "schedule_already_exists";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The active schedule. */
    schedule_id: PayoutScheduleId;
  };
};
/** @description There is such an endpoint. */
export type EndpointExistsError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "endpoint_already_exists";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The endpoint that has the URL. */
    endpoint_id: WebhookEndpointId;
  };
};
/** @description There is such an address. */
export type AddressExistsError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "address_already_registered";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The address as it is registered. */
    withdraw_address_id: WithdrawAddressId;
  };
};
/** @description Its status does not allow it. */
export type StatusError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "payment_not_cancellable" | "subscription_not_cancellable" | "usage_closed";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The status of the payment or the subscription. */
    status: string;
  };
};
/** @description The withdrawal is past `pending`. */
export type WithdrawalStatusError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "withdrawal_not_cancellable";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    status: WithdrawalStatus;
    tx_hash?: TransactionHash;
  };
};
/** @description The payment does not wait for money. */
export type PaymentStatusError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "payment_not_payable";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    status: PaymentStatus;
    /** @description Until when it could be paid. */
    expires_at?: Timestamp;
    tx_hash?: TransactionHash;
  };
};
/** @description Another authorization is in the way. */
export type OtherSettlementError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "settlement_in_progress" | "payment_already_settled";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    tx_hash?: TransactionHash;
  };
};
/** @description One value of the body is refused. */
export type PlaceError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code:
    | "invalid_address"
    | "address_not_allowed"
    | "amount_too_small"
    | "amount_too_large"
    | "withdraw_address_not_found"
    | "withdraw_address_chain_mismatch"
    | "usage_exceeds_max";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
  };
};
/** @description The amount has more fraction digits than the asset. */
export type PrecisionError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "amount_precision";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    decimals: Decimals;
  };
};
/** @description A number of seconds is out of its range. */
export type RangeError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "expires_in_out_of_range" | "interval_out_of_range";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /**
     * Format: int64
     * @description The least that is taken, in seconds.
     */
    minimum: number;
    /**
     * Format: int64
     * @description The most that is taken, in seconds.
     */
    maximum: number;
  };
};
/** @description The first run would be in the past. */
export type FirstRunError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "first_run_in_past";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description What the clock of the server shows. */
    server_time: Timestamp;
  };
};
/** @description The balance does not cover it. */
export type BalanceError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "insufficient_balance";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description What there is. */
    available_raw: RawAmount;
    /** @description What it would take, with the fee. */
    required_raw: RawAmount;
  };
};
/** @description The withdraw address cannot be used. */
export type AddressStatusError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "withdraw_address_inactive";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    status?: WithdrawAddressStatus;
    /** @description From when on it can be used; in the past for one that is disabled. */
    activates_at?: Timestamp;
  };
};
/** @description The catalog has no such currency. */
export type UnknownCurrencyError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "currency_not_found";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description The currency that was asked for. */
    currency_id?: string;
    /** @description Ids that are spelled nearly so. */
    near_currency_ids: CatalogCurrencyId[];
  };
};
/** @description The merchant does not accept the currency. */
export type CurrencyAcceptanceError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "currency_not_accepted";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description The currency that was asked for. */
    currency_id: string;
    /** @description Those that the merchant accepts. */
    accepted_currency_ids: CatalogCurrencyId[];
  };
};
/** @description The currency cannot be had on this chain. */
export type ChainAcceptanceError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "chain_not_accepted";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description The currency that was asked for. */
    currency_id?: string;
    /** @description The chain that was asked for. */
    chain_id?: string;
    /** @description Those on which the merchant accepts the currency. */
    accepted_chain_ids?: ChainId[];
  };
};
/** @description The currency cannot be paid with there. */
export type DepositsDisabledError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "deposits_disabled";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description The currency that was asked for. */
    currency_id: string;
    /** @description The chain that was asked for. */
    chain_id?: string;
    /**
     * @description Given where deposits are on, and this server does not watch the chain.
     * @enum {string}
     */
    reason?: "chain_not_watched";
    /** @description Those on which it could be paid. */
    open_chain_ids?: ChainId[];
    /** @description Those on which it could be paid if the merchant accepted them. */
    watched_chain_ids?: ChainId[];
  };
};
/** @description The currency cannot be sent there. */
export type WithdrawalsDisabledError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "withdrawals_disabled";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description The chain that was asked for. */
    chain_id: string;
    /**
     * @description Given where withdrawals are on, and this server does not send on the chain.
     * @enum {string}
     */
    reason?: "chain_not_watched";
  };
};
/** @description A merchant cannot have this share. */
export type SplitMerchantError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "split_merchant_not_found" | "split_merchant_duplicate" | "split_self";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /** @description The merchant that was named. */
    merchant_id: string;
  };
};
/** @description The shares are more than all. */
export type SplitTotalError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "splits_exceed_total";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    pointer: BodyPointer;
    /**
     * Format: int32
     * @description What they add up to, in basis points.
     */
    total_bps: number;
  };
};
/** @description The requirements are not those of the payment. */
export type X402RequirementsError = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code: "x402_requirements_mismatch";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The identifier that x402 has for it. */
    x402_reason: string;
    /** @description The first member of `payment_requirements` that differs. */
    field: string;
    /** @description The least that is settled here. */
    least_raw?: RawAmount;
    tx_hash?: TransactionHash;
  };
};
/** @description The authorization was rejected, or has failed. */
export type X402Error = {
  /**
   * @description Stable name of the condition, to branch on.
   * @enum {string}
   */
  code:
    | "x402_invalid_signature"
    | "x402_payload_scheme_mismatch"
    | "x402_amount_mismatch"
    | "x402_recipient_mismatch"
    | "x402_not_yet_valid"
    | "x402_expired"
    | "x402_nonce_mismatch"
    | "x402_insufficient_funds"
    | "x402_authorization_used"
    | "x402_authorization_cancelled"
    | "x402_allowance_required"
    | "x402_facilitator_mismatch"
    | "x402_simulation_failed"
    | "x402_reverted"
    | "x402_transfer_mismatch";
  message: ErrorMessage;
  /** @description Facts about this error. */
  details: {
    request_id: RequestId;
    /** @description The identifier that x402 has for it. */
    x402_reason: string;
    tx_hash?: TransactionHash;
  };
};
/** @description Explanation for people. May change; do not parse it. */
export type ErrorMessage = string;
/** @description The same as `X-Request-Id`. */
export type RequestId = string;
/** @description What a key may do. */
export type Scope = string;
/** @description JSON Pointer into the body of the request; the whole body where it is empty. */
export type BodyPointer = string;
/** @description One place where a request breaks the contract, or the rules behind it. */
export type Violation = {
  /**
   * @description The part of the request.
   * @enum {string}
   */
  in: "body" | "query" | "path" | "header";
  /**
   * @description JSON Pointer to the value in that part; header names as they are written here. Of names that
   *     are longer than 128 characters it has the first 128, and three dots.
   */
  pointer: string;
  /** @description The rule that is broken, for example `required` or `maxLength`. */
  rule: string;
  /** @description Explanation for people. Never repeats secrets, signatures or nonces. */
  message: string;
};
/**
 * @description The events an endpoint receives, or `*` alone for all of them. Names that do not exist, an
 *     empty list, and `*` beside others are refused with 400 `unknown_event_type`; duplicates are
 *     removed.
 */
export type EventTypes = EventType[];
/**
 * @description The name of an event. New names are added without notice.
 *
 *     `payment.reversed`: a reorganisation took away what had been final, and the price is no longer
 *     there. `payment.restored`: the money of a reversed payment is final again, in whatever block or
 *     by whatever transaction; `status` in its data is `paid`, `overpaid` or `paid_late`. Neither
 *     `payment.paid` nor its like is sent a second time.
 *
 *     `payment.deposit_after_close`: money came that the payment did not wait for. In its data `deposit`
 *     says what came: `currency_chain_id`, `chain_id`, `amount_raw`, `sender` (the address that sent it,
 *     or null where the chain does not say) and `is_unmatched` (true: it is kept apart, and pays nothing).
 *     Ask the payer before money goes back to `sender`: it may be an exchange, which credits nobody.
 *
 *     `subscription.billed`: `bill_amount` in its data is what this bill asks for, `amount` is the
 *     price of the period, `try` counts the bills for it from 1, and `missed_periods` is how many
 *     periods before it nobody billed, for which it stands. Of the payments of one period one is
 *     completed: with it the open one is `cancelled`, and what arrives for another one is credited
 *     without completing it (`payment.deposit_after_close`).
 */
export type EventType = string;
/** @description Where to send which events. */
export type RegisterWebhookEndpointRequest = {
  /**
   * Format: uri
   * @description Where events are sent: https, at most 2048 characters of visible ASCII, port 443 or 8443, a
   *     public host name, no user information and no fragment. Otherwise 400 `webhook_url_not_allowed`.
   */
  url: string;
  event_types?: EventTypes;
};
/** @description A new endpoint with its secret. */
export type RegisteredWebhookEndpoint = {
  id: WebhookEndpointId;
  secret: WebhookSecret;
  event_types: ChosenEventTypes;
};
/** @description The new URL and the new list of events. */
export type UpdateWebhookEndpointRequest = {
  /**
   * Format: uri
   * @description The new URL, by the same rules as on registration.
   */
  url: string;
  event_types: EventTypes;
};
/** @description The wanted state of an endpoint. */
export type SetWebhookEndpointStatusRequest = {
  /** @description Whether the endpoint receives events. */
  active: boolean;
};
/** @description A webhook endpoint, without its secret. */
export type WebhookEndpoint = {
  id: WebhookEndpointId;
  /**
   * Format: uri
   * @description Where events are sent; of test keys also http, to hosts that the operator lists.
   */
  url: string;
  event_types: ChosenEventTypes;
  /** @description Whether the endpoint receives events. */
  active: boolean;
  /** @description When the endpoint was registered. */
  created_at: Timestamp;
};
/** @description The new secret of an endpoint. */
export type RotatedWebhookEndpointSecret = {
  id: WebhookEndpointId;
  secret: WebhookSecret;
};
/** @description The secret that signs deliveries: `whsec_` and the base64 of the 32 key bytes. Shown once. */
export type WebhookSecret = string;
/** @description Recent deliveries. */
export type WebhookDeliveryList = {
  /** @description At most 100 deliveries, newest first. */
  deliveries: WebhookDelivery[];
};
/** @description The sending of one event to one endpoint. */
export type WebhookDelivery = {
  id: WebhookDeliveryId;
  event_type: EventType;
  /**
   * @description `pending` (more attempts follow), `delivered`, `failed` (all attempts used), `skipped`
   *     (the endpoint was inactive) or `cancelled` (the endpoint answered 410). One that failed
   *     or was skipped is `pending` once more where it is sent anew.
   */
  status: string;
  /**
   * Format: int32
   * @description Finished HTTP attempts; where it is sent anew, those since then.
   */
  attempts: number;
  /** @description When the event was recorded for the endpoint. */
  created_at: Timestamp;
};
/** @description An order, its prices and how the proceeds are shared. */
export type CreatePaymentRequest = {
  /** @description The merchant's number of the order. Can be used once, for ever. */
  merchant_order_no: string;
  /** @description The prices, by currency id. Each is a full alternative price of the whole order. */
  quotes: {
    [key: string]: QuoteRequest;
  };
  /**
   * @description The merchant's reference of the customer; stored, and given back in the events of the
   *     payment. Not on the checkout page.
   */
  user_id?: string;
  /**
   * @description Shares for other merchants, of what was received minus the fee. Together at most 10000
   *     basis points; the creator gets the rest, dust included. Each merchant at most once, and
   *     not the creator. With a live key each of them has to have agreed to it: the operator keeps
   *     that list, and a merchant that has not agreed is refused like one that does not exist
   *     (`split_merchant_not_found`). Test keys need no consent.
   */
  splits?: Split[];
  /**
   * @description What happens to a surplus: `to_primary` (default) gives it to the creator, `pro_rata`
   *     shares it like the rest.
   * @enum {string}
   */
  overpay_policy?: "pro_rata" | "to_primary";
  /**
   * Format: int64
   * @description How long the payment can be paid, in seconds; 1800 when omitted. Above 604800 it is 422
   *     `expires_in_out_of_range`.
   */
  expires_in_secs?: number;
  /**
   * @description The merchant's private note, given back in the events of the payment. Not on the chain, not
   *     on the checkout page.
   */
  memo?: string;
  /**
   * Format: uri
   * @description Where the checkout page links to when the payment is final. https only, no user
   *     information. Arriving there proves nothing: fulfil on the webhook.
   */
  redirect_url?: string;
};
/** @description The price in one currency. */
export type QuoteRequest = {
  amount: DecimalAmount;
  /**
   * @description The chains (CAIP-2) on which it can be paid; each must be accepted. Omitted: all the
   *     merchant accepts for this currency.
   */
  chain_ids?: string[];
};
/** @description A share of the proceeds for another merchant. */
export type Split = PercentageSplit;
/** @description A share in basis points. */
export type PercentageSplit = {
  /**
   * @description The kind of split.
   * @enum {string}
   */
  type: "percentage";
  /** @description Who gets the share. */
  merchant_id: string;
  /**
   * Format: int32
   * @description The share in basis points, rounded down to the smallest unit.
   */
  bps: number;
};
/** @description A payment with the page to send the customer to. */
export type Payment = PaymentWithoutCheckout & {
  /**
   * Format: uri
   * @description The page on which the customer pays. Software that asks for JSON there is answered 402
   *     with the x402 requirements of the payment, in the forms of versions 1 and 2.
   */
  checkout_url: string;
};
/** @description A payment. */
export type PaymentWithoutCheckout = {
  id: PaymentId;
  status: PaymentStatus;
  /** @description The prices, by currency id. */
  quotes: {
    [key: string]: Quote;
  };
  /** @description Until when it can be paid. */
  expires_at: Timestamp;
  /** @description The merchant's number of the order. */
  merchant_order_no: string;
};
/** @description The price in one currency, and where it can be paid. */
export type Quote = {
  amount: CanonicalAmount;
  code: CurrencyCode;
  symbol: CurrencySymbol;
  name: CurrencyName;
  /** @description The chains on which this price can be paid. */
  deployments: DeploymentQuote[];
};
/** @description The price on one chain. */
export type DeploymentQuote = {
  currency_chain_id: DeploymentId;
  chain_id: ChainId;
  decimals: Decimals;
  raw_amount: RawAmount;
  asset_kind: AssetKind;
  token_standard: TokenStandard;
  /** @description The token contract, with EIP-55 checksum on EVM chains; null for the chain's own coin. */
  contract_address: ContractAddress | null;
};
/** @description What to send, and where. */
export type RequestWithdrawalRequest = {
  /** @description What to send. */
  currency_id: string;
  /** @description On which chain (CAIP-2). */
  target_chain_id: string;
  amount: DecimalAmount;
  /** @description To which registered address. It must be active and on that chain. */
  withdraw_address_id: string;
};
/** @description A transfer of the merchant's balance to one of its addresses. */
export type Withdrawal = {
  id: WithdrawalId;
  /** @description What is sent. */
  currency_id: CatalogCurrencyId;
  currency_chain_id: DeploymentId;
  /** @description On which chain (CAIP-2). */
  target_chain_id: ChainId;
  /** @description What the recipient gets, less what the token keeps (capability transfer_fee). */
  send_amount_raw: RawAmount;
  /** @description The flat fee, in the same asset. */
  withdrawal_fee_raw: RawAmount;
  /** @description What the balance is charged, the sum of both. */
  total_debit_raw: RawAmount;
  status: WithdrawalStatus;
};
/** @description What became of the withdrawal. */
export type CancelledWithdrawal = {
  /** @description The status after the cancellation, `cancelled`. */
  status: string;
};
/** @description An address that withdrawals may go to. */
export type RegisterWithdrawAddressRequest = {
  /** @description The chain (CAIP-2) the address is on. */
  chain_id: string;
  /** @description The address. Mixed case must be a valid EIP-55 checksum on EVM chains. */
  address: string;
  destination_type?: DestinationType;
  /** @description A name for people. */
  label?: string;
};
/**
 * @description Who holds the keys: the merchant itself (`self_hosted`, the default), an exchange or other
 *     provider (`custodial`), or a smart contract (`contract`).
 * @enum {string}
 */
export type DestinationType = "self_hosted" | "custodial" | "contract";
/** @description A registered address. */
export type WithdrawAddress = {
  id: WithdrawAddressId;
  /** @description The chain (CAIP-2) the address is on. */
  chain_id: ChainId;
  /** @description The address in its normalised form, with EIP-55 checksum on EVM chains. */
  address: string;
  destination_type: DestinationType;
  /** @description The name for people; null when none was given. */
  label: string | null;
  status: WithdrawAddressStatus;
  /** @description From when on the address can be used. */
  activates_at: Timestamp;
  /** @description When the address was registered. */
  created_at: Timestamp;
};
/** @description What to pay out, where, how often and from which amount. */
export type CreatePayoutScheduleRequest = {
  /** @description What to pay out. */
  currency_id: string;
  /** @description On which chain (CAIP-2). */
  target_chain_id: string;
  /** @description To which registered address. It must be active and on that chain. */
  withdraw_address_id: string;
  /**
   * Format: int64
   * @description Seconds between two runs. Outside the allowed range it is 422 `interval_out_of_range`.
   */
  interval_secs: number;
  /** @description Runs with less than this to send are skipped. */
  min_send_amount: DecimalAmount;
  mode: PayoutMode;
  /**
   * Format: date-time
   * @description When the first run is, with any offset; one interval from now when omitted. In the past
   *     it is 422 `first_run_in_past`.
   */
  first_run_at?: string;
};
/**
 * @description What a run does: request the withdrawal (`auto_request`), or only tell that it is due
 *     (`notify_only`).
 * @enum {string}
 */
export type PayoutMode = "auto_request" | "notify_only";
/**
 * @description `active`; `paused` (by the merchant); `retired` (replaced, or ended by the service; final).
 * @enum {string}
 */
export type PayoutScheduleStatus = "active" | "paused" | "retired";
/** @description A recurring payout. */
export type PayoutSchedule = {
  id: PayoutScheduleId;
  /** @description What is paid out. */
  currency_id: CatalogCurrencyId;
  currency_chain_id: DeploymentId;
  /** @description On which chain (CAIP-2). */
  target_chain_id: ChainId;
  /** @description To which registered address. */
  withdraw_address_id: WithdrawAddressId;
  /**
   * Format: int64
   * @description Seconds between two runs.
   */
  interval_secs: number;
  /** @description Runs with less than this to send are skipped. */
  min_send_amount: CanonicalAmount;
  /** @description The same in the smallest unit of the deployment. */
  min_send_raw: RawAmount;
  mode: PayoutMode;
  status: PayoutScheduleStatus;
  /**
   * @description Whether the next run will do something: the schedule is active, the currency can be
   *     withdrawn, and the address is active.
   */
  enabled: boolean;
  /** @description When the next run is; keeps the time grid while paused. */
  next_run_at: Timestamp;
  /** @description When the schedule was created. */
  created_at: Timestamp;
  /** @description When the schedule last changed. */
  updated_at: Timestamp;
};
/** @description A payout schedule that is not running. */
export type PausedPayoutSchedule = PayoutSchedule & {
  /** @description When the schedule was retired; null unless its status is `retired`. */
  retired_at: Timestamp | null;
};
/** @description One page of payout schedules. */
export type PayoutScheduleList = {
  /** @description The schedules, newest first. */
  schedules: PayoutSchedule[];
};
/** @description A customer's recurring payment. */
export type Subscription = {
  id: SubscriptionId;
  status: SubscriptionStatus;
  /**
   * @description The price of a period. A further bill for the same period asks for what those before it
   *     have not brought.
   */
  amount: CanonicalAmount;
  /**
   * Format: int64
   * @description Seconds between two bills.
   */
  interval_secs: number;
  /** @description The currency of the bills. */
  currency_id: CatalogCurrencyId;
  currency_chain_id: DeploymentId;
  /** @description The chain (CAIP-2) of the bills. */
  chain_id: ChainId;
  /** @description When the next bill is made; null when none follows. */
  next_bill_at: Timestamp | null;
};
/** @description One page of the catalog. */
export type CurrencyList = {
  catalog_version: CatalogVersion;
  /** @description The currencies, by code. */
  currencies: Currency[];
};
/** @description One entry of the catalog. */
export type CurrencyDetail = {
  catalog_version: CatalogVersion;
  currency: Currency;
};
/**
 * Format: int64
 * @description Rises with any change of the catalog; 0 while there is none.
 */
export type CatalogVersion = number;
/** @description A currency of the catalog. */
export type Currency = {
  /** @description The currency; the key of `quotes` and of the currency acceptance. */
  id: CatalogCurrencyId;
  code: CurrencyCode;
  symbol: CurrencySymbol;
  name: CurrencyName;
  /**
   * @description What kind of asset it is.
   * @enum {string}
   */
  asset_class: "coin" | "stablecoin" | "token";
  /** @description Whether it is meant to be worth one US dollar. */
  is_usd_stablecoin: boolean;
  /**
   * Format: int32
   * @description Decimals for display and reports only.
   */
  accounting_decimals: number;
  /** @description `active`, `deprecated` or `disabled`. */
  status: string;
  /** @description Where the currency exists. */
  deployments: Deployment[];
};
/** @description A currency on one chain. */
export type Deployment = {
  /** @description The deployment; `currency_chain_id` elsewhere. */
  id: DeploymentId;
  /**
   * Format: int64
   * @description Rises with any change of the deployment.
   */
  deployment_version: number;
  chain_id: ChainId;
  /**
   * @description The family of the chain, which decides how addresses look.
   * @enum {string}
   */
  chain_family: "evm" | "solana" | "bitcoin" | "tron";
  asset_kind: AssetKind;
  /** @description The asset (CAIP-19). */
  asset_locator: string;
  token_standard: TokenStandard;
  decimals: Decimals;
  /**
   * @description `preview`, `listed`, `delisting` (deposits end first, withdrawals at least 30 days
   *     later) or `delisted`.
   */
  listing_status: string;
  /** @description Whether payments can be made with it. */
  deposit_enabled: boolean;
  /** @description Whether it can be withdrawn. */
  withdrawal_enabled: boolean;
  /** @description What the deployment can do. */
  capabilities: Capability[];
};
/** @description Something a deployment can do, as the last on-chain probe found it. */
export type Capability = {
  /**
   * @description The part of the service that uses it.
   * @enum {string}
   */
  scope: "deposit" | "withdrawal" | "x402" | "subscription";
  /**
   * @description The capability.
   * @enum {string}
   */
  key:
    | "finality"
    | "eip3009"
    | "permit2"
    | "permit2_upto_proxy"
    | "eip2612"
    | "erc681_uri"
    | "transfer_fee"
    | "blocklist"
    | "pausable";
  /**
   * @description How far it can be relied on.
   * @enum {string}
   */
  status: "supported" | "degraded" | "unsupported" | "unverified";
  /**
   * @description Depends on the key. `finality`: confirmations, rule (depth, safe or finalized),
   *     high_value_raw. `transfer_fee`: none; the token may keep a part of each transfer, or take
   *     more from the sender, so that balances count in place of logs. `eip3009`: domain_name, domain_version, domain_separator. Proxies:
   *     address. Of scope x402 besides, where the operator says so: least_raw (less is not
   *     settled), raw_per_coin (what a coin of the chain is worth, by which the cost of gas counts).
   */
  parameters: {
    /**
     * Format: int32
     * @description How many blocks a deposit has to have above it.
     */
    confirmations?: number;
    /**
     * @description Which block counts as final.
     * @enum {string}
     */
    rule?: "depth" | "safe" | "finalized";
    /** @description From which amount on it waits for the finalized block. */
    high_value_raw?: RawAmount;
    /** @description Name of the EIP-712 domain. */
    domain_name?: string;
    /** @description Version of the EIP-712 domain. */
    domain_version?: string;
    /** @description Separator of the EIP-712 domain. */
    domain_separator?: string;
    address?: ContractAddress;
    /** @description Less is not settled. */
    least_raw?: RawAmount;
    /** @description What a coin of the chain is worth. */
    raw_per_coin?: RawAmount;
  };
  /**
   * Format: int64
   * @description Rises whenever the probe found something else.
   */
  evidence_version: number;
  /** @description How the capability is exercised; null where that means nothing. */
  delivery: null | CapabilityDelivery;
};
/** @description How a capability is exercised. */
export type CapabilityDelivery = {
  /**
   * @description By the asset itself (`native`), through a relayer (`relayed`), or through another
   *     contract (`contract`).
   * @enum {string}
   */
  mode: "native" | "relayed" | "contract";
  /** @description The contract, when there is one. */
  contract_address?: ContractAddress;
};
/** @description Every currency the merchant accepts from now on. */
export type ReplaceCurrencyAcceptanceRequest = {
  /** @description What is accepted from now on, by currency id. Empty accepts nothing. */
  currencies: {
    [key: string]: AcceptedCurrencyRequest;
  };
};
/** @description On which chains a currency is to be accepted. */
export type AcceptedCurrencyRequest = {
  /**
   * @description The chains (CAIP-2). Omitted: all chains of the currency with deposits enabled. An empty
   *     list is 422 `chain_not_accepted`.
   */
  chain_ids?: string[];
};
/** @description What the merchant accepts. */
export type CurrencyAcceptance = {
  catalog_version: CatalogVersion;
  /** @description What is accepted, by currency id. */
  currencies: {
    [key: string]: AcceptedCurrency;
  };
};
/** @description On which chains a currency is accepted. */
export type AcceptedCurrency = {
  /** @description The chains (CAIP-2), sorted. */
  chain_ids: ChainId[];
};
/** @description What was really used of an upto payment. */
export type ReportX402UsageRequest = {
  /**
   * @description What was used, in whole units of the asset; at most what was authorized. Zero charges
   *     nothing.
   */
  actual_amount: DecimalAmount;
  /** @description The merchant's name of this report. The same again is a replay. */
  usage_id: string;
  /**
   * @description Whatever proves the usage to the merchant, at most 16 kB. Kept, hashed into the audit
   *     log, not interpreted.
   */
  evidence: {
    [key: string]: unknown;
  };
};
/** @description The recorded usage of an upto payment. */
export type X402Usage = {
  payment_id: PaymentId;
  /**
   * @description The x402 scheme of the payment.
   * @enum {string}
   */
  scheme: "upto";
  /** @description The most that can be charged. */
  max_raw: RawAmount;
  /** @description What is charged. */
  actual_raw: RawAmount;
  /** @description The merchant's name of the report. */
  usage_id: string;
};
/** @description A payment and the payer's signed authorization for it. */
export type SettleX402PaymentRequest = {
  /** @description The payment to settle. An unknown one is 404 `payment_not_found`. */
  payment_id: string;
  /** @description What the payer signed. The field beside `signature` tells the two forms apart. */
  payment_payload: Eip3009Payload | Permit2Payload;
  payment_requirements: X402PaymentRequirements;
};
/**
 * @description The payer's signature, 65 bytes: r, s in its lower half, and v as 27 or 28 (0 and 1 are
 *     taken too).
 */
export type X402Signature = string;
/** @description A transfer authorization that the token itself understands (EIP-3009). */
export type Eip3009Payload = {
  signature: X402Signature;
  authorization: Eip3009Authorization;
};
/** @description The signed message `TransferWithAuthorization`. */
export type Eip3009Authorization = {
  /** @description The payer. */
  from: string;
  /** @description The recipient, which must be `pay_to`. */
  to: string;
  /** @description Equal to the price; for upto, equal to the maximum. */
  value: RawAmount;
  /**
   * Format: int64
   * @description From when on it is valid, in unix seconds.
   */
  valid_after: number;
  /**
   * Format: int64
   * @description Until when it is valid, in unix seconds; at least 20 seconds ahead and not after the
   *     requirement's.
   */
  valid_before: number;
  /** @description 32 bytes in hex, equal to the requirement's nonce. */
  nonce: string;
};
/** @description A Permit2 transfer with a witness, through the exact or the upto proxy. */
export type Permit2Payload = {
  signature: X402Signature;
  permit2_authorization: Permit2Authorization;
};
/** @description The signed message `PermitWitnessTransferFrom`. */
export type Permit2Authorization = {
  permitted: Permit2TokenPermission;
  /** @description The payer. */
  from: string;
  /** @description The proxy that may move the funds; the one the catalog names. */
  spender: string;
  /** @description The requirement's nonce as a decimal number. */
  nonce: RawAmount;
  /**
   * Format: int64
   * @description Until when it is valid, in unix seconds.
   */
  deadline: number;
  witness: Permit2Witness;
};
/** @description What may be moved. */
export type Permit2TokenPermission = {
  /** @description The token contract. */
  token: string;
  /** @description Equal to the price; for upto, equal to the maximum. */
  amount: RawAmount;
};
/** @description What the payer binds the permission to. */
export type Permit2Witness = {
  /** @description The recipient, which must be `pay_to`. */
  to: string;
  /**
   * Format: int64
   * @description From when on it is valid, in unix seconds.
   */
  valid_after: number;
  /** @description The only account that may settle it. Required for the upto scheme. */
  facilitator?: string;
};
/** @description The requirements the payer answered. Each field must equal the payment's quote. */
export type X402PaymentRequirements = {
  /**
   * @description Charge exactly the amount, or up to it by usage.
   * @enum {string}
   */
  scheme: "exact" | "upto";
  /** @description The chain as CAIP-2, or a name of x402 version 1 such as `base`. */
  network: string;
  /** @description The token contract. */
  asset: string;
  /** @description The settlement account of the service on that chain. */
  pay_to: string;
  /**
   * @description The raw amount of the quote. Of a payment that has seen money (scheme exact): from what
   *     is missing of it up to that amount.
   */
  max_amount_required: RawAmount;
  /**
   * Format: uri
   * @description What is paid for.
   */
  resource: string;
  /** @description 32 bytes in hex, made by the service for this payment and deployment. */
  nonce: string;
  /**
   * Format: int64
   * @description Until when an authorization may be valid, in unix seconds; at most 10 minutes after the
   *     payment expires.
   */
  valid_before: number;
  /**
   * @description Hints for the payer, such as the EIP-712 domain. They must agree with the catalog and
   *     are never used as input.
   */
  extra?: unknown;
};
/** @description What became of the authorization. */
export type X402Settlement = {
  /** @description Whether it is settled on the chain. False means not known yet, or waiting. */
  success: boolean;
  /** @description The transaction that settled it, or is to; empty when none was broadcast. */
  tx_hash: string;
  payment_id: PaymentId;
};
/** @description An authorization that was settled on the chain, and where. */
export type SettledX402Payment = X402Settlement & {
  /** @constant */
  success: true;
  tx_hash: string;
};
/** @description An authorization whose outcome is not known yet, or which waits. */
export type UnsettledX402Payment = X402Settlement & {
  /** @constant */
  success: false;
};
/**
 * @description Something that happened to a resource of the merchant. `type` says what, and so what `data` holds;
 *     new types may come.
 */
export type WebhookEvent =
  | PaymentEvent
  | X402Event
  | WithdrawalEvent
  | WithdrawAddressEvent
  | PayoutScheduleEvent
  | SubscriptionEvent
  | CurrencyAcceptanceEvent
  | SplitConsentEvent
  | WebhookEndpointEvent;
/** @description What every event has. */
export type EventEnvelope = {
  /** @description The event; the same as `webhook-id`. */
  id: string;
  /** @description When it happened. */
  timestamp: Timestamp;
  /**
   * @description The version of `data`.
   * @enum {string}
   */
  api_version: "v1";
  /** @description Whose resource it is. */
  merchant_id: MerchantId;
  /**
   * Format: int64
   * @description Counts the events of the resource from 1, without gaps.
   */
  sequence: number;
  type: unknown;
  resource: unknown;
  data: unknown;
};
/** @description Something happened to a payment. */
export type PaymentEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type:
    | "payment.created"
    | "payment.cancelled"
    | "payment.partially_paid"
    | "payment.confirming"
    | "payment.paid"
    | "payment.overpaid"
    | "payment.underpaid"
    | "payment.expired"
    | "payment.paid_late"
    | "payment.deposit_after_close"
    | "payment.reorged"
    | "payment.reversed"
    | "payment.restored";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "payment";
    /** @description The resource. */
    id: PaymentId;
  };
  data: PaymentEventData;
};
/** @description Something happened to the x402 authorization of a payment. */
export type X402Event = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type:
    | "x402.authorized"
    | "x402.settlement_submitted"
    | "x402.settled"
    | "x402.settlement_failed"
    | "x402.usage_reported"
    | "x402.released";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "payment";
    /** @description The resource. */
    id: PaymentId;
  };
  data: X402EventData;
};
/** @description Something happened to a withdrawal. */
export type WithdrawalEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type:
    | "withdrawal.requested"
    | "withdrawal.cancelled"
    | "withdrawal.processing"
    | "withdrawal.broadcast"
    | "withdrawal.confirmed"
    | "withdrawal.failed"
    | "withdrawal.rejected";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "withdrawal";
    /** @description The resource. */
    id: WithdrawalId;
  };
  data: WithdrawalEventData;
};
/** @description A withdraw address is there, or can be used. */
export type WithdrawAddressEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type: "withdraw_address.registered" | "withdraw_address.activated";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "withdraw_address";
    /** @description The resource. */
    id: WithdrawAddressId;
  };
  data: WithdrawAddress;
};
/** @description Something happened to a payout schedule, or one of its runs is due. */
export type PayoutScheduleEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type:
    | "payout_schedule.created"
    | "payout_schedule.paused"
    | "payout_schedule.retired"
    | "payout_schedule.due"
    | "payout_schedule.run_requested"
    | "payout_schedule.run_skipped";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "payout_schedule";
    /** @description The resource. */
    id: PayoutScheduleId;
  };
  data: PayoutScheduleEventData;
};
/** @description Something happened to a subscription. */
export type SubscriptionEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type:
    | "subscription.billed"
    | "subscription.past_due"
    | "subscription.cancelled"
    | "subscription.expired";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "subscription";
    /** @description The resource. */
    id: SubscriptionId;
  };
  data: SubscriptionEventData;
};
/** @description The merchant accepts other currencies. */
export type CurrencyAcceptanceEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type: "currency_acceptance.updated";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "currency_acceptance";
    /** @description The resource. */
    id: MerchantId;
  };
  data: CurrencyAcceptance;
};
/** @description A merchant may give this one a share of its payments, or no longer. */
export type SplitConsentEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type: "split_consent.granted" | "split_consent.ended";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "split_consent";
    /** @description The resource. */
    id: MerchantId;
  };
  data: SplitConsentEventData;
};
/** @description Somebody changed an endpoint; the other endpoints hear of it. */
export type WebhookEndpointEvent = EventEnvelope & {
  /**
   * @description What happened; `EventType` says more of each.
   * @enum {string}
   */
  type:
    "webhook_endpoint.updated" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.disabled";
  /** @description What it happened to. */
  resource: {
    /**
     * @description The kind of resource.
     * @enum {string}
     */
    type: "webhook_endpoint";
    /** @description The resource. */
    id: WebhookEndpointId;
  };
  data: WebhookEndpointEventData;
};
/** @description A merchant. */
export type MerchantId = string;
/**
 * @description The payment, with what has come for it. Deployments that do not fit into 20 kB are left out and
 *     counted; those that received something come first.
 */
export type PaymentEventData = {
  id: PaymentId;
  status: PaymentStatus;
  /** @description Until when it can be paid. */
  expires_at: Timestamp;
  /** @description The merchant's number of the order. */
  merchant_order_no: string;
  /** @description The merchant's reference of the customer; null when none was given. */
  user_id: string | null;
  /** @description The merchant's private note; null when none was given. */
  memo: string | null;
  /** @description The prices, by currency id. */
  quotes: {
    [key: string]: QuoteOfEvent;
  };
  /**
   * Format: int32
   * @description How many deployments did not fit; absent when all did.
   */
  deployments_left_out?: number;
  /** @description The transaction that this is about; null when it is about none. */
  tx_hash?: TransactionHash | null;
  /**
   * Format: int64
   * @description How many blocks it has, its own included; null without a transaction.
   */
  confirmations?: number | null;
  /** @description What came with the transaction; null when nothing did. */
  deposit?: DepositOfEvent | null;
  x402?: X402AuthorizationOfEvent;
};
/** @description The payment, and its authorization. */
export type X402EventData = PaymentEventData & {
  tx_hash: unknown;
  confirmations: unknown;
  deposit: unknown;
  x402: unknown;
};
/** @description The price in one currency, and what came on each chain. */
export type QuoteOfEvent = {
  amount: CanonicalAmount;
  code: CurrencyCode;
  symbol: CurrencySymbol;
  name: CurrencyName;
  /** @description The chains on which this price can be paid. */
  deployments: DeploymentQuoteOfEvent[];
};
/** @description The price on one chain, and what came there. */
export type DeploymentQuoteOfEvent = DeploymentQuote & {
  /** @description What is asked for. */
  due_raw: RawAmount;
  /** @description What has come. */
  received_raw: RawAmount;
};
/** @description Money that came. */
export type DepositOfEvent = {
  currency_chain_id: DeploymentId;
  chain_id: ChainId;
  amount_raw: RawAmount;
  /** @description The address that sent it; null where the chain does not say. */
  sender: ContractAddress | null;
  /** @description Whether it is kept apart, and pays nothing. */
  is_unmatched: boolean;
};
/** @description The authorization of a payment; before there is one, what was reported of its usage alone. */
export type X402AuthorizationOfEvent = {
  /**
   * @description The x402 scheme.
   * @enum {string}
   */
  scheme?: "exact" | "upto";
  network?: ChainId;
  currency_chain_id?: DeploymentId;
  /** @description The token. */
  asset?: ContractAddress;
  /** @description Who signed it. */
  payer?: ContractAddress;
  /** @description Whom it pays. */
  pay_to?: ContractAddress;
  /** @description The nonce of the authorization. */
  nonce?: string;
  /** @description What is authorized. */
  max_raw: RawAmount;
  /** @description The transaction that settles it; empty when there is none. */
  tx_hash?: string;
  /** @description What goes back to the payer; null while that is not known. */
  refund_raw?: RawAmount | null;
  /** @description The code of a failure; null without one. */
  reason?: string | null;
  /** @description What is charged, once the usage is reported. */
  actual_raw?: RawAmount;
  /** @description The merchant's name of the report. */
  usage_id?: string;
  /** @description The SHA-256 of the evidence, in hex. */
  evidence_hash?: string;
};
/** @description The withdrawal, with its transaction. */
export type WithdrawalEventData = Withdrawal & {
  /** @description The transaction; null before there is one. */
  tx_hash: TransactionHash | null;
  /** @description Why it failed or was rejected. */
  reason?: string;
};
/** @description The schedule, with what became of it or of the run. */
export type PayoutScheduleEventData = PayoutSchedule & {
  /** @description When it was retired. */
  retired_at?: Timestamp;
  /** @description The schedule that takes its place. */
  replaced_by?: PayoutScheduleId;
  /** @description Why it was retired, or the run skipped. */
  reason?: string;
  /** @description The time of the run, on the grid of the schedule. */
  slot?: Timestamp;
  /**
   * Format: int64
   * @description How many runs before it nobody made, for which it stands.
   */
  missed_runs?: number;
  withdrawal_id?: WithdrawalId;
  /** @description What is sent, or would be. */
  send_amount_raw?: RawAmount;
  /** @description The flat fee, in the same asset. */
  withdrawal_fee_raw?: RawAmount;
};
/** @description The subscription, with the bill. */
export type SubscriptionEventData = Subscription & {
  /** @description The period that the bill is for. */
  period_start?: Timestamp;
  /**
   * Format: int32
   * @description Counts the bills for the period from 1.
   */
  try?: number;
  /**
   * Format: int64
   * @description How many periods before it nobody billed, for which it stands.
   */
  missed_periods?: number;
  /** @description What this bill asks for. */
  bill_amount?: CanonicalAmount;
  /** @description The payment; null when the bill was refused. */
  payment_id?: PaymentId | null;
  /**
   * Format: uri
   * @description The page on which the customer pays.
   */
  checkout_url?: string;
  /** @description The code by which the bill was refused. */
  refused?: string;
};
/** @description Who may give the merchant a share. */
export type SplitConsentEventData = {
  /** @description Whose payments they are. */
  creator_id: MerchantId;
  /**
   * @description Whether it may.
   * @enum {string}
   */
  status: "granted" | "ended";
};
/** @description The endpoint, without its secret. */
export type WebhookEndpointEventData = WebhookEndpoint & {
  /**
   * @description Why the service switched it off; absent when the merchant did.
   * @enum {string}
   */
  reason?: "failing" | "gone";
};
export interface paths {
  "/v1/webhook-endpoints": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a webhook endpoint
     * @description Registers a URL that receives the merchant's events, active at once, and shows the secret
     *     that signs them. The secret is shown here and by rotate-secret only: store it. Without
     *     `event_types` the endpoint receives every event, and `["*"]` is returned.
     *
     *     Refuses a URL that the static policy forbids, unknown event names, a URL that is already
     *     registered, and a 21st endpoint. Emits no event.
     */
    post: operations["registerWebhookEndpoint"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhook-endpoints/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook endpoint
     * @description Returns the endpoint without its secret. An endpoint that kept failing for 120 hours, or
     *     answered 410, is found here with `active: false`.
     */
    get: operations["getWebhookEndpoint"];
    /**
     * Replace a webhook endpoint's URL and events
     * @description Replaces both fields; `active` and the secret stay as they are. Pending deliveries go to the
     *     new URL. Deliveries of events that are no longer wanted, and already recorded, are still
     *     sent.
     *
     *     Refuses the same URLs and event names as the registration, with 409
     *     `endpoint_already_exists` when another endpoint has the URL. Emits
     *     `webhook_endpoint.updated` to the merchant's other endpoints.
     */
    put: operations["updateWebhookEndpoint"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhook-endpoints/{id}/status": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Switch a webhook endpoint on or off
     * @description Sets `active`. Setting the value it has already changes nothing and answers 200. While an
     *     endpoint is inactive its new events are recorded as `skipped` and open deliveries pause;
     *     switching it on within 72 hours resumes those, later they become `failed`.
     *
     *     Emits `webhook_endpoint.disabled` when it goes off and `webhook_endpoint.updated` when it
     *     goes on, to the merchant's other endpoints.
     */
    post: operations["setWebhookEndpointStatus"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhook-endpoints/{id}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace a webhook endpoint's secret
     * @description Makes a new secret that signs from now on. The previous one signs beside it for 24 hours, so
     *     that receivers can be switched without a gap. At most two secrets live: rotating twice drops
     *     a leaked one at once.
     *
     *     Two calls at once with one key make one secret: the second gets 409
     *     `idempotency_in_progress`, or the answer of the first. Emits
     *     `webhook_endpoint.secret_rotated` to the merchant's other endpoints.
     */
    post: operations["rotateWebhookEndpointSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhook-deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List recent webhook deliveries
     * @description The newest 100 deliveries of the last 30 days over all endpoints of the merchant, newest
     *     first. There are no query parameters; any is refused with 400 `unknown_parameter`.
     */
    get: operations["listWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/payments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a payment
     * @description Asks a customer for an amount. Each entry of `quotes` is a full alternative price of the
     *     whole order in that currency, payable on the listed chains, or on all chains the merchant
     *     accepts for it. Amounts are in the currency itself, not fiat. Send the customer to
     *     `checkout_url`, and ship when the webhook `payment.paid` (or `payment.overpaid`) arrives:
     *     there is no operation that reads a payment.
     *
     *     Our choice: where the catalog marks a deployment with the capability `transfer_fee`, the token
     *     may keep a part of what is sent, and what counts is what its address has got, never more than
     *     was sent. The customer has to send as much more.
     *
     *     Refuses currencies and chains the merchant does not accept, amounts that the smallest
     *     decimals among the chosen deployments cannot express, amounts of zero, splits above 10000
     *     basis points in all, and an order number that was used before, for ever. A `redirect_url`
     *     must be https without user information (400 `invalid_request`). The quotes are a snapshot:
     *     later changes of the currency acceptance do not touch them.
     *
     *     The payment starts `pending`. Emits `payment.created`; the chain watcher emits what follows.
     */
    post: operations["createPayment"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/payments/{id}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a payment
     * @description Cancels a `pending` payment. A payment that is cancelled already is returned unchanged with
     *     200. In every other status the answer is 409 `payment_not_cancellable`: funds were seen, an
     *     authorization was settled, or the payment is final.
     *
     *     Funds that arrive after the cancellation are credited as unmatched and announced by
     *     `payment.deposit_after_close`. Emits `payment.cancelled`.
     */
    post: operations["cancelPayment"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/withdrawals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request a withdrawal
     * @description Reserves `amount` plus the withdrawal fee and queues the transfer to a registered address.
     *     `amount` is what the recipient gets; the flat fee comes on top, in the same asset, and is
     *     fixed by this answer. Only the balance of the currency's deployment on `target_chain_id`
     *     is used. Our choice: of a token that may keep a part (capability `transfer_fee`), `amount` is
     *     what is sent, and the recipient gets less by what the token keeps.
     *
     *     Refuses an address that is not active yet or is on another chain, an insufficient balance,
     *     and currencies whose withdrawals are off. On a main network the key must be bound to
     *     addresses (403 `ip_not_allowed`), and a live one may not be able to register withdraw
     *     addresses as well (403 `insufficient_scope`). The withdrawal starts `pending`, and can be
     *     cancelled until it is `processing`. Emits `withdrawal.requested`; `withdrawal.processing`,
     *     `withdrawal.broadcast` and `withdrawal.confirmed` (or `withdrawal.failed`,
     *     `withdrawal.rejected`) follow. Our choice: a transfer that would take more gas than the operator
     *     allows is rejected with the `reason` `gas_above_limit`, and the money is available again.
     */
    post: operations["requestWithdrawal"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/withdrawals/{id}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a withdrawal
     * @description Cancels a `pending` withdrawal and releases the reserved amount and fee. A withdrawal that
     *     is cancelled already answers 200 again. From `processing` on the answer is 409
     *     `withdrawal_not_cancellable`. Emits `withdrawal.cancelled`.
     */
    post: operations["cancelWithdrawal"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/withdraw-addresses": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a withdraw address
     * @description Registers an address that withdrawals and payouts may go to. It is stored in its normalised
     *     form and becomes usable at `activates_at`, after a cooling-off period, so that a stolen key
     *     cannot add an address and drain to it at once.
     *
     *     Refuses a wrong checksum or form, the zero address, token contracts, addresses of this
     *     service, and an address already registered on that chain. Emits
     *     `withdraw_address.registered`, and `withdraw_address.activated` when the period ends.
     */
    post: operations["registerWithdrawAddress"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/payout-schedules": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List payout schedules
     * @description The merchant's schedules, newest first (`created_at`, then `id`, both descending). The
     *     filters combine; a currency or chain that no schedule has gives an empty page, a status
     *     that does not exist is 400.
     */
    get: operations["listPayoutSchedules"];
    put?: never;
    /**
     * Create a payout schedule
     * @description Every `interval_secs`, what is available minus the fee is withdrawn to the address when it
     *     is at least `min_send_amount` (`auto_request`), or the merchant is told that it is due
     *     (`notify_only`). The first run is at `first_run_at`, or one interval from now. Missed runs
     *     collapse into one. What a token with the capability `transfer_fee` keeps of a run, the recipient
     *     lacks.
     *
     *     A paused schedule for the same currency, chain and address is retired by this one: this is
     *     how a paused payout is resumed. An active one is a conflict. Emits
     *     `payout_schedule.created`, and `payout_schedule.retired` for a replaced one; runs emit
     *     `payout_schedule.run_requested`, `payout_schedule.run_skipped` or `payout_schedule.due`.
     *
     *     Our choice: a schedule is a standing withdrawal, so what is asked of a key that withdraws is
     *     asked of one that makes a schedule. On a main network it is bound to addresses (403
     *     `ip_not_allowed`), and a live one cannot register withdraw addresses as well (403
     *     `insufficient_scope`). The schedule remembers the key that made it. When the operator revokes
     *     that key for cause, it runs no more and is retired: `payout_schedule.retired` with the
     *     `reason` `api_key_revoked`. It is retired as well when its address is disabled
     *     (`withdraw_address_disabled`) or becomes an account of the service
     *     (`withdraw_address_not_allowed`), when the deployment is delisted (`deployment_delisted`), and
     *     on a main network when no bound key has made it (`api_key_not_bound`).
     */
    post: operations["createPayoutSchedule"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/payout-schedules/{id}/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pause a payout schedule
     * @description Stops further runs of an `active` schedule; a withdrawal already requested goes on. A paused
     *     schedule is returned unchanged with 200. A retired one is too, and only then `retired_at`
     *     is not null. `next_run_at` keeps the time grid while paused. To resume, create a schedule
     *     for the same currency, chain and address. Emits `payout_schedule.paused`.
     */
    post: operations["pausePayoutSchedule"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/subscriptions/{id}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a subscription
     * @description Ends an `incomplete`, `active` or `past_due` subscription at once, without proration. An
     *     open bill payment is cancelled when no funds were seen for it. A subscription that is
     *     cancelled already is returned unchanged with 200; an expired one is 409
     *     `subscription_not_cancellable`. Emits `subscription.cancelled`, and `payment.cancelled`
     *     for an open bill.
     */
    post: operations["cancelSubscription"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/currencies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the currency catalog
     * @description The merchant's catalog, ordered by `code`, then `id`: currencies, where they are deployed,
     *     and what each deployment can do. `catalog_version` rises with any change. Send the `ETag`
     *     back in `If-None-Match` to learn cheaply that nothing changed.
     *
     *     Our choice: the catalog says what is listed, so that a version names one content. Whether a
     *     chain is watched right now is said where it counts: a payment lists only deployments whose
     *     chains are watched.
     */
    get: operations["listCurrencies"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/currencies/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a currency
     * @description One currency of the merchant's catalog with its deployments and capabilities. The `ETag` has
     *     the catalog version, so it changes with any entry of the catalog.
     */
    get: operations["getCurrency"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/currency-acceptance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Replace the accepted currencies and chains
     * @description Replaces the whole acceptance: a currency that is left out is no longer accepted, and an
     *     empty map accepts nothing. Without `chain_ids` a currency is accepted on all its chains with
     *     deposits enabled; the answer lists them. An empty `chain_ids` is refused with 422
     *     `chain_not_accepted`. Existing payments keep their quotes. Emits
     *     `currency_acceptance.updated`.
     */
    put: operations["replaceCurrencyAcceptance"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/x402/{payment_id}/usage": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report the usage of an upto payment
     * @description Reports, once, what was really used of an `upto` payment. It may come before or after the
     *     settlement; settling first is advised above small values. After an EIP-3009 settlement the
     *     actual amount is charged and the rest goes back to the payer; after a Permit2 one the
     *     actual amount is broadcast. An amount of zero charges nothing.
     *
     *     The same `usage_id` with the same amount is answered 201 again. Any other second report is
     *     409 `usage_already_reported`; after the release deadline it is 409 `usage_closed`. Without a
     *     report in time the payer gets everything back. Our choice: a Permit2 authorization that ends
     *     without a report leaves the payment as payable as it was, told by `x402.settlement_failed`; a
     *     report is `usage_closed` then, until another authorization is settled. Emits `x402.usage_reported`, and
     *     `x402.released` when a rest is returned.
     */
    post: operations["reportX402Usage"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/x402/settle": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Settle an x402 payment authorization
     * @description Verifies the payer's signed authorization against the payment and the requirements, and
     *     broadcasts it. Every field of `payment_requirements` must equal the payment's quote, but for
     *     the amount where some of it is paid already; the EIP-712 domain comes from the catalog, and
     *     `extra` must agree with it. Waits up to 20 seconds for the receipt.
     *
     *     200 means settled. 202 means accepted with the outcome open: either the transaction is not
     *     confirmed yet (send the same request again; it never broadcasts twice), or an upto
     *     authorization by Permit2 waits for its usage report. Wait for `x402.settled` or
     *     `x402.settlement_failed`.
     *
     *     The terms of a `checkout_url` ask for `exact`. Our choice: `upto` is the merchant's decision.
     *     For it, ask your own client for the same `asset` and `pay_to`, which is the facilitator too,
     *     and for the whole price; or report the usage first: then the `checkout_url` asks for `upto`.
     *
     *     Refuses with 402 what x402 would refuse, so that a merchant can pass the answer on to its
     *     own client. The payment must be `pending` or `partially_paid`: then what is missing of it is
     *     settled. An authorization that somebody has submitted already is decided by the time of its
     *     block, whenever it is handed in: 200 where its money pays the payment, late or beyond its
     *     price too; 409 `payment_not_payable` with `details.tx_hash` where it is kept apart for the
     *     merchant, since the payment is cancelled or over for more than 7 days. Of a payment that is
     *     over, it is 202 until that block has been read: send the same again. Only 65-byte
     *     signatures are taken: contract wallets (ERC-1271, ERC-6492) and compact signatures (EIP-2098) cannot
     *     pay here.
     *
     *     Our choice: a token that may keep a part of what is sent (capability `transfer_fee`) is not offered
     *     for x402, since what is authorized would not be what comes: 402 `x402_requirements_mismatch` with
     *     `details.field` `scheme`.
     *
     *     Every settlement costs gas, whatever it brings. Our choice: below a least amount (a cent of the
     *     shipped dollar coins, or what the catalog says, or what a settlement costs now, whichever is
     *     more) no terms are offered, and 402 `x402_requirements_mismatch` has `details.field`
     *     `max_amount_required` and `details.least_raw`; what was offered is taken while gas gets no more
     *     than twice as dear. Who has used up a merchant's part of the day's gas on a chain gets 429
     *     `rate_limited` with `details.policy` `x402_gas` and `Retry-After` until midnight (UTC). Neither
     *     keeps a payer from sending the money to the payment's address.
     *
     *     Without an Idempotency-Key the authorization itself is the key: chain, asset,
     *     payer and nonce, for this payment.
     */
    post: operations["settleX402Payment"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    DecimalAmount: DecimalAmount;
    RawAmount: RawAmount;
    Timestamp: Timestamp;
    CanonicalAmount: CanonicalAmount;
    Decimals: Decimals;
    ChainId: ChainId;
    ContractAddress: ContractAddress;
    TransactionHash: TransactionHash;
    CatalogCurrencyId: CatalogCurrencyId;
    DeploymentId: DeploymentId;
    CurrencyCode: CurrencyCode;
    CurrencySymbol: CurrencySymbol;
    CurrencyName: CurrencyName;
    RateLimitPolicyText: RateLimitPolicyText;
    RateLimitText: RateLimitText;
    WebhookEndpointId: WebhookEndpointId;
    WebhookDeliveryId: WebhookDeliveryId;
    PaymentId: PaymentId;
    WithdrawalId: WithdrawalId;
    WithdrawAddressId: WithdrawAddressId;
    PayoutScheduleId: PayoutScheduleId;
    SubscriptionId: SubscriptionId;
    PaymentStatus: PaymentStatus;
    WithdrawalStatus: WithdrawalStatus;
    WithdrawAddressStatus: WithdrawAddressStatus;
    SubscriptionStatus: SubscriptionStatus;
    ChosenEventTypes: ChosenEventTypes;
    Identifier: Identifier;
    IdempotencyKey: IdempotencyKey;
    AssetKind: AssetKind;
    TokenStandard: TokenStandard;
    ApiError: ApiError;
    PlainError: PlainError;
    ContractError: ContractError;
    ClockError: ClockError;
    ScopeError: ScopeError;
    RateLimitError: RateLimitError;
    OrderExistsError: OrderExistsError;
    ScheduleExistsError: ScheduleExistsError;
    EndpointExistsError: EndpointExistsError;
    AddressExistsError: AddressExistsError;
    StatusError: StatusError;
    WithdrawalStatusError: WithdrawalStatusError;
    PaymentStatusError: PaymentStatusError;
    OtherSettlementError: OtherSettlementError;
    PlaceError: PlaceError;
    PrecisionError: PrecisionError;
    RangeError: RangeError;
    FirstRunError: FirstRunError;
    BalanceError: BalanceError;
    AddressStatusError: AddressStatusError;
    UnknownCurrencyError: UnknownCurrencyError;
    CurrencyAcceptanceError: CurrencyAcceptanceError;
    ChainAcceptanceError: ChainAcceptanceError;
    DepositsDisabledError: DepositsDisabledError;
    WithdrawalsDisabledError: WithdrawalsDisabledError;
    SplitMerchantError: SplitMerchantError;
    SplitTotalError: SplitTotalError;
    X402RequirementsError: X402RequirementsError;
    X402Error: X402Error;
    ErrorMessage: ErrorMessage;
    RequestId: RequestId;
    Scope: Scope;
    BodyPointer: BodyPointer;
    Violation: Violation;
    EventTypes: EventTypes;
    EventType: EventType;
    RegisterWebhookEndpointRequest: RegisterWebhookEndpointRequest;
    RegisteredWebhookEndpoint: RegisteredWebhookEndpoint;
    UpdateWebhookEndpointRequest: UpdateWebhookEndpointRequest;
    SetWebhookEndpointStatusRequest: SetWebhookEndpointStatusRequest;
    WebhookEndpoint: WebhookEndpoint;
    RotatedWebhookEndpointSecret: RotatedWebhookEndpointSecret;
    WebhookSecret: WebhookSecret;
    WebhookDeliveryList: WebhookDeliveryList;
    WebhookDelivery: WebhookDelivery;
    CreatePaymentRequest: CreatePaymentRequest;
    QuoteRequest: QuoteRequest;
    Split: Split;
    PercentageSplit: PercentageSplit;
    Payment: Payment;
    PaymentWithoutCheckout: PaymentWithoutCheckout;
    Quote: Quote;
    DeploymentQuote: DeploymentQuote;
    RequestWithdrawalRequest: RequestWithdrawalRequest;
    Withdrawal: Withdrawal;
    CancelledWithdrawal: CancelledWithdrawal;
    RegisterWithdrawAddressRequest: RegisterWithdrawAddressRequest;
    DestinationType: DestinationType;
    WithdrawAddress: WithdrawAddress;
    CreatePayoutScheduleRequest: CreatePayoutScheduleRequest;
    PayoutMode: PayoutMode;
    PayoutScheduleStatus: PayoutScheduleStatus;
    PayoutSchedule: PayoutSchedule;
    PausedPayoutSchedule: PausedPayoutSchedule;
    PayoutScheduleList: PayoutScheduleList;
    Subscription: Subscription;
    CurrencyList: CurrencyList;
    CurrencyDetail: CurrencyDetail;
    CatalogVersion: CatalogVersion;
    Currency: Currency;
    Deployment: Deployment;
    Capability: Capability;
    CapabilityDelivery: CapabilityDelivery;
    ReplaceCurrencyAcceptanceRequest: ReplaceCurrencyAcceptanceRequest;
    AcceptedCurrencyRequest: AcceptedCurrencyRequest;
    CurrencyAcceptance: CurrencyAcceptance;
    AcceptedCurrency: AcceptedCurrency;
    ReportX402UsageRequest: ReportX402UsageRequest;
    X402Usage: X402Usage;
    SettleX402PaymentRequest: SettleX402PaymentRequest;
    X402Signature: X402Signature;
    Eip3009Payload: Eip3009Payload;
    Eip3009Authorization: Eip3009Authorization;
    Permit2Payload: Permit2Payload;
    Permit2Authorization: Permit2Authorization;
    Permit2TokenPermission: Permit2TokenPermission;
    Permit2Witness: Permit2Witness;
    X402PaymentRequirements: X402PaymentRequirements;
    X402Settlement: X402Settlement;
    SettledX402Payment: SettledX402Payment;
    UnsettledX402Payment: UnsettledX402Payment;
    WebhookEvent: WebhookEvent;
    EventEnvelope: EventEnvelope;
    PaymentEvent: PaymentEvent;
    X402Event: X402Event;
    WithdrawalEvent: WithdrawalEvent;
    WithdrawAddressEvent: WithdrawAddressEvent;
    PayoutScheduleEvent: PayoutScheduleEvent;
    SubscriptionEvent: SubscriptionEvent;
    CurrencyAcceptanceEvent: CurrencyAcceptanceEvent;
    SplitConsentEvent: SplitConsentEvent;
    WebhookEndpointEvent: WebhookEndpointEvent;
    MerchantId: MerchantId;
    PaymentEventData: PaymentEventData;
    X402EventData: X402EventData;
    QuoteOfEvent: QuoteOfEvent;
    DeploymentQuoteOfEvent: DeploymentQuoteOfEvent;
    DepositOfEvent: DepositOfEvent;
    X402AuthorizationOfEvent: X402AuthorizationOfEvent;
    WithdrawalEventData: WithdrawalEventData;
    PayoutScheduleEventData: PayoutScheduleEventData;
    SubscriptionEventData: SubscriptionEventData;
    SplitConsentEventData: SplitConsentEventData;
    WebhookEndpointEventData: WebhookEndpointEventData;
  };
  responses: {
    /** @description The catalog still has the version named in `If-None-Match`. There is no body. */
    NotModified: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        "Cache-Control": components["headers"]["CacheControlOfRead"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        ETag: components["headers"]["ETag"];
        [name: string]: unknown;
      };
      content?: never;
    };
    /**
     * @description The request breaks the contract. Codes: `invalid_json` (the body is not JSON),
     *     `invalid_request` (`details.violations` lists every problem), `missing_header`,
     *     `invalid_header`, `unknown_parameter`. Also where a schema allows any JSON, a text or a name
     *     that holds U+0000 or half of a surrogate pair is `invalid_request` (rule `unicode`), and so
     *     is a number that no double holds, such as 1e400 (rule `finite`) or 9007199254740993 (rule
     *     `precision`).
     */
    BadRequest: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The request breaks the contract. Codes: `webhook_url_not_allowed` (not an absolute https URL,
     *     more than 2048 characters, anything but visible ASCII, a backslash, user information, a
     *     fragment, a port other than 443 and 8443, an IP address in any spelling, a host name that is
     *     not spelled plainly, ends with a dot, has a single label, is no valid name, or ends with a
     *     suffix of private networks, or a host of this service), `unknown_event_type` (an unknown name, an empty list,
     *     or `*` beside other names), `invalid_json`, `invalid_request` (`details.violations` lists
     *     every problem), `missing_header`, `invalid_header`, `unknown_parameter`.
     */
    BadWebhookEndpoint: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The request breaks the contract. Codes: `invalid_cursor`, `invalid_limit`,
     *     `unknown_parameter`, `invalid_request` (another parameter has a wrong value;
     *     `details.violations` lists every problem), `missing_header`, `invalid_header`.
     */
    BadPage: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The request is not proven to come from the merchant. Codes: `authentication_failed`
     *     (unknown, revoked or expired key, or a wrong signature: one code for all),
     *     `timestamp_out_of_range` (`details.server_time`), `nonce_reused`.
     */
    Unauthorized: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The key is genuine, and may not do this. Codes: `insufficient_scope`
     *     (`details.required_scope`, or `details.excluded_scope` for one that a key which moves money
     *     may not have), `ip_not_allowed`, `merchant_suspended`.
     */
    Forbidden: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOfAny"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The resource in the path does not exist or belongs to another merchant, which look the same.
     *     Code: `not_found`.
     */
    NotFound: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOfAny"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The first request with this Idempotency-Key still runs; send it again after `Retry-After`.
     *     Code: `idempotency_in_progress`.
     */
    Conflict: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControl"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        "Retry-After": components["headers"]["RetryAfterInProgress"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description This Idempotency-Key has been here. Codes: `idempotency_in_progress` (the first request with it
     *     still runs; send it again after `Retry-After`), `idempotency_key_expired` (it was done, and its
     *     answer is no longer kept).
     */
    KeyConflict: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControl"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        "Retry-After": components["headers"]["RetryAfterInProgress"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The request breaks the contract: a header, an identifier, a query or a body that nobody asked for. */
    BadRequestWithoutBody: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description There is no payment with this id, or it belongs to another merchant, which look the same. */
    PaymentNotFound: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControl"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The URL is registered already, or the first request with this Idempotency-Key still runs. */
    EndpointConflict: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControl"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        "Retry-After": components["headers"]["RetryAfterInProgress"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The body is larger than 64 kB, or the evidence of a usage report larger than 16 kB. */
    BodyTooLarge: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The body is not JSON, or comes in a content coding. */
    UnsupportedMediaType: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControl"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        "Accept-Encoding": components["headers"]["AcceptEncoding"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The Idempotency-Key names another request. */
    KeyReused: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControl"];
        Vary: components["headers"]["Vary"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        RateLimit: components["headers"]["RateLimit"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description Our fault. A write may have happened: send the same again with the same Idempotency-Key. */
    InternalError: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The service cannot answer now. A write may have been done all the same: send it again with
     *     the same `Idempotency-Key`, and never with a new one.
     */
    Unavailable: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        "Retry-After": components["headers"]["RequiredRetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description The service cannot answer now, or the chain cannot be read. A write may have been done all
     *     the same: send it again with the same `Idempotency-Key`, and never with a new one.
     */
    ChainUnavailable: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        "Retry-After": components["headers"]["RequiredRetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description Not a request of HTTP, or one of which the headers cannot be read (RFC 9112). */
    BrokenRequest: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description No operation has this path. */
    UnknownPath: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The path has no such method. */
    MethodNotAllowed: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        Allow: components["headers"]["Allow"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description The headers are larger than 16 kB. */
    HeadersTooLarge: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /** @description HTTP does not have this method. */
    NotImplemented: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description A bucket is empty; send the request again after `Retry-After`. Code: `rate_limited`
     *     (`details.policy` names the bucket).
     *     What is counted before it is known who calls (`address`, `failed_authentication`) tells no rate.
     */
    TooManyRequests: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        "Retry-After": components["headers"]["RequiredRetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
    /**
     * @description Any of the statuses in the operation's `x-default-statuses`, and no other. Codes by status:
     *
     *     - 400 as in BadRequest: `invalid_json`, `invalid_request`, `missing_header`,
     *       `invalid_header`, `unknown_parameter`
     *     - 403 `insufficient_scope`, `ip_not_allowed`, `merchant_suspended`
     *     - 404 `payment_not_found` (settle only)
     *     - 409 `idempotency_in_progress`; on the update of a webhook endpoint also
     *       `endpoint_already_exists`
     *     - 413 `body_too_large` (64 kB; 16 kB for the evidence of a usage report)
     *     - 415 `unsupported_media_type`
     *     - 422 `idempotency_key_reused`
     *     - 429 `rate_limited`, always with `Retry-After`
     *     - 500 `internal_error`
     *     - 503 `service_unavailable`, `chain_unavailable`; send it again with the same
     *       `Idempotency-Key`
     */
    Default: {
      headers: {
        "X-Request-Id": components["headers"]["XRequestId"];
        Link: components["headers"]["HelpLink"];
        "Cache-Control": components["headers"]["CacheControlOnceKnown"];
        Vary: components["headers"]["VaryOnceKnown"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
        RateLimit: components["headers"]["RateLimitOnceKnown"];
        "Accept-Encoding": components["headers"]["AcceptEncoding"];
        "Retry-After": components["headers"]["RetryAfterOfDefault"];
        [name: string]: unknown;
      };
      content: {
        "application/json": ApiError;
      };
    };
  };
  parameters: {
    /**
     * @description The merchant's API key. Live and test keys differ by their prefix.
     * @example mk_test_0123456789abcdef
     */
    XApiKey: string;
    /**
     * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
     * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
     */
    XSignature: string;
    /**
     * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
     * @example 1767225600
     */
    XTimestamp: string;
    /**
     * @description A value this API key has not used before. Random is best.
     * @example n-8f14e45fceea167a5a36dedd4bea2543
     */
    XNonce: string;
    /**
     * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
     *     unique for the merchant over all operations.
     * @example order-A-1001
     */
    IdempotencyKey: IdempotencyKey;
    /**
     * @description Names this request, so that a retry has no second effect; another authorization is another
     *     request, and needs another key. Without it the signed authorization, together with the payment, is
     *     the key.
     * @example settle-A-1001-first
     */
    OptionalIdempotencyKey: IdempotencyKey;
    /**
     * @description The webhook endpoint.
     * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
     */
    WebhookEndpointId: Identifier;
    /**
     * @description The payment.
     * @example pay_01KDVDNA006Q3D25VT4F5V37EK
     */
    PaymentId: Identifier;
    /**
     * @description The withdrawal.
     * @example wdr_01KDVDNA0028JT97KB6CQ643DZ
     */
    WithdrawalId: Identifier;
    /**
     * @description The payout schedule.
     * @example pos_01KDVDNA00A7Z3DJ8FSSZ5AWSH
     */
    PayoutScheduleId: Identifier;
    /**
     * @description The subscription.
     * @example sub_01KDVDNA00TPRE95B9EE0ZBGJ0
     */
    SubscriptionId: Identifier;
    /**
     * @description The currency.
     * @example cur_usdc
     */
    CurrencyId: Identifier;
    /**
     * @description The payment whose usage is reported.
     * @example pay_01KDVDNA006Q3D25VT4F5V37EK
     */
    UsagePaymentId: Identifier;
    /**
     * @description Only schedules with this status.
     * @example active
     */
    PayoutScheduleStatus: PayoutScheduleStatus;
    /**
     * @description Only schedules of this currency.
     * @example cur_usdc
     */
    FilterCurrencyId: string;
    /**
     * @description Only schedules that pay out on this chain (CAIP-2).
     * @example eip155:8453
     */
    FilterTargetChainId: string;
    /**
     * @description The `X-Next-Cursor` of the page before. Opaque; a changed cursor, or one made for other
     *     filters, is 400 `invalid_cursor`.
     * @example eyJ2IjoxLCJhZnRlciI6InBvc18wMUtEVkROQTAwIn0
     */
    Cursor: string;
    /**
     * @description The most entries a page has. Out of range is 400 `invalid_limit`, not clamped.
     * @example 20
     */
    Limit: number;
    /**
     * @description The `ETag` of an earlier answer; 304 when it is still current.
     * @example "42"
     */
    IfNoneMatch: string;
    /**
     * @description The id of the event, equal on every attempt and at every endpoint.
     * @example evt_01KDVDNA00EYCNDY0YP57RCYBV
     */
    WebhookId: string;
    /**
     * @description When this attempt was made, in unix seconds.
     * @example 1767226320
     */
    WebhookTimestamp: string;
    /**
     * @description One signature, or two after a rotation, separated by a space.
     * @example v1,SBMq7+OKTaIaYPSttRHuhFHBUjIF+5L9CzXu+kv7eA0=
     */
    WebhookSignature: string;
    /**
     * @description Names this attempt in the traces of the service (W3C Trace Context), where it keeps any. The signature does not
     *     cover it: decide nothing by it.
     * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
     */
    WebhookTraceparent: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Names this request in the service's logs. Quote it to support.
     * @example req_01KDVDNA00S5AA819X9YP98106
     */
    XRequestId: RequestId;
    /** @description The scheme of the signature, and the headers that it takes (RFC 9110, 11.6.1). */
    WWWAuthenticate: 'HMAC-SHA256 headers="X-Api-Key X-Timestamp X-Nonce X-Signature"';
    /**
     * @description The methods that the path has (RFC 9110, 10.2.1).
     * @example GET, HEAD, PUT
     */
    Allow: string;
    /** @description With 415, when the body came in a content coding: the body must come without one. */
    AcceptEncoding: "identity";
    /**
     * @description The quota `q` and the window `w` in seconds of the bucket that was used.
     * @example "read";q=600;w=60
     */
    RateLimitPolicy: RateLimitPolicyText;
    /**
     * @description What is left (`r`) in the bucket, and in how many seconds (`t`) there is more.
     * @example "read";r=598;t=1
     */
    RateLimit: RateLimitText;
    /**
     * @description As `RateLimit-Policy` elsewhere; absent where the request was refused before it counted.
     * @example "read";q=600;w=60
     */
    RateLimitPolicyOnceKnown: RateLimitPolicyText;
    /**
     * @description As `RateLimit` elsewhere; absent where the request was refused before it counted.
     * @example "read";r=598;t=1
     */
    RateLimitOnceKnown: RateLimitText;
    /** @description Only for the caller, and not to be kept (RFC 9111, 5.2.2). */
    CacheControl: "private, no-store";
    /** @description Only for the caller, and to be asked about before each use (RFC 9111, 5.2.2). */
    CacheControlOfRead: "private, no-cache";
    /** @description Only for the caller; `no-cache` answers a GET, `no-store` anything else. */
    CacheControlOfAny: "private, no-cache" | "private, no-store";
    /** @description As `Cache-Control` elsewhere; absent where the caller is not known. */
    CacheControlOnceKnown: "private, no-cache" | "private, no-store";
    /** @description What one key is told is for that key. */
    Vary: "X-Api-Key";
    /** @description As `Vary` elsewhere; absent where the caller is not known. */
    VaryOnceKnown: "X-Api-Key";
    /**
     * @description In how many seconds to send the request again; with `idempotency_in_progress`, and only then.
     * @example 1
     */
    RetryAfterInProgress: number;
    /**
     * @description In how many seconds to send the request again; with these codes, and only then.
     * @example 1
     */
    RetryAfterOfDefault: number;
    /**
     * @description In how many seconds to send the request again.
     * @example 12
     */
    RequiredRetryAfter: number;
    /**
     * @description `true` when this is the stored answer of an earlier request with the same Idempotency-Key;
     *     absent otherwise.
     * @example true
     */
    IdempotentReplayed: "true";
    /**
     * @description The path of the created resource.
     * @example /v1/webhook-endpoints/whe_01KDVDNA0083XSSSS6YS3C4DWA
     */
    Location: string;
    /**
     * @description The address of the next page (RFC 8288); absent on the last page.
     * @example </v1/currencies?cursor=eyJ2IjoxfQ&limit=20>; rel="next"
     */
    Link: string;
    /**
     * @description Where the cause and the remedy of this `code` stand (RFC 8288), relative to the address of the
     *     request: a page of this service.
     * @example </docs/errors#invalid_request>; rel="help"
     */
    HelpLink: string;
    /**
     * @description The `cursor` of the next page; absent on the last page.
     * @example eyJ2IjoxLCJhZnRlciI6InBvc18wMUtEVkROQTAwIn0
     */
    XNextCursor: string;
    /**
     * @description The catalog version and the environment of the key, in double quotes.
     * @example "42-live"
     */
    ETag: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  registerWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The URL and, optionally, the events it wants. */
    requestBody: {
      content: {
        "application/json": RegisterWebhookEndpointRequest;
      };
    };
    responses: {
      /** @description The endpoint is registered and active. Store the secret now. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": RegisteredWebhookEndpoint;
        };
      };
      400: components["responses"]["BadWebhookEndpoint"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      /**
       * @description The request conflicts with what exists. Codes: `endpoint_already_exists` (the URL is
       *     registered, by `details.endpoint_id`), `endpoint_limit_reached` (the merchant has 20 in the environment of the key), `idempotency_in_progress`
       *     (with `Retry-After`), `idempotency_key_expired` (a replay after the stored secret was
       *     deleted: rotate the secret instead).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  getWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
         */
        id: components["parameters"]["WebhookEndpointId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControlOfRead"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": WebhookEndpoint;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooManyRequests"];
      default: components["responses"]["Default"];
    };
  };
  updateWebhookEndpoint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
         */
        id: components["parameters"]["WebhookEndpointId"];
      };
      cookie?: never;
    };
    /** @description The new URL and the new list of events. */
    requestBody: {
      content: {
        "application/json": UpdateWebhookEndpointRequest;
      };
    };
    responses: {
      /** @description The endpoint as it is now. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": WebhookEndpoint;
        };
      };
      400: components["responses"]["BadWebhookEndpoint"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      default: components["responses"]["Default"];
    };
  };
  setWebhookEndpointStatus: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
         */
        id: components["parameters"]["WebhookEndpointId"];
      };
      cookie?: never;
    };
    /** @description The wanted state. */
    requestBody: {
      content: {
        "application/json": SetWebhookEndpointStatusRequest;
      };
    };
    responses: {
      /** @description The endpoint as it is now. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": WebhookEndpoint;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      default: components["responses"]["Default"];
    };
  };
  rotateWebhookEndpointSecret: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
         */
        id: components["parameters"]["WebhookEndpointId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The new secret. Store it now; it is not shown again. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": RotatedWebhookEndpointSecret;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      /**
       * @description The key cannot be answered now. Codes: `idempotency_in_progress` (the first request with
       *     this key still runs; with `Retry-After`), `idempotency_key_expired` (a replay after the
       *     stored secret was deleted: rotate with a new key).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deliveries, newest first. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControlOfRead"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": WebhookDeliveryList;
        };
      };
      /**
       * @description The request breaks the contract. Codes: `unknown_parameter` (this operation has no query
       *     parameters), `invalid_request` (a body was sent, and this operation takes none),
       *     `missing_header`, `invalid_header`.
       */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControlOnceKnown"];
          Vary: components["headers"]["VaryOnceKnown"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicyOnceKnown"];
          RateLimit: components["headers"]["RateLimitOnceKnown"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooManyRequests"];
      default: components["responses"]["Default"];
    };
  };
  createPayment: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The order, its prices and how the proceeds are shared. */
    requestBody: {
      content: {
        "application/json": CreatePaymentRequest;
      };
    };
    responses: {
      /** @description The payment is created and waits for funds. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Payment;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      /**
       * @description The request conflicts with what exists. Codes: `order_already_exists` (the order number
       *     was used before, with another Idempotency-Key or so long ago that the answer is no longer
       *     kept; `details.payment_id`), `idempotency_in_progress` (with `Retry-After`),
       *     `idempotency_key_expired` (the key made a payment of another order number so long ago).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      /**
       * @description The request is well formed, and the rules refuse it. Codes: `currency_not_found`
       *     (`details.near_currency_ids` are what may have been meant), `currency_not_accepted` (see
       *     `PUT /v1/currency-acceptance`), `chain_not_accepted`, `deposits_disabled` (also where this
       *     server watches none of the chains, so that nobody could pay: `details.reason` is
       *     `chain_not_watched`, `details.watched_chain_ids` are those that could be accepted),
       *     `amount_precision`, `amount_too_small` (zero), `amount_too_large` (above 2^256-1 raw),
       *     `splits_exceed_total`, `split_merchant_not_found`, `split_merchant_duplicate`,
       *     `split_self`, `expires_in_out_of_range` (above 604800), `idempotency_key_reused`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  cancelPayment: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The payment.
         * @example pay_01KDVDNA006Q3D25VT4F5V37EK
         */
        id: components["parameters"]["PaymentId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The payment is cancelled. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": PaymentWithoutCheckout;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      /**
       * @description The payment cannot be cancelled. Codes: `payment_not_cancellable` (`details.status` is
       *     the status it has), `idempotency_in_progress` (with `Retry-After`).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  requestWithdrawal: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description What to send, and where. */
    requestBody: {
      content: {
        "application/json": RequestWithdrawalRequest;
      };
    };
    responses: {
      /** @description The amount and the fee are reserved, and the transfer is queued. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Withdrawal;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      409: components["responses"]["KeyConflict"];
      /**
       * @description The request is well formed, and the rules refuse it. Codes: `currency_not_found`
       *     (`details.near_currency_ids` are what may have been meant), `chain_not_accepted` (the
       *     currency is not on this chain), `withdrawals_disabled` (also where this server sends nothing on the chain: `details.reason` is `chain_not_watched`),
       *     `withdraw_address_not_found`, `withdraw_address_inactive`,
       *     `withdraw_address_chain_mismatch`, `amount_precision`, `amount_too_small`,
       *     `amount_too_large`, `insufficient_balance` (`details.available_raw`,
       *     `details.required_raw`), `idempotency_key_reused`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  cancelWithdrawal: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The withdrawal.
         * @example wdr_01KDVDNA0028JT97KB6CQ643DZ
         */
        id: components["parameters"]["WithdrawalId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The withdrawal is cancelled, and the reservation released. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CancelledWithdrawal;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      /**
       * @description The withdrawal cannot be cancelled. Codes: `withdrawal_not_cancellable`
       *     (`details.status`, and `details.tx_hash` where known), `idempotency_in_progress` (with
       *     `Retry-After`).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  registerWithdrawAddress: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The address and its chain. */
    requestBody: {
      content: {
        "application/json": RegisterWithdrawAddressRequest;
      };
    };
    responses: {
      /** @description The address is registered. It can be used from `activates_at` on. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": WithdrawAddress;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      /**
       * @description The request conflicts with what exists. Codes: `address_already_registered` (on that
       *     chain, as `details.withdraw_address_id`), `idempotency_in_progress` (with `Retry-After`), `idempotency_key_expired` (the key
       *     registered an address so long ago that its answer is no longer kept).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      /**
       * @description The request is well formed, and the rules refuse it. Codes: `chain_not_accepted` (a
       *     chain the service does not know), `invalid_address` (form or checksum),
       *     `address_not_allowed` (zero, token contract or own address),
       *     `idempotency_key_reused`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  listPayoutSchedules: {
    parameters: {
      query?: {
        /**
         * @description Only schedules with this status.
         * @example active
         */
        status?: components["parameters"]["PayoutScheduleStatus"];
        /**
         * @description Only schedules of this currency.
         * @example cur_usdc
         */
        currency_id?: components["parameters"]["FilterCurrencyId"];
        /**
         * @description Only schedules that pay out on this chain (CAIP-2).
         * @example eip155:8453
         */
        target_chain_id?: components["parameters"]["FilterTargetChainId"];
        /**
         * @description The `X-Next-Cursor` of the page before. Opaque; a changed cursor, or one made for other
         *     filters, is 400 `invalid_cursor`.
         * @example eyJ2IjoxLCJhZnRlciI6InBvc18wMUtEVkROQTAwIn0
         */
        cursor?: components["parameters"]["Cursor"];
        /**
         * @description The most entries a page has. Out of range is 400 `invalid_limit`, not clamped.
         * @example 20
         */
        limit?: components["parameters"]["Limit"];
      };
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of schedules. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControlOfRead"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          Link: components["headers"]["Link"];
          "X-Next-Cursor": components["headers"]["XNextCursor"];
          [name: string]: unknown;
        };
        content: {
          "application/json": PayoutScheduleList;
        };
      };
      400: components["responses"]["BadPage"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooManyRequests"];
      default: components["responses"]["Default"];
    };
  };
  createPayoutSchedule: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description What to pay out, where, how often and from which amount. */
    requestBody: {
      content: {
        "application/json": CreatePayoutScheduleRequest;
      };
    };
    responses: {
      /** @description The schedule is active. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": PayoutSchedule;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      /**
       * @description The request conflicts with what exists. Codes: `schedule_already_exists` (an active
       *     schedule for this currency, chain and address), `idempotency_in_progress` (with
       *     `Retry-After`), `idempotency_key_expired` (the key made a schedule so long ago that its
       *     answer is no longer kept).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      /**
       * @description The request is well formed, and the rules refuse it. Codes: `currency_not_found`
       *     (`details.near_currency_ids` are what may have been meant), `chain_not_accepted` (the
       *     currency is not on this chain), `withdrawals_disabled` (also where this server sends nothing on the chain: `details.reason` is `chain_not_watched`),
       *     `withdraw_address_not_found`, `withdraw_address_inactive`,
       *     `withdraw_address_chain_mismatch`, `interval_out_of_range`, `first_run_in_past`,
       *     `amount_precision`, `amount_too_small`, `amount_too_large`,
       *     `idempotency_key_reused`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  pausePayoutSchedule: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The payout schedule.
         * @example pos_01KDVDNA00A7Z3DJ8FSSZ5AWSH
         */
        id: components["parameters"]["PayoutScheduleId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The schedule is not running. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": PausedPayoutSchedule;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      409: components["responses"]["Conflict"];
      default: components["responses"]["Default"];
    };
  };
  cancelSubscription: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The subscription.
         * @example sub_01KDVDNA00TPRE95B9EE0ZBGJ0
         */
        id: components["parameters"]["SubscriptionId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The subscription is cancelled. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": Subscription;
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      /**
       * @description The subscription cannot be cancelled. Codes: `subscription_not_cancellable`
       *     (`details.status`), `idempotency_in_progress` (with `Retry-After`).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  listCurrencies: {
    parameters: {
      query?: {
        /**
         * @description The `X-Next-Cursor` of the page before. Opaque; a changed cursor, or one made for other
         *     filters, is 400 `invalid_cursor`.
         * @example eyJ2IjoxLCJhZnRlciI6InBvc18wMUtEVkROQTAwIn0
         */
        cursor?: components["parameters"]["Cursor"];
        /**
         * @description The most entries a page has. Out of range is 400 `invalid_limit`, not clamped.
         * @example 20
         */
        limit?: components["parameters"]["Limit"];
      };
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description The `ETag` of an earlier answer; 304 when it is still current.
         * @example "42"
         */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the catalog. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControlOfRead"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          ETag: components["headers"]["ETag"];
          Link: components["headers"]["Link"];
          "X-Next-Cursor": components["headers"]["XNextCursor"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CurrencyList;
        };
      };
      304: components["responses"]["NotModified"];
      400: components["responses"]["BadPage"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      429: components["responses"]["TooManyRequests"];
      default: components["responses"]["Default"];
    };
  };
  getCurrency: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description The `ETag` of an earlier answer; 304 when it is still current.
         * @example "42"
         */
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        /**
         * @description The currency.
         * @example cur_usdc
         */
        id: components["parameters"]["CurrencyId"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The currency. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControlOfRead"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CurrencyDetail;
        };
      };
      304: components["responses"]["NotModified"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      429: components["responses"]["TooManyRequests"];
      default: components["responses"]["Default"];
    };
  };
  replaceCurrencyAcceptance: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Every currency the merchant accepts from now on. */
    requestBody: {
      content: {
        "application/json": ReplaceCurrencyAcceptanceRequest;
      };
    };
    responses: {
      /** @description The acceptance as it is now, with the chains resolved and sorted. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": CurrencyAcceptance;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      /**
       * @description The request is well formed, and the rules refuse it. Codes: `currency_not_found`,
       *     `chain_not_accepted` (the currency is not on this chain, or the list is empty),
       *     `deposits_disabled`, `idempotency_key_reused`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  reportX402Usage: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect. Visible ASCII, taken literally;
         *     unique for the merchant over all operations.
         * @example order-A-1001
         */
        "Idempotency-Key": components["parameters"]["IdempotencyKey"];
      };
      path: {
        /**
         * @description The payment whose usage is reported.
         * @example pay_01KDVDNA006Q3D25VT4F5V37EK
         */
        payment_id: components["parameters"]["UsagePaymentId"];
      };
      cookie?: never;
    };
    /** @description The amount used and the merchant's evidence for it. */
    requestBody: {
      content: {
        "application/json": ReportX402UsageRequest;
      };
    };
    responses: {
      /** @description The usage is recorded. */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": X402Usage;
        };
      };
      401: components["responses"]["Unauthorized"];
      404: components["responses"]["NotFound"];
      /**
       * @description The usage cannot be recorded any more. Codes: `usage_already_reported` (another usage or
       *     another amount), `usage_closed` (released, lapsed or expired; `details.status`),
       *     `idempotency_in_progress` (with `Retry-After`).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      /**
       * @description The request is well formed, and the rules refuse it. Codes: `usage_exceeds_max`,
       *     `usage_not_upto` (the payment was settled by the exact scheme), `amount_precision`,
       *     `amount_too_large`, `idempotency_key_reused`.
       */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
  settleX402Payment: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description The merchant's API key. Live and test keys differ by their prefix.
         * @example mk_test_0123456789abcdef
         */
        "X-Api-Key": components["parameters"]["XApiKey"];
        /**
         * @description HMAC-SHA256 of the canonical string in lower-case hex; see Signing a request at the top.
         * @example cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d
         */
        "X-Signature": components["parameters"]["XSignature"];
        /**
         * @description When the request was signed, in unix seconds; at most 300 seconds from the server's clock.
         * @example 1767225600
         */
        "X-Timestamp": components["parameters"]["XTimestamp"];
        /**
         * @description A value this API key has not used before. Random is best.
         * @example n-8f14e45fceea167a5a36dedd4bea2543
         */
        "X-Nonce": components["parameters"]["XNonce"];
        /**
         * @description Names this request, so that a retry has no second effect; another authorization is another
         *     request, and needs another key. Without it the signed authorization, together with the payment, is
         *     the key.
         * @example settle-A-1001-first
         */
        "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The payment, the payer's signed payload, and the requirements it answers. */
    requestBody: {
      content: {
        "application/json": SettleX402PaymentRequest;
      };
    };
    responses: {
      /** @description The authorization is settled on the chain. */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": SettledX402Payment;
        };
      };
      /**
       * @description The authorization is accepted; the outcome is not known yet, or the capture waits for
       *     the usage report. Send the same request again after `Retry-After`.
       */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
          "Retry-After": components["headers"]["RequiredRetryAfter"];
          [name: string]: unknown;
        };
        content: {
          "application/json": UnsettledX402Payment;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      /**
       * @description The authorization was rejected, or its transaction failed; the payer has to sign a new
       *     one. `details.x402_reason` carries the identifier x402 uses, and `details.tx_hash` the
       *     transaction where there is one. Codes: `x402_invalid_signature`,
       *     `x402_payload_scheme_mismatch`, `x402_requirements_mismatch` (`details.field`),
       *     `x402_amount_mismatch`, `x402_recipient_mismatch`, `x402_not_yet_valid`,
       *     `x402_expired`, `x402_nonce_mismatch`, `x402_insufficient_funds`,
       *     `x402_authorization_used`, `x402_authorization_cancelled`,
       *     `x402_allowance_required`, `x402_facilitator_mismatch`, `x402_simulation_failed`,
       *     `x402_reverted`, `x402_transfer_mismatch`.
       */
      402: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      /**
       * @description The payment cannot be settled now. Codes: `payment_not_payable` (`details.status`),
       *     `settlement_in_progress` (another authorization for this payment is being settled;
       *     `details.tx_hash` where known), `payment_already_settled` (by another authorization;
       *     `details.tx_hash`), `idempotency_in_progress` (with `Retry-After`).
       */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["XRequestId"];
          Link: components["headers"]["HelpLink"];
          "Cache-Control": components["headers"]["CacheControl"];
          Vary: components["headers"]["Vary"];
          "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
          RateLimit: components["headers"]["RateLimit"];
          "Retry-After": components["headers"]["RetryAfterInProgress"];
          [name: string]: unknown;
        };
        content: {
          "application/json": ApiError;
        };
      };
      default: components["responses"]["Default"];
    };
  };
}
