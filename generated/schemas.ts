// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

/** An amount in whole units of the asset. */
export const DecimalAmount: z.ZodType<types.DecimalAmount> = keywords.says<types.DecimalAmount>()(
  z.string().check(keywords.pattern(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/u, 128), keywords.maxLength(128)),
);

/** An integer in the smallest unit of the asset, at most 2^256-1: the last part of the pattern is that bound, digit by digit. */
export const RawAmount: z.ZodType<types.RawAmount> = keywords.says<types.RawAmount>()(
  z
    .string()
    .regex(
      /^(0|[1-9][0-9]{0,76}|1(0[0-9]{76}|1([0-4][0-9]{75}|5([0-6][0-9]{74}|7([0-8][0-9]{73}|9([0-1][0-9]{72}|20([0-7][0-9]{70}|8([0-8][0-9]{69}|9([0-1][0-9]{68}|2([0-2][0-9]{67}|3([0-6][0-9]{66}|7([0-2][0-9]{65}|3(0[0-9]{64}|1([0-5][0-9]{63}|6(0[0-9]{62}|1([0-8][0-9]{61}|9([0-4][0-9]{60}|5([0-3][0-9]{59}|4([0-1][0-9]{58}|2([0-2][0-9]{57}|3([0-4][0-9]{56}|5([0-6][0-9]{55}|70([0-8][0-9]{53}|9([0-7][0-9]{52}|8([0-4][0-9]{51}|500([0-7][0-9]{48}|8([0-5][0-9]{47}|6([0-7][0-9]{46}|8([0-6][0-9]{45}|7([0-8][0-9]{44}|90([0-6][0-9]{42}|7([0-7][0-9]{41}|8([0-4][0-9]{40}|5([0-2][0-9]{39}|3([0-1][0-9]{38}|2([0-5][0-9]{37}|6([0-8][0-9]{36}|9([0-8][0-9]{35}|9([0-7][0-9]{34}|8([0-3][0-9]{33}|4([0-5][0-9]{32}|6([0-5][0-9]{31}|6([0-4][0-9]{30}|5([0-5][0-9]{29}|6([0-3][0-9]{28}|40([0-4][0-9]{26}|5([0-5][0-9]{25}|6([0-3][0-9]{24}|40([0-2][0-9]{22}|3([0-8][0-9]{21}|9([0-3][0-9]{20}|4([0-4][0-9]{19}|5([0-6][0-9]{18}|7([0-4][0-9]{17}|5([0-7][0-9]{16}|8([0-3][0-9]{15}|400([0-6][0-9]{12}|7([0-8][0-9]{11}|9(0[0-9]{10}|1([0-2][0-9]{9}|3(0[0-9]{8}|1([0-1][0-9]{7}|2([0-8][0-9]{6}|9([0-5][0-9]{5}|6([0-2][0-9]{4}|3([0-8][0-9]{3}|9([0-8][0-9]{2}|9([0-2][0-9]|3[0-5]))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))$/u,
    ),
);

/** A time as the service writes it, UTC with milliseconds and `Z`. */
export const Timestamp: z.ZodType<types.Timestamp> = keywords.says<types.Timestamp>()(
  z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/u)
    .check(keywords.format("date-time")),
);

/** An amount in whole units of the asset, as the service writes it, without zeros at the end. */
export const CanonicalAmount: z.ZodType<types.CanonicalAmount> =
  keywords.says<types.CanonicalAmount>()(
    z
      .string()
      .check(keywords.pattern(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/u, 128), keywords.maxLength(128)),
  );

/** How many decimals the asset has on this chain. */
export const Decimals: z.ZodType<types.Decimals> = keywords.says<types.Decimals>()(
  z.int32().min(0).max(77),
);

/** A chain (CAIP-2). */
export const ChainId: z.ZodType<types.ChainId> = keywords.says<types.ChainId>()(
  z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/u),
);

/** A contract, with EIP-55 checksum on EVM chains. */
export const ContractAddress: z.ZodType<types.ContractAddress> =
  keywords.says<types.ContractAddress>()(
    z.string().regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/u),
  );

/** The transaction. */
export const TransactionHash: z.ZodType<types.TransactionHash> =
  keywords.says<types.TransactionHash>()(z.string().regex(/^0x[0-9a-f]{64}$/u));

/** A currency of the catalog. */
export const CatalogCurrencyId: z.ZodType<types.CatalogCurrencyId> =
  keywords.says<types.CatalogCurrencyId>()(z.string().regex(/^cur_[A-Za-z0-9_]{1,60}$/u));

/** A deployment of the catalog. */
export const DeploymentId: z.ZodType<types.DeploymentId> = keywords.says<types.DeploymentId>()(
  z.string().regex(/^dep_[A-Za-z0-9_]{1,60}$/u),
);

/** The code of a currency, for example `USDC`. */
export const CurrencyCode: z.ZodType<types.CurrencyCode> = keywords.says<types.CurrencyCode>()(
  z.string().regex(/^[A-Z0-9][A-Za-z0-9._-]{0,19}$/u),
);

/** The symbol to show. */
export const CurrencySymbol: z.ZodType<types.CurrencySymbol> =
  keywords.says<types.CurrencySymbol>()(z.string().regex(/^\S{1,20}$/u));

/** The name to show. */
export const CurrencyName: z.ZodType<types.CurrencyName> = keywords.says<types.CurrencyName>()(
  z.string().check(keywords.minLength(1), keywords.maxLength(100)),
);

/** A bucket in the words of draft-ietf-httpapi-ratelimit-headers. */
export const RateLimitPolicyText: z.ZodType<types.RateLimitPolicyText> =
  keywords.says<types.RateLimitPolicyText>()(
    z
      .string()
      .regex(/^"(read|write|money|merchant|address|failed_authentication)";q=[1-9][0-9]*;w=60$/u),
  );

/** What is left of a bucket, in the same words. */
export const RateLimitText: z.ZodType<types.RateLimitText> = keywords.says<types.RateLimitText>()(
  z
    .string()
    .regex(
      /^"(read|write|money|merchant|address|failed_authentication)";r=(0|[1-9][0-9]*);t=[1-9][0-9]?$/u,
    ),
);

/** The endpoint. */
export const WebhookEndpointId: z.ZodType<types.WebhookEndpointId> =
  keywords.says<types.WebhookEndpointId>()(z.string().regex(/^whe_[0-9A-HJKMNP-TV-Z]{26}$/u));

/** The delivery. */
export const WebhookDeliveryId: z.ZodType<types.WebhookDeliveryId> =
  keywords.says<types.WebhookDeliveryId>()(z.string().regex(/^dlv_[0-9A-HJKMNP-TV-Z]{26}$/u));

/** The payment. */
export const PaymentId: z.ZodType<types.PaymentId> = keywords.says<types.PaymentId>()(
  z.string().regex(/^pay_[0-9A-HJKMNP-TV-Z]{26}$/u),
);

/** The withdrawal. */
export const WithdrawalId: z.ZodType<types.WithdrawalId> = keywords.says<types.WithdrawalId>()(
  z.string().regex(/^wdr_[0-9A-HJKMNP-TV-Z]{26}$/u),
);

/** The withdraw address. */
export const WithdrawAddressId: z.ZodType<types.WithdrawAddressId> =
  keywords.says<types.WithdrawAddressId>()(z.string().regex(/^wad_[0-9A-HJKMNP-TV-Z]{26}$/u));

/** The schedule. */
export const PayoutScheduleId: z.ZodType<types.PayoutScheduleId> =
  keywords.says<types.PayoutScheduleId>()(z.string().regex(/^pos_[0-9A-HJKMNP-TV-Z]{26}$/u));

/** The subscription. */
export const SubscriptionId: z.ZodType<types.SubscriptionId> =
  keywords.says<types.SubscriptionId>()(z.string().regex(/^sub_[0-9A-HJKMNP-TV-Z]{26}$/u));

/** `pending`; `authorized` (x402 upto, waits for usage); `partially_paid`, `confirming`; `paid`, `overpaid`, `paid_late`; `underpaid`, `expired`, `cancelled`; `reversed` (a reorganisation took the funds away; when they are there again it is `paid`, `overpaid` or `paid_late` again, told by the event `payment.restored`). */
export const PaymentStatus: z.ZodType<types.PaymentStatus> = keywords.says<types.PaymentStatus>()(
  z.string().check(keywords.minLength(1), keywords.maxLength(64)),
);

/** `pending` (reserved, can be cancelled), `processing`, `broadcast`, `confirmed`; or `cancelled`, `rejected` (by policy), `failed` (on the chain). */
export const WithdrawalStatus: z.ZodType<types.WithdrawalStatus> =
  keywords.says<types.WithdrawalStatus>()(
    z.string().check(keywords.minLength(1), keywords.maxLength(64)),
  );

/** `pending_activation` (cooling off), `active` (can be used) or `disabled`. */
export const WithdrawAddressStatus: z.ZodType<types.WithdrawAddressStatus> =
  keywords.says<types.WithdrawAddressStatus>()(z.string());

/** `incomplete`, `active`, `past_due`, `cancelled` or `expired`. */
export const SubscriptionStatus: z.ZodType<types.SubscriptionStatus> =
  keywords.says<types.SubscriptionStatus>()(
    z.string().check(keywords.minLength(1), keywords.maxLength(64)),
  );

/** The events that the endpoint receives, each once, or `*` alone for all of them. */
export const ChosenEventTypes: z.ZodType<types.ChosenEventTypes> =
  keywords.says<types.ChosenEventTypes>()(
    keywords
      .array(keywords.later(() => EventType))
      .check(keywords.minItems(1), keywords.uniqueItems()),
  );

/** An opaque identifier. */
export const Identifier: z.ZodType<types.Identifier> = keywords.says<types.Identifier>()(
  z.string().check(keywords.minLength(1), keywords.maxLength(128)),
);

/** Visible ASCII characters, taken literally. */
export const IdempotencyKey: z.ZodType<types.IdempotencyKey> =
  keywords.says<types.IdempotencyKey>()(
    z
      .string()
      .check(keywords.pattern(/^[!-~]+$/u, 128), keywords.minLength(1), keywords.maxLength(128)),
  );

/** The chain's own coin, or a token contract on it. */
export const AssetKind: z.ZodType<types.AssetKind> = keywords.says<types.AssetKind>()(
  z.enum(["native", "token"]),
);

/** The standard of the asset; `native` for the chain's own coin. */
export const TokenStandard: z.ZodType<types.TokenStandard> = keywords.says<types.TokenStandard>()(
  z.enum(["native", "erc20", "spl", "spl2022", "trc20"]),
);

/** The body of every error. */
export const ApiError: z.ZodType<types.ApiError> = keywords.says<types.ApiError>()(
  combinations.oneOf(
    keywords.later(() => PlainError),
    keywords.later(() => ContractError),
    keywords.later(() => ClockError),
    keywords.later(() => ScopeError),
    keywords.later(() => RateLimitError),
    keywords.later(() => OrderExistsError),
    keywords.later(() => ScheduleExistsError),
    keywords.later(() => EndpointExistsError),
    keywords.later(() => AddressExistsError),
    keywords.later(() => StatusError),
    keywords.later(() => WithdrawalStatusError),
    keywords.later(() => PaymentStatusError),
    keywords.later(() => OtherSettlementError),
    keywords.later(() => PlaceError),
    keywords.later(() => PrecisionError),
    keywords.later(() => RangeError),
    keywords.later(() => FirstRunError),
    keywords.later(() => BalanceError),
    keywords.later(() => AddressStatusError),
    keywords.later(() => UnknownCurrencyError),
    keywords.later(() => CurrencyAcceptanceError),
    keywords.later(() => ChainAcceptanceError),
    keywords.later(() => DepositsDisabledError),
    keywords.later(() => WithdrawalsDisabledError),
    keywords.later(() => SplitMerchantError),
    keywords.later(() => SplitTotalError),
    keywords.later(() => X402RequirementsError),
    keywords.later(() => X402Error),
  ),
);

/** An error that its code says all about. */
export const PlainError: z.ZodType<types.PlainError> = keywords.says<types.PlainError>()(
  z.looseObject({
    code: z.enum([
      "authentication_failed",
      "nonce_reused",
      "ip_not_allowed",
      "merchant_suspended",
      "not_found",
      "payment_not_found",
      "method_not_allowed",
      "request_timeout",
      "idempotency_in_progress",
      "idempotency_key_expired",
      "endpoint_limit_reached",
      "usage_already_reported",
      "body_too_large",
      "unsupported_media_type",
      "idempotency_key_reused",
      "usage_not_upto",
      "headers_too_large",
      "internal_error",
      "not_implemented",
      "service_unavailable",
      "chain_unavailable",
    ]),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
    }),
  }),
);

/** The request breaks the contract. */
export const ContractError: z.ZodType<types.ContractError> = keywords.says<types.ContractError>()(
  z.looseObject({
    code: z.enum([
      "invalid_json",
      "invalid_request",
      "missing_header",
      "invalid_header",
      "unknown_parameter",
      "invalid_cursor",
      "invalid_limit",
      "webhook_url_not_allowed",
      "unknown_event_type",
    ]),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      violations: keywords
        .array(keywords.later(() => Violation))
        .check(keywords.minItems(1), keywords.maxItems(100)),
    }),
  }),
);

/** The clock of the caller is not the server's. */
export const ClockError: z.ZodType<types.ClockError> = keywords.says<types.ClockError>()(
  z.looseObject({
    code: z.literal("timestamp_out_of_range"),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      server_time: z.int().min(1).max(9999999999),
    }),
  }),
);

/** The key may not do this. */
export const ScopeError: z.ZodType<types.ScopeError> = keywords.says<types.ScopeError>()(
  z.looseObject({
    code: z.literal("insufficient_scope"),
    message: keywords.later(() => ErrorMessage),
    details: combinations.also(
      z.looseObject({
        request_id: keywords.later(() => RequestId),
        required_scope: keywords.later(() => Scope).exactOptional(),
        excluded_scope: keywords.later(() => Scope).exactOptional(),
      }),
      objects.minProperties(2),
      objects.maxProperties(2),
    ),
  }),
);

/** Too many requests, or too much for now. */
export const RateLimitError: z.ZodType<types.RateLimitError> =
  keywords.says<types.RateLimitError>()(
    z.looseObject({
      code: z.literal("rate_limited"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        policy: z.enum([
          "read",
          "write",
          "money",
          "merchant",
          "address",
          "failed_authentication",
          "x402_payer",
          "x402_gas",
        ]),
      }),
    }),
  );

/** The order has a payment. */
export const OrderExistsError: z.ZodType<types.OrderExistsError> =
  keywords.says<types.OrderExistsError>()(
    z.looseObject({
      code: z.literal("order_already_exists"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        payment_id: PaymentId,
      }),
    }),
  );

/** There is such a schedule. */
export const ScheduleExistsError: z.ZodType<types.ScheduleExistsError> =
  keywords.says<types.ScheduleExistsError>()(
    z.looseObject({
      code: z.literal("schedule_already_exists"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        schedule_id: PayoutScheduleId,
      }),
    }),
  );

/** There is such an endpoint. */
export const EndpointExistsError: z.ZodType<types.EndpointExistsError> =
  keywords.says<types.EndpointExistsError>()(
    z.looseObject({
      code: z.literal("endpoint_already_exists"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        endpoint_id: WebhookEndpointId,
      }),
    }),
  );

/** There is such an address. */
export const AddressExistsError: z.ZodType<types.AddressExistsError> =
  keywords.says<types.AddressExistsError>()(
    z.looseObject({
      code: z.literal("address_already_registered"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        withdraw_address_id: WithdrawAddressId,
      }),
    }),
  );

/** Its status does not allow it. */
export const StatusError: z.ZodType<types.StatusError> = keywords.says<types.StatusError>()(
  z.looseObject({
    code: z.enum(["payment_not_cancellable", "subscription_not_cancellable", "usage_closed"]),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      status: z.string().check(keywords.minLength(1), keywords.maxLength(64)),
    }),
  }),
);

/** The withdrawal is past `pending`. */
export const WithdrawalStatusError: z.ZodType<types.WithdrawalStatusError> =
  keywords.says<types.WithdrawalStatusError>()(
    z.looseObject({
      code: z.literal("withdrawal_not_cancellable"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        status: WithdrawalStatus,
        tx_hash: TransactionHash.exactOptional(),
      }),
    }),
  );

/** The payment does not wait for money. */
export const PaymentStatusError: z.ZodType<types.PaymentStatusError> =
  keywords.says<types.PaymentStatusError>()(
    z.looseObject({
      code: z.literal("payment_not_payable"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        status: PaymentStatus,
        expires_at: Timestamp.exactOptional(),
        tx_hash: TransactionHash.exactOptional(),
      }),
    }),
  );

/** Another authorization is in the way. */
export const OtherSettlementError: z.ZodType<types.OtherSettlementError> =
  keywords.says<types.OtherSettlementError>()(
    z.looseObject({
      code: z.enum(["settlement_in_progress", "payment_already_settled"]),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        tx_hash: TransactionHash.exactOptional(),
      }),
    }),
  );

/** One value of the body is refused. */
export const PlaceError: z.ZodType<types.PlaceError> = keywords.says<types.PlaceError>()(
  z.looseObject({
    code: z.enum([
      "invalid_address",
      "address_not_allowed",
      "amount_too_small",
      "amount_too_large",
      "withdraw_address_not_found",
      "withdraw_address_chain_mismatch",
      "usage_exceeds_max",
    ]),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      pointer: keywords.later(() => BodyPointer),
    }),
  }),
);

/** The amount has more fraction digits than the asset. */
export const PrecisionError: z.ZodType<types.PrecisionError> =
  keywords.says<types.PrecisionError>()(
    z.looseObject({
      code: z.literal("amount_precision"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        decimals: Decimals,
      }),
    }),
  );

/** A number of seconds is out of its range. */
export const RangeError: z.ZodType<types.RangeError> = keywords.says<types.RangeError>()(
  z.looseObject({
    code: z.enum(["expires_in_out_of_range", "interval_out_of_range"]),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      pointer: keywords.later(() => BodyPointer),
      minimum: z.int().min(1).max(31622400),
      maximum: z.int().min(1).max(31622400),
    }),
  }),
);

/** The first run would be in the past. */
export const FirstRunError: z.ZodType<types.FirstRunError> = keywords.says<types.FirstRunError>()(
  z.looseObject({
    code: z.literal("first_run_in_past"),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      pointer: keywords.later(() => BodyPointer),
      server_time: Timestamp,
    }),
  }),
);

/** The balance does not cover it. */
export const BalanceError: z.ZodType<types.BalanceError> = keywords.says<types.BalanceError>()(
  z.looseObject({
    code: z.literal("insufficient_balance"),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      pointer: keywords.later(() => BodyPointer),
      available_raw: RawAmount,
      required_raw: RawAmount,
    }),
  }),
);

/** The withdraw address cannot be used. */
export const AddressStatusError: z.ZodType<types.AddressStatusError> =
  keywords.says<types.AddressStatusError>()(
    z.looseObject({
      code: z.literal("withdraw_address_inactive"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        status: WithdrawAddressStatus.exactOptional(),
        activates_at: Timestamp.exactOptional(),
      }),
    }),
  );

/** The catalog has no such currency. */
export const UnknownCurrencyError: z.ZodType<types.UnknownCurrencyError> =
  keywords.says<types.UnknownCurrencyError>()(
    z.looseObject({
      code: z.literal("currency_not_found"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        currency_id: z.string().check(keywords.maxLength(128)).exactOptional(),
        near_currency_ids: keywords.array(CatalogCurrencyId),
      }),
    }),
  );

/** The merchant does not accept the currency. */
export const CurrencyAcceptanceError: z.ZodType<types.CurrencyAcceptanceError> =
  keywords.says<types.CurrencyAcceptanceError>()(
    z.looseObject({
      code: z.literal("currency_not_accepted"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        currency_id: z.string().check(keywords.maxLength(128)),
        accepted_currency_ids: keywords.array(CatalogCurrencyId),
      }),
    }),
  );

/** The currency cannot be had on this chain. */
export const ChainAcceptanceError: z.ZodType<types.ChainAcceptanceError> =
  keywords.says<types.ChainAcceptanceError>()(
    z.looseObject({
      code: z.literal("chain_not_accepted"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        currency_id: z.string().check(keywords.maxLength(128)).exactOptional(),
        chain_id: z.string().check(keywords.maxLength(128)).exactOptional(),
        accepted_chain_ids: keywords.array(ChainId).exactOptional(),
      }),
    }),
  );

/** The currency cannot be paid with there. */
export const DepositsDisabledError: z.ZodType<types.DepositsDisabledError> =
  keywords.says<types.DepositsDisabledError>()(
    z.looseObject({
      code: z.literal("deposits_disabled"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        currency_id: z.string().check(keywords.maxLength(128)),
        chain_id: z.string().check(keywords.maxLength(128)).exactOptional(),
        reason: z.literal("chain_not_watched").exactOptional(),
        open_chain_ids: keywords.array(ChainId).exactOptional(),
        watched_chain_ids: keywords.array(ChainId).exactOptional(),
      }),
    }),
  );

/** The currency cannot be sent there. */
export const WithdrawalsDisabledError: z.ZodType<types.WithdrawalsDisabledError> =
  keywords.says<types.WithdrawalsDisabledError>()(
    z.looseObject({
      code: z.literal("withdrawals_disabled"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        chain_id: z.string().check(keywords.maxLength(128)),
        reason: z.literal("chain_not_watched").exactOptional(),
      }),
    }),
  );

/** A merchant cannot have this share. */
export const SplitMerchantError: z.ZodType<types.SplitMerchantError> =
  keywords.says<types.SplitMerchantError>()(
    z.looseObject({
      code: z.enum(["split_merchant_not_found", "split_merchant_duplicate", "split_self"]),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        merchant_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      }),
    }),
  );

/** The shares are more than all. */
export const SplitTotalError: z.ZodType<types.SplitTotalError> =
  keywords.says<types.SplitTotalError>()(
    z.looseObject({
      code: z.literal("splits_exceed_total"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        pointer: keywords.later(() => BodyPointer),
        total_bps: z.int32().min(10001).max(320000),
      }),
    }),
  );

/** The requirements are not those of the payment. */
export const X402RequirementsError: z.ZodType<types.X402RequirementsError> =
  keywords.says<types.X402RequirementsError>()(
    z.looseObject({
      code: z.literal("x402_requirements_mismatch"),
      message: keywords.later(() => ErrorMessage),
      details: z.looseObject({
        request_id: keywords.later(() => RequestId),
        x402_reason: z.string().regex(/^[a-z0-9_]{1,128}$/u),
        field: z.string().regex(/^[a-z_]{1,40}(\.[a-z_]{1,20})?$/u),
        least_raw: RawAmount.exactOptional(),
        tx_hash: TransactionHash.exactOptional(),
      }),
    }),
  );

/** The authorization was rejected, or has failed. */
export const X402Error: z.ZodType<types.X402Error> = keywords.says<types.X402Error>()(
  z.looseObject({
    code: z.enum([
      "x402_invalid_signature",
      "x402_payload_scheme_mismatch",
      "x402_amount_mismatch",
      "x402_recipient_mismatch",
      "x402_not_yet_valid",
      "x402_expired",
      "x402_nonce_mismatch",
      "x402_insufficient_funds",
      "x402_authorization_used",
      "x402_authorization_cancelled",
      "x402_allowance_required",
      "x402_facilitator_mismatch",
      "x402_simulation_failed",
      "x402_reverted",
      "x402_transfer_mismatch",
    ]),
    message: keywords.later(() => ErrorMessage),
    details: z.looseObject({
      request_id: keywords.later(() => RequestId),
      x402_reason: z.string().regex(/^[a-z0-9_]{1,128}$/u),
      tx_hash: TransactionHash.exactOptional(),
    }),
  }),
);

/** Explanation for people. */
export const ErrorMessage: z.ZodType<types.ErrorMessage> = keywords.says<types.ErrorMessage>()(
  z.string().check(keywords.minLength(1), keywords.maxLength(1024)),
);

/** The same as `X-Request-Id`. */
export const RequestId: z.ZodType<types.RequestId> = keywords.says<types.RequestId>()(
  z.string().regex(/^req_[0-9A-HJKMNP-TV-Z]{26}$/u),
);

/** What a key may do. */
export const Scope: z.ZodType<types.Scope> = keywords.says<types.Scope>()(z.string());

/** JSON Pointer into the body of the request; the whole body where it is empty. */
export const BodyPointer: z.ZodType<types.BodyPointer> = keywords.says<types.BodyPointer>()(
  z.string().check(keywords.pattern(/^(\/([^~/]|~[01])*)*$/u, 1024), keywords.maxLength(1024)),
);

/** One place where a request breaks the contract, or the rules behind it. */
export const Violation: z.ZodType<types.Violation> = keywords.says<types.Violation>()(
  z.looseObject({
    in: z.enum(["body", "query", "path", "header"]),
    pointer: z
      .string()
      .check(keywords.pattern(/^(\/([^~/]|~[01])*)*$/u, 9000), keywords.maxLength(9000)),
    rule: z.string().check(keywords.pattern(/^[A-Za-z0-9_]+$/u, 64), keywords.maxLength(64)),
    message: z.string().check(keywords.minLength(1), keywords.maxLength(1024)),
  }),
);

/** The events an endpoint receives, or `*` alone for all of them. */
export const EventTypes: z.ZodType<types.EventTypes> = keywords.says<types.EventTypes>()(
  keywords.array(keywords.later(() => EventType)),
);

/** The name of an event. */
export const EventType: z.ZodType<types.EventType> = keywords.says<types.EventType>()(z.string());

/** Where to send which events. */
export const RegisterWebhookEndpointRequest: z.ZodType<types.RegisterWebhookEndpointRequest> =
  keywords.says<types.RegisterWebhookEndpointRequest>()(
    z.strictObject({
      url: z.string().check(keywords.format("uri")),
      event_types: EventTypes.exactOptional(),
    }),
  );

/** A new endpoint with its secret. */
export const RegisteredWebhookEndpoint: z.ZodType<types.RegisteredWebhookEndpoint> =
  keywords.says<types.RegisteredWebhookEndpoint>()(
    z.looseObject({
      id: WebhookEndpointId,
      secret: keywords.later(() => WebhookSecret),
      event_types: ChosenEventTypes,
    }),
  );

/** The new URL and the new list of events. */
export const UpdateWebhookEndpointRequest: z.ZodType<types.UpdateWebhookEndpointRequest> =
  keywords.says<types.UpdateWebhookEndpointRequest>()(
    z.strictObject({
      url: z.string().check(keywords.format("uri")),
      event_types: EventTypes,
    }),
  );

/** The wanted state of an endpoint. */
export const SetWebhookEndpointStatusRequest: z.ZodType<types.SetWebhookEndpointStatusRequest> =
  keywords.says<types.SetWebhookEndpointStatusRequest>()(
    z.strictObject({
      active: z.boolean(),
    }),
  );

/** A webhook endpoint, without its secret. */
export const WebhookEndpoint: z.ZodType<types.WebhookEndpoint> =
  keywords.says<types.WebhookEndpoint>()(
    z.looseObject({
      id: WebhookEndpointId,
      url: z
        .string()
        .check(
          keywords.pattern(/^https?:\/\/[!-~]+$/u, 2048),
          keywords.maxLength(2048),
          keywords.format("uri"),
        ),
      event_types: ChosenEventTypes,
      active: z.boolean(),
      created_at: Timestamp,
    }),
  );

/** The new secret of an endpoint. */
export const RotatedWebhookEndpointSecret: z.ZodType<types.RotatedWebhookEndpointSecret> =
  keywords.says<types.RotatedWebhookEndpointSecret>()(
    z.looseObject({
      id: WebhookEndpointId,
      secret: keywords.later(() => WebhookSecret),
    }),
  );

/** The secret that signs deliveries: `whsec_` and the base64 of the 32 key bytes. */
export const WebhookSecret: z.ZodType<types.WebhookSecret> = keywords.says<types.WebhookSecret>()(
  z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/u)
    .check(keywords.minLength(1)),
);

/** Recent deliveries. */
export const WebhookDeliveryList: z.ZodType<types.WebhookDeliveryList> =
  keywords.says<types.WebhookDeliveryList>()(
    z.looseObject({
      deliveries: keywords
        .array(keywords.later(() => WebhookDelivery))
        .check(keywords.maxItems(100)),
    }),
  );

/** The sending of one event to one endpoint. */
export const WebhookDelivery: z.ZodType<types.WebhookDelivery> =
  keywords.says<types.WebhookDelivery>()(
    z.looseObject({
      id: WebhookDeliveryId,
      event_type: EventType,
      status: z.string(),
      attempts: z.int32().min(0).max(10),
      created_at: Timestamp,
    }),
  );

/** An order, its prices and how the proceeds are shared. */
export const CreatePaymentRequest: z.ZodType<types.CreatePaymentRequest> =
  keywords.says<types.CreatePaymentRequest>()(
    z.strictObject({
      merchant_order_no: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      quotes: objects
        .map(keywords.later(() => QuoteRequest))
        .check(
          objects.minProperties(1),
          objects.maxProperties(64),
          objects.propertyNames(
            keywords.byType({ string: z.string().check(keywords.maxLength(128)) }, "allowed"),
          ),
        ),
      user_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)).exactOptional(),
      splits: keywords
        .array(keywords.later(() => Split))
        .check(keywords.minItems(1), keywords.maxItems(32))
        .exactOptional(),
      overpay_policy: z.enum(["pro_rata", "to_primary"]).exactOptional(),
      expires_in_secs: z.int().min(1).exactOptional(),
      memo: z.string().check(keywords.maxLength(2048)).exactOptional(),
      redirect_url: z
        .string()
        .check(keywords.maxLength(2048), keywords.format("uri"))
        .exactOptional(),
    }),
  );

/** The price in one currency. */
export const QuoteRequest: z.ZodType<types.QuoteRequest> = keywords.says<types.QuoteRequest>()(
  z.strictObject({
    amount: DecimalAmount,
    chain_ids: keywords
      .array(z.string().check(keywords.maxLength(128)))
      .check(keywords.minItems(1), keywords.maxItems(32), keywords.uniqueItems())
      .exactOptional(),
  }),
);

/** A share of the proceeds for another merchant. */
export const Split: z.ZodType<types.Split> = keywords.says<types.Split>()(
  combinations.tagged("type", { percentage: keywords.later(() => PercentageSplit) }),
);

/** A share in basis points. */
export const PercentageSplit: z.ZodType<types.PercentageSplit> =
  keywords.says<types.PercentageSplit>()(
    z.strictObject({
      type: z.literal("percentage"),
      merchant_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      bps: z.int32().min(1).max(10000),
    }),
  );

/** A payment with the page to send the customer to. */
export const Payment: z.ZodType<types.Payment> = keywords.says<types.Payment>()(
  combinations.allOf(
    keywords.later(() => PaymentWithoutCheckout),
    z.looseObject({
      checkout_url: z
        .string()
        .regex(/^https?:\/\/[^/?#]+\/checkout\/([a-z]{1,12}\.)?[A-Za-z0-9_-]{22}$/u)
        .check(keywords.format("uri")),
    }),
  ),
);

/** A payment. */
export const PaymentWithoutCheckout: z.ZodType<types.PaymentWithoutCheckout> =
  keywords.says<types.PaymentWithoutCheckout>()(
    z.looseObject({
      id: PaymentId,
      status: PaymentStatus,
      quotes: objects
        .map(keywords.later(() => Quote))
        .check(
          objects.minProperties(1),
          objects.maxProperties(64),
          objects.propertyNames(CatalogCurrencyId),
        ),
      expires_at: Timestamp,
      merchant_order_no: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    }),
  );

/** The price in one currency, and where it can be paid. */
export const Quote: z.ZodType<types.Quote> = keywords.says<types.Quote>()(
  z.looseObject({
    amount: CanonicalAmount,
    code: CurrencyCode,
    symbol: CurrencySymbol,
    name: CurrencyName,
    deployments: keywords.array(keywords.later(() => DeploymentQuote)).check(keywords.minItems(1)),
  }),
);

/** The price on one chain. */
export const DeploymentQuote: z.ZodType<types.DeploymentQuote> =
  keywords.says<types.DeploymentQuote>()(
    z.looseObject({
      currency_chain_id: DeploymentId,
      chain_id: ChainId,
      decimals: Decimals,
      raw_amount: RawAmount,
      asset_kind: AssetKind,
      token_standard: TokenStandard,
      contract_address: ContractAddress.nullable(),
    }),
  );

/** What to send, and where. */
export const RequestWithdrawalRequest: z.ZodType<types.RequestWithdrawalRequest> =
  keywords.says<types.RequestWithdrawalRequest>()(
    z.strictObject({
      currency_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      target_chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      amount: DecimalAmount,
      withdraw_address_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    }),
  );

/** A transfer of the merchant's balance to one of its addresses. */
export const Withdrawal: z.ZodType<types.Withdrawal> = keywords.says<types.Withdrawal>()(
  z.looseObject({
    id: WithdrawalId,
    currency_id: CatalogCurrencyId,
    currency_chain_id: DeploymentId,
    target_chain_id: ChainId,
    send_amount_raw: RawAmount,
    withdrawal_fee_raw: RawAmount,
    total_debit_raw: RawAmount,
    status: WithdrawalStatus,
  }),
);

/** What became of the withdrawal. */
export const CancelledWithdrawal: z.ZodType<types.CancelledWithdrawal> =
  keywords.says<types.CancelledWithdrawal>()(
    z.looseObject({
      status: z.string(),
    }),
  );

/** An address that withdrawals may go to. */
export const RegisterWithdrawAddressRequest: z.ZodType<types.RegisterWithdrawAddressRequest> =
  keywords.says<types.RegisterWithdrawAddressRequest>()(
    z.strictObject({
      chain_id: z.string().check(keywords.maxLength(128)),
      address: z.string().check(keywords.maxLength(128)),
      destination_type: keywords.later(() => DestinationType).exactOptional(),
      label: z.string().check(keywords.maxLength(256)).exactOptional(),
    }),
  );

/** Who holds the keys: the merchant itself (`self_hosted`, the default), an exchange or other provider (`custodial`), or a smart contract (`contract`). */
export const DestinationType: z.ZodType<types.DestinationType> =
  keywords.says<types.DestinationType>()(z.enum(["self_hosted", "custodial", "contract"]));

/** A registered address. */
export const WithdrawAddress: z.ZodType<types.WithdrawAddress> =
  keywords.says<types.WithdrawAddress>()(
    z.looseObject({
      id: WithdrawAddressId,
      chain_id: ChainId,
      address: z.string().regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{25,90})$/u),
      destination_type: DestinationType,
      label: z.string().check(keywords.maxLength(256)).nullable(),
      status: WithdrawAddressStatus,
      activates_at: Timestamp,
      created_at: Timestamp,
    }),
  );

/** What to pay out, where, how often and from which amount. */
export const CreatePayoutScheduleRequest: z.ZodType<types.CreatePayoutScheduleRequest> =
  keywords.says<types.CreatePayoutScheduleRequest>()(
    z.strictObject({
      currency_id: z.string().check(keywords.maxLength(128)),
      target_chain_id: z.string().check(keywords.maxLength(128)),
      withdraw_address_id: z.string().check(keywords.maxLength(128)),
      interval_secs: z.int(),
      min_send_amount: DecimalAmount,
      mode: keywords.later(() => PayoutMode),
      first_run_at: z.string().check(keywords.format("date-time")).exactOptional(),
    }),
  );

/** What a run does: request the withdrawal (`auto_request`), or only tell that it is due (`notify_only`). */
export const PayoutMode: z.ZodType<types.PayoutMode> = keywords.says<types.PayoutMode>()(
  z.enum(["auto_request", "notify_only"]),
);

/** `active`; `paused` (by the merchant); `retired` (replaced, or ended by the service; final). */
export const PayoutScheduleStatus: z.ZodType<types.PayoutScheduleStatus> =
  keywords.says<types.PayoutScheduleStatus>()(z.enum(["active", "paused", "retired"]));

/** A recurring payout. */
export const PayoutSchedule: z.ZodType<types.PayoutSchedule> =
  keywords.says<types.PayoutSchedule>()(
    z.looseObject({
      id: PayoutScheduleId,
      currency_id: CatalogCurrencyId,
      currency_chain_id: DeploymentId,
      target_chain_id: ChainId,
      withdraw_address_id: WithdrawAddressId,
      interval_secs: z.int().min(3600).max(31622400),
      min_send_amount: CanonicalAmount,
      min_send_raw: RawAmount,
      mode: PayoutMode,
      status: PayoutScheduleStatus,
      enabled: z.boolean(),
      next_run_at: Timestamp,
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
  );

/** A payout schedule that is not running. */
export const PausedPayoutSchedule: z.ZodType<types.PausedPayoutSchedule> =
  keywords.says<types.PausedPayoutSchedule>()(
    combinations.allOf(
      PayoutSchedule,
      z.looseObject({
        retired_at: Timestamp.nullable(),
      }),
    ),
  );

/** One page of payout schedules. */
export const PayoutScheduleList: z.ZodType<types.PayoutScheduleList> =
  keywords.says<types.PayoutScheduleList>()(
    z.looseObject({
      schedules: keywords.array(PayoutSchedule).check(keywords.maxItems(100)),
    }),
  );

/** A customer's recurring payment. */
export const Subscription: z.ZodType<types.Subscription> = keywords.says<types.Subscription>()(
  z.looseObject({
    id: SubscriptionId,
    status: SubscriptionStatus,
    amount: CanonicalAmount,
    interval_secs: z.int().min(86400).max(31622400),
    currency_id: CatalogCurrencyId,
    currency_chain_id: DeploymentId,
    chain_id: ChainId,
    next_bill_at: Timestamp.nullable(),
  }),
);

/** One page of the catalog. */
export const CurrencyList: z.ZodType<types.CurrencyList> = keywords.says<types.CurrencyList>()(
  z.looseObject({
    catalog_version: keywords.later(() => CatalogVersion),
    currencies: keywords.array(keywords.later(() => Currency)).check(keywords.maxItems(100)),
  }),
);

/** One entry of the catalog. */
export const CurrencyDetail: z.ZodType<types.CurrencyDetail> =
  keywords.says<types.CurrencyDetail>()(
    z.looseObject({
      catalog_version: keywords.later(() => CatalogVersion),
      currency: keywords.later(() => Currency),
    }),
  );

/** Rises with any change of the catalog; 0 while there is none. */
export const CatalogVersion: z.ZodType<types.CatalogVersion> =
  keywords.says<types.CatalogVersion>()(z.int().min(0));

/** A currency of the catalog. */
export const Currency: z.ZodType<types.Currency> = keywords.says<types.Currency>()(
  z.looseObject({
    id: CatalogCurrencyId,
    code: CurrencyCode,
    symbol: CurrencySymbol,
    name: CurrencyName,
    asset_class: z.enum(["coin", "stablecoin", "token"]),
    is_usd_stablecoin: z.boolean(),
    accounting_decimals: z.int32().min(0).max(36),
    status: z.string(),
    deployments: keywords.array(keywords.later(() => Deployment)),
  }),
);

/** A currency on one chain. */
export const Deployment: z.ZodType<types.Deployment> = keywords.says<types.Deployment>()(
  z.looseObject({
    id: DeploymentId,
    deployment_version: z.int().min(1),
    chain_id: ChainId,
    chain_family: z.enum(["evm", "solana", "bitcoin", "tron"]),
    asset_kind: AssetKind,
    asset_locator: z
      .string()
      .regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}\/[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}$/u),
    token_standard: TokenStandard,
    decimals: Decimals,
    listing_status: z.string(),
    deposit_enabled: z.boolean(),
    withdrawal_enabled: z.boolean(),
    capabilities: keywords.array(keywords.later(() => Capability)),
  }),
);

/** Something a deployment can do, as the last on-chain probe found it. */
export const Capability: z.ZodType<types.Capability> = keywords.says<types.Capability>()(
  combinations.allOf(
    z.looseObject({
      scope: z.enum(["deposit", "withdrawal", "x402", "subscription"]),
      key: z.enum([
        "finality",
        "eip3009",
        "permit2",
        "permit2_upto_proxy",
        "eip2612",
        "erc681_uri",
        "transfer_fee",
        "blocklist",
        "pausable",
      ]),
      status: z.enum(["supported", "degraded", "unsupported", "unverified"]),
      parameters: z.looseObject({
        confirmations: z.int32().min(1).max(100000).exactOptional(),
        rule: z.enum(["depth", "safe", "finalized"]).exactOptional(),
        high_value_raw: RawAmount.exactOptional(),
        domain_name: z
          .string()
          .check(keywords.minLength(1), keywords.maxLength(100))
          .exactOptional(),
        domain_version: z
          .string()
          .check(keywords.minLength(1), keywords.maxLength(100))
          .exactOptional(),
        domain_separator: z
          .string()
          .regex(/^0x[0-9a-f]{64}$/u)
          .exactOptional(),
        address: ContractAddress.exactOptional(),
        least_raw: RawAmount.exactOptional(),
        raw_per_coin: RawAmount.exactOptional(),
      }),
      evidence_version: z.int().min(1),
      delivery: keywords.later(() => CapabilityDelivery).nullable(),
    }),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              key: z.literal("finality").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                scope: z.enum(["deposit", "withdrawal"]).exactOptional(),
                parameters: keywords
                  .byType(
                    {
                      object: combinations.also(
                        z.looseObject({
                          confirmations: keywords.anything(),
                          rule: keywords.anything(),
                          high_value_raw: keywords.anything(),
                        }),
                        objects.maxProperties(3),
                      ),
                    },
                    "allowed",
                  )
                  .exactOptional(),
                delivery: z.null().exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              key: z.enum(["eip3009", "eip2612"]).exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                scope: z.enum(["x402", "subscription"]).exactOptional(),
                parameters: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        domain_name: keywords.anything(),
                        domain_version: keywords.anything(),
                        domain_separator: keywords.anything(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
                delivery: z.looseObject({}).exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              key: z.enum(["permit2", "permit2_upto_proxy"]).exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                scope: z.enum(["x402", "subscription"]).exactOptional(),
                parameters: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        address: keywords.anything(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
                delivery: z
                  .looseObject({
                    contract_address: keywords.anything(),
                  })
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              key: z.enum(["erc681_uri", "transfer_fee", "blocklist", "pausable"]).exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                scope: z.enum(["deposit", "withdrawal"]).exactOptional(),
                parameters: keywords
                  .byType(
                    { object: combinations.also(z.looseObject({}), objects.maxProperties(0)) },
                    "allowed",
                  )
                  .exactOptional(),
                delivery: z.null().exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
  ),
);

/** How a capability is exercised. */
export const CapabilityDelivery: z.ZodType<types.CapabilityDelivery> =
  keywords.says<types.CapabilityDelivery>()(
    z.looseObject({
      mode: z.enum(["native", "relayed", "contract"]),
      contract_address: ContractAddress.exactOptional(),
    }),
  );

/** Every currency the merchant accepts from now on. */
export const ReplaceCurrencyAcceptanceRequest: z.ZodType<types.ReplaceCurrencyAcceptanceRequest> =
  keywords.says<types.ReplaceCurrencyAcceptanceRequest>()(
    z.strictObject({
      currencies: objects
        .map(keywords.later(() => AcceptedCurrencyRequest))
        .check(
          objects.propertyNames(
            keywords.byType({ string: z.string().check(keywords.maxLength(128)) }, "allowed"),
          ),
        ),
    }),
  );

/** On which chains a currency is to be accepted. */
export const AcceptedCurrencyRequest: z.ZodType<types.AcceptedCurrencyRequest> =
  keywords.says<types.AcceptedCurrencyRequest>()(
    z.strictObject({
      chain_ids: keywords.array(z.string().check(keywords.maxLength(128))).exactOptional(),
    }),
  );

/** What the merchant accepts. */
export const CurrencyAcceptance: z.ZodType<types.CurrencyAcceptance> =
  keywords.says<types.CurrencyAcceptance>()(
    z.looseObject({
      catalog_version: CatalogVersion,
      currencies: objects
        .map(keywords.later(() => AcceptedCurrency))
        .check(objects.propertyNames(CatalogCurrencyId)),
    }),
  );

/** On which chains a currency is accepted. */
export const AcceptedCurrency: z.ZodType<types.AcceptedCurrency> =
  keywords.says<types.AcceptedCurrency>()(
    z.looseObject({
      chain_ids: keywords.array(ChainId).check(keywords.minItems(1), keywords.uniqueItems()),
    }),
  );

/** What was really used of an upto payment. */
export const ReportX402UsageRequest: z.ZodType<types.ReportX402UsageRequest> =
  keywords.says<types.ReportX402UsageRequest>()(
    z.strictObject({
      actual_amount: DecimalAmount,
      usage_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      evidence: z.looseObject({}),
    }),
  );

/** The recorded usage of an upto payment. */
export const X402Usage: z.ZodType<types.X402Usage> = keywords.says<types.X402Usage>()(
  z.looseObject({
    payment_id: PaymentId,
    scheme: z.literal("upto"),
    max_raw: RawAmount,
    actual_raw: RawAmount,
    usage_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
  }),
);

/** A payment and the payer's signed authorization for it. */
export const SettleX402PaymentRequest: z.ZodType<types.SettleX402PaymentRequest> =
  keywords.says<types.SettleX402PaymentRequest>()(
    z.strictObject({
      payment_id: z.string().check(keywords.maxLength(128)),
      payment_payload: combinations.oneOf(
        keywords.later(() => Eip3009Payload),
        keywords.later(() => Permit2Payload),
      ),
      payment_requirements: keywords.later(() => X402PaymentRequirements),
    }),
  );

/** The payer's signature, 65 bytes: r, s in its lower half, and v as 27 or 28 (0 and 1 are taken too). */
export const X402Signature: z.ZodType<types.X402Signature> = keywords.says<types.X402Signature>()(
  z.string().regex(/^0x[0-9a-fA-F]{130}$/u),
);

/** A transfer authorization that the token itself understands (EIP-3009). */
export const Eip3009Payload: z.ZodType<types.Eip3009Payload> =
  keywords.says<types.Eip3009Payload>()(
    z.strictObject({
      signature: X402Signature,
      authorization: keywords.later(() => Eip3009Authorization),
    }),
  );

/** The signed message `TransferWithAuthorization`. */
export const Eip3009Authorization: z.ZodType<types.Eip3009Authorization> =
  keywords.says<types.Eip3009Authorization>()(
    z.strictObject({
      from: z.string().check(keywords.maxLength(128)),
      to: z.string().check(keywords.maxLength(128)),
      value: RawAmount,
      valid_after: z.int().min(0),
      valid_before: z.int().min(0),
      nonce: z.string().check(keywords.maxLength(128)),
    }),
  );

/** A Permit2 transfer with a witness, through the exact or the upto proxy. */
export const Permit2Payload: z.ZodType<types.Permit2Payload> =
  keywords.says<types.Permit2Payload>()(
    z.strictObject({
      signature: X402Signature,
      permit2_authorization: keywords.later(() => Permit2Authorization),
    }),
  );

/** The signed message `PermitWitnessTransferFrom`. */
export const Permit2Authorization: z.ZodType<types.Permit2Authorization> =
  keywords.says<types.Permit2Authorization>()(
    z.strictObject({
      permitted: keywords.later(() => Permit2TokenPermission),
      from: z.string().check(keywords.maxLength(128)),
      spender: z.string().check(keywords.maxLength(128)),
      nonce: RawAmount,
      deadline: z.int().min(0),
      witness: keywords.later(() => Permit2Witness),
    }),
  );

/** What may be moved. */
export const Permit2TokenPermission: z.ZodType<types.Permit2TokenPermission> =
  keywords.says<types.Permit2TokenPermission>()(
    z.strictObject({
      token: z.string().check(keywords.maxLength(128)),
      amount: RawAmount,
    }),
  );

/** What the payer binds the permission to. */
export const Permit2Witness: z.ZodType<types.Permit2Witness> =
  keywords.says<types.Permit2Witness>()(
    z.strictObject({
      to: z.string().check(keywords.maxLength(128)),
      valid_after: z.int().min(0),
      facilitator: z.string().check(keywords.maxLength(128)).exactOptional(),
    }),
  );

/** The requirements the payer answered. */
export const X402PaymentRequirements: z.ZodType<types.X402PaymentRequirements> =
  keywords.says<types.X402PaymentRequirements>()(
    z.strictObject({
      scheme: z.enum(["exact", "upto"]),
      network: z.string().check(keywords.maxLength(128)),
      asset: z.string().check(keywords.maxLength(128)),
      pay_to: z.string().check(keywords.maxLength(128)),
      max_amount_required: RawAmount,
      resource: z.string().check(keywords.maxLength(2048), keywords.format("uri")),
      nonce: z.string().check(keywords.maxLength(128)),
      valid_before: z.int().min(0),
      extra: keywords.anything().exactOptional(),
    }),
  );

/** What became of the authorization. */
export const X402Settlement: z.ZodType<types.X402Settlement> =
  keywords.says<types.X402Settlement>()(
    z.looseObject({
      success: z.boolean(),
      tx_hash: z.string().regex(/^(0x[0-9a-f]{64})?$/u),
      payment_id: PaymentId,
    }),
  );

/** An authorization that was settled on the chain, and where. */
export const SettledX402Payment: z.ZodType<types.SettledX402Payment> =
  keywords.says<types.SettledX402Payment>()(
    combinations.allOf(
      X402Settlement,
      z.looseObject({
        success: z.literal(true),
        tx_hash: z.string().check(keywords.minLength(66), keywords.maxLength(66)),
      }),
    ),
  );

/** An authorization whose outcome is not known yet, or which waits. */
export const UnsettledX402Payment: z.ZodType<types.UnsettledX402Payment> =
  keywords.says<types.UnsettledX402Payment>()(
    combinations.allOf(
      X402Settlement,
      z.looseObject({
        success: z.literal(false),
      }),
    ),
  );

/** Something that happened to a resource of the merchant. */
export const WebhookEvent: z.ZodType<types.WebhookEvent> = keywords.says<types.WebhookEvent>()(
  combinations.oneOf(
    keywords.later(() => PaymentEvent),
    keywords.later(() => X402Event),
    keywords.later(() => WithdrawalEvent),
    keywords.later(() => WithdrawAddressEvent),
    keywords.later(() => PayoutScheduleEvent),
    keywords.later(() => SubscriptionEvent),
    keywords.later(() => CurrencyAcceptanceEvent),
    keywords.later(() => SplitConsentEvent),
    keywords.later(() => WebhookEndpointEvent),
  ),
);

/** What every event has. */
export const EventEnvelope: z.ZodType<types.EventEnvelope> = keywords.says<types.EventEnvelope>()(
  z.looseObject({
    id: z.string().regex(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/u),
    timestamp: Timestamp,
    api_version: z.literal("v1"),
    merchant_id: keywords.later(() => MerchantId),
    sequence: z.int().min(1),
    type: keywords.anything(),
    resource: keywords.anything(),
    data: keywords.anything(),
  }),
);

/** Something happened to a payment. */
export const PaymentEvent: z.ZodType<types.PaymentEvent> = keywords.says<types.PaymentEvent>()(
  combinations.allOf(
    EventEnvelope,
    z.looseObject({
      type: z.enum([
        "payment.created",
        "payment.cancelled",
        "payment.partially_paid",
        "payment.confirming",
        "payment.paid",
        "payment.overpaid",
        "payment.underpaid",
        "payment.expired",
        "payment.paid_late",
        "payment.deposit_after_close",
        "payment.reorged",
        "payment.reversed",
        "payment.restored",
      ]),
      resource: z.looseObject({
        type: z.literal("payment"),
        id: PaymentId,
      }),
      data: keywords.later(() => PaymentEventData),
    }),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.created").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("pending").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.cancelled").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("cancelled").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.partially_paid").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("partially_paid").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.confirming").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("confirming").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.paid").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("paid").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.overpaid").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("overpaid").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.underpaid").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("underpaid").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.expired").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("expired").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.paid_late").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("paid_late").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.reversed").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.literal("reversed").exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z.literal("payment.restored").exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        status: z.enum(["paid", "overpaid", "paid_late"]).exactOptional(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
    keywords.anything().check(
      combinations.conditional(
        keywords.byType(
          {
            object: z.looseObject({
              type: z
                .enum([
                  "payment.partially_paid",
                  "payment.confirming",
                  "payment.paid",
                  "payment.overpaid",
                  "payment.paid_late",
                  "payment.deposit_after_close",
                ])
                .exactOptional(),
            }),
          },
          "allowed",
        ),
        {
          then: keywords.byType(
            {
              object: z.looseObject({
                data: keywords
                  .byType(
                    {
                      object: z.looseObject({
                        tx_hash: keywords.anything(),
                        confirmations: keywords.anything(),
                        deposit: keywords.anything(),
                      }),
                    },
                    "allowed",
                  )
                  .exactOptional(),
              }),
            },
            "allowed",
          ),
        },
      ),
    ),
  ),
);

/** Something happened to the x402 authorization of a payment. */
export const X402Event: z.ZodType<types.X402Event> = keywords.says<types.X402Event>()(
  combinations.allOf(
    EventEnvelope,
    z.looseObject({
      type: z.enum([
        "x402.authorized",
        "x402.settlement_submitted",
        "x402.settled",
        "x402.settlement_failed",
        "x402.usage_reported",
        "x402.released",
      ]),
      resource: z.looseObject({
        type: z.literal("payment"),
        id: PaymentId,
      }),
      data: keywords.later(() => X402EventData),
    }),
  ),
);

/** Something happened to a withdrawal. */
export const WithdrawalEvent: z.ZodType<types.WithdrawalEvent> =
  keywords.says<types.WithdrawalEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.enum([
          "withdrawal.requested",
          "withdrawal.cancelled",
          "withdrawal.processing",
          "withdrawal.broadcast",
          "withdrawal.confirmed",
          "withdrawal.failed",
          "withdrawal.rejected",
        ]),
        resource: z.looseObject({
          type: z.literal("withdrawal"),
          id: WithdrawalId,
        }),
        data: keywords.later(() => WithdrawalEventData),
      }),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.requested").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("pending").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.cancelled").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("cancelled").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.processing").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("processing").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.broadcast").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("broadcast").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.confirmed").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("confirmed").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.failed").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("failed").exactOptional(),
                          reason: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("withdrawal.rejected").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("rejected").exactOptional(),
                          reason: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
    ),
  );

/** A withdraw address is there, or can be used. */
export const WithdrawAddressEvent: z.ZodType<types.WithdrawAddressEvent> =
  keywords.says<types.WithdrawAddressEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.enum(["withdraw_address.registered", "withdraw_address.activated"]),
        resource: z.looseObject({
          type: z.literal("withdraw_address"),
          id: WithdrawAddressId,
        }),
        data: WithdrawAddress,
      }),
    ),
  );

/** Something happened to a payout schedule, or one of its runs is due. */
export const PayoutScheduleEvent: z.ZodType<types.PayoutScheduleEvent> =
  keywords.says<types.PayoutScheduleEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.enum([
          "payout_schedule.created",
          "payout_schedule.paused",
          "payout_schedule.retired",
          "payout_schedule.due",
          "payout_schedule.run_requested",
          "payout_schedule.run_skipped",
        ]),
        resource: z.looseObject({
          type: z.literal("payout_schedule"),
          id: PayoutScheduleId,
        }),
        data: keywords.later(() => PayoutScheduleEventData),
      }),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("payout_schedule.created").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("active").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("payout_schedule.paused").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("paused").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("payout_schedule.retired").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("retired").exactOptional(),
                          retired_at: keywords.anything(),
                          reason: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("payout_schedule.due").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          slot: keywords.anything(),
                          missed_runs: keywords.anything(),
                          send_amount_raw: keywords.anything(),
                          withdrawal_fee_raw: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("payout_schedule.run_requested").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          slot: keywords.anything(),
                          missed_runs: keywords.anything(),
                          withdrawal_id: keywords.anything(),
                          send_amount_raw: keywords.anything(),
                          withdrawal_fee_raw: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("payout_schedule.run_skipped").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          slot: keywords.anything(),
                          missed_runs: keywords.anything(),
                          reason: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
    ),
  );

/** Something happened to a subscription. */
export const SubscriptionEvent: z.ZodType<types.SubscriptionEvent> =
  keywords.says<types.SubscriptionEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.enum([
          "subscription.billed",
          "subscription.past_due",
          "subscription.cancelled",
          "subscription.expired",
        ]),
        resource: z.looseObject({
          type: z.literal("subscription"),
          id: SubscriptionId,
        }),
        data: keywords.later(() => SubscriptionEventData),
      }),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("subscription.billed").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          period_start: keywords.anything(),
                          try: keywords.anything(),
                          missed_periods: keywords.anything(),
                          bill_amount: keywords.anything(),
                          payment_id: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("subscription.past_due").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("past_due").exactOptional(),
                          period_start: keywords.anything(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("subscription.cancelled").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("cancelled").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("subscription.expired").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("expired").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
    ),
  );

/** The merchant accepts other currencies. */
export const CurrencyAcceptanceEvent: z.ZodType<types.CurrencyAcceptanceEvent> =
  keywords.says<types.CurrencyAcceptanceEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.literal("currency_acceptance.updated"),
        resource: z.looseObject({
          type: z.literal("currency_acceptance"),
          id: keywords.later(() => MerchantId),
        }),
        data: CurrencyAcceptance,
      }),
    ),
  );

/** A merchant may give this one a share of its payments, or no longer. */
export const SplitConsentEvent: z.ZodType<types.SplitConsentEvent> =
  keywords.says<types.SplitConsentEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.enum(["split_consent.granted", "split_consent.ended"]),
        resource: z.looseObject({
          type: z.literal("split_consent"),
          id: keywords.later(() => MerchantId),
        }),
        data: keywords.later(() => SplitConsentEventData),
      }),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("split_consent.granted").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("granted").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("split_consent.ended").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          status: z.literal("ended").exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
    ),
  );

/** Somebody changed an endpoint; the other endpoints hear of it. */
export const WebhookEndpointEvent: z.ZodType<types.WebhookEndpointEvent> =
  keywords.says<types.WebhookEndpointEvent>()(
    combinations.allOf(
      EventEnvelope,
      z.looseObject({
        type: z.enum([
          "webhook_endpoint.updated",
          "webhook_endpoint.secret_rotated",
          "webhook_endpoint.disabled",
        ]),
        resource: z.looseObject({
          type: z.literal("webhook_endpoint"),
          id: WebhookEndpointId,
        }),
        data: keywords.later(() => WebhookEndpointEventData),
      }),
      keywords.anything().check(
        combinations.conditional(
          keywords.byType(
            {
              object: z.looseObject({
                type: z.literal("webhook_endpoint.disabled").exactOptional(),
              }),
            },
            "allowed",
          ),
          {
            then: keywords.byType(
              {
                object: z.looseObject({
                  data: keywords
                    .byType(
                      {
                        object: z.looseObject({
                          active: z.literal(false).exactOptional(),
                        }),
                      },
                      "allowed",
                    )
                    .exactOptional(),
                }),
              },
              "allowed",
            ),
          },
        ),
      ),
    ),
  );

/** A merchant. */
export const MerchantId: z.ZodType<types.MerchantId> = keywords.says<types.MerchantId>()(
  z.string().regex(/^mer_[0-9A-HJKMNP-TV-Z]{26}$/u),
);

/** The payment, with what has come for it. */
export const PaymentEventData: z.ZodType<types.PaymentEventData> =
  keywords.says<types.PaymentEventData>()(
    z.looseObject({
      id: PaymentId,
      status: PaymentStatus,
      expires_at: Timestamp,
      merchant_order_no: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      user_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)).nullable(),
      memo: z.string().check(keywords.maxLength(2048)).nullable(),
      quotes: objects
        .map(keywords.later(() => QuoteOfEvent))
        .check(objects.maxProperties(64), objects.propertyNames(CatalogCurrencyId)),
      deployments_left_out: z.int32().min(1).max(99999).exactOptional(),
      tx_hash: TransactionHash.nullable().exactOptional(),
      confirmations: z.int().min(0).nullable().exactOptional(),
      deposit: keywords
        .later(() => DepositOfEvent)
        .nullable()
        .exactOptional(),
      x402: keywords.later(() => X402AuthorizationOfEvent).exactOptional(),
    }),
  );

/** The payment, and its authorization. */
export const X402EventData: z.ZodType<types.X402EventData> = keywords.says<types.X402EventData>()(
  combinations.allOf(
    PaymentEventData,
    z.looseObject({
      tx_hash: keywords.anything(),
      confirmations: keywords.anything(),
      deposit: keywords.anything(),
      x402: keywords.anything(),
    }),
  ),
);

/** The price in one currency, and what came on each chain. */
export const QuoteOfEvent: z.ZodType<types.QuoteOfEvent> = keywords.says<types.QuoteOfEvent>()(
  z.looseObject({
    amount: CanonicalAmount,
    code: CurrencyCode,
    symbol: CurrencySymbol,
    name: CurrencyName,
    deployments: keywords
      .array(keywords.later(() => DeploymentQuoteOfEvent))
      .check(keywords.minItems(1)),
  }),
);

/** The price on one chain, and what came there. */
export const DeploymentQuoteOfEvent: z.ZodType<types.DeploymentQuoteOfEvent> =
  keywords.says<types.DeploymentQuoteOfEvent>()(
    combinations.allOf(
      DeploymentQuote,
      z.looseObject({
        due_raw: RawAmount,
        received_raw: RawAmount,
      }),
    ),
  );

/** Money that came. */
export const DepositOfEvent: z.ZodType<types.DepositOfEvent> =
  keywords.says<types.DepositOfEvent>()(
    z.looseObject({
      currency_chain_id: DeploymentId,
      chain_id: ChainId,
      amount_raw: RawAmount,
      sender: ContractAddress.nullable(),
      is_unmatched: z.boolean(),
    }),
  );

/** The authorization of a payment; before there is one, what was reported of its usage alone. */
export const X402AuthorizationOfEvent: z.ZodType<types.X402AuthorizationOfEvent> =
  keywords.says<types.X402AuthorizationOfEvent>()(
    z.looseObject({
      scheme: z.enum(["exact", "upto"]).exactOptional(),
      network: ChainId.exactOptional(),
      currency_chain_id: DeploymentId.exactOptional(),
      asset: ContractAddress.exactOptional(),
      payer: ContractAddress.exactOptional(),
      pay_to: ContractAddress.exactOptional(),
      nonce: z
        .string()
        .regex(/^0x[0-9a-f]{64}$/u)
        .exactOptional(),
      max_raw: RawAmount,
      tx_hash: z
        .string()
        .regex(/^(0x[0-9a-f]{64})?$/u)
        .exactOptional(),
      refund_raw: RawAmount.nullable().exactOptional(),
      reason: z
        .string()
        .regex(/^[a-z0-9_]{1,128}$/u)
        .nullable()
        .exactOptional(),
      actual_raw: RawAmount.exactOptional(),
      usage_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)).exactOptional(),
      evidence_hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/u)
        .exactOptional(),
    }),
  );

/** The withdrawal, with its transaction. */
export const WithdrawalEventData: z.ZodType<types.WithdrawalEventData> =
  keywords.says<types.WithdrawalEventData>()(
    combinations.allOf(
      Withdrawal,
      z.looseObject({
        tx_hash: TransactionHash.nullable(),
        reason: z.string().check(keywords.minLength(1), keywords.maxLength(200)).exactOptional(),
      }),
    ),
  );

/** The schedule, with what became of it or of the run. */
export const PayoutScheduleEventData: z.ZodType<types.PayoutScheduleEventData> =
  keywords.says<types.PayoutScheduleEventData>()(
    combinations.allOf(
      PayoutSchedule,
      z.looseObject({
        retired_at: Timestamp.exactOptional(),
        replaced_by: PayoutScheduleId.exactOptional(),
        reason: z
          .string()
          .regex(/^[a-z0-9_]{1,64}$/u)
          .exactOptional(),
        slot: Timestamp.exactOptional(),
        missed_runs: z.int().min(0).exactOptional(),
        withdrawal_id: WithdrawalId.exactOptional(),
        send_amount_raw: RawAmount.exactOptional(),
        withdrawal_fee_raw: RawAmount.exactOptional(),
      }),
    ),
  );

/** The subscription, with the bill. */
export const SubscriptionEventData: z.ZodType<types.SubscriptionEventData> =
  keywords.says<types.SubscriptionEventData>()(
    combinations.allOf(
      Subscription,
      z.looseObject({
        period_start: Timestamp.exactOptional(),
        try: z.int32().min(1).max(1000).exactOptional(),
        missed_periods: z.int().min(0).exactOptional(),
        bill_amount: CanonicalAmount.exactOptional(),
        payment_id: PaymentId.nullable().exactOptional(),
        checkout_url: z
          .string()
          .regex(/^https?:\/\/[^/?#]+\/checkout\/([a-z]{1,12}\.)?[A-Za-z0-9_-]{22}$/u)
          .check(keywords.format("uri"))
          .exactOptional(),
        refused: z
          .string()
          .regex(/^[a-z0-9_]{1,64}$/u)
          .exactOptional(),
      }),
    ),
  );

/** Who may give the merchant a share. */
export const SplitConsentEventData: z.ZodType<types.SplitConsentEventData> =
  keywords.says<types.SplitConsentEventData>()(
    z.looseObject({
      creator_id: MerchantId,
      status: z.enum(["granted", "ended"]),
    }),
  );

/** The endpoint, without its secret. */
export const WebhookEndpointEventData: z.ZodType<types.WebhookEndpointEventData> =
  keywords.says<types.WebhookEndpointEventData>()(
    combinations.allOf(
      WebhookEndpoint,
      z.looseObject({
        reason: z.enum(["failing", "gone"]).exactOptional(),
      }),
    ),
  );
