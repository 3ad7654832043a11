// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import * as combinations from "./runtime/combinations.ts";
import * as keywords from "./runtime/keywords.ts";
import * as objects from "./runtime/objects.ts";
import type * as types from "./types.ts";

/** An amount in whole units of the asset. */
export const DecimalAmount: z.ZodType<types.DecimalAmount> = keywords.says<types.DecimalAmount>()(
  z
    .string()
    .regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/u)
    .check(keywords.maxLength(128)),
);

/** An integer in the smallest unit of the asset, at most 2^256-1: the last part of the pattern is that bound, digit by digit. */
export const RawAmount: z.ZodType<types.RawAmount> = keywords.says<types.RawAmount>()(
  z
    .string()
    .regex(
      /^(0|[1-9][0-9]{0,76}|1(0[0-9]{76}|1([0-4][0-9]{75}|5([0-6][0-9]{74}|7([0-8][0-9]{73}|9([0-1][0-9]{72}|20([0-7][0-9]{70}|8([0-8][0-9]{69}|9([0-1][0-9]{68}|2([0-2][0-9]{67}|3([0-6][0-9]{66}|7([0-2][0-9]{65}|3(0[0-9]{64}|1([0-5][0-9]{63}|6(0[0-9]{62}|1([0-8][0-9]{61}|9([0-4][0-9]{60}|5([0-3][0-9]{59}|4([0-1][0-9]{58}|2([0-2][0-9]{57}|3([0-4][0-9]{56}|5([0-6][0-9]{55}|70([0-8][0-9]{53}|9([0-7][0-9]{52}|8([0-4][0-9]{51}|500([0-7][0-9]{48}|8([0-5][0-9]{47}|6([0-7][0-9]{46}|8([0-6][0-9]{45}|7([0-8][0-9]{44}|90([0-6][0-9]{42}|7([0-7][0-9]{41}|8([0-4][0-9]{40}|5([0-2][0-9]{39}|3([0-1][0-9]{38}|2([0-5][0-9]{37}|6([0-8][0-9]{36}|9([0-8][0-9]{35}|9([0-7][0-9]{34}|8([0-3][0-9]{33}|4([0-5][0-9]{32}|6([0-5][0-9]{31}|6([0-4][0-9]{30}|5([0-5][0-9]{29}|6([0-3][0-9]{28}|40([0-4][0-9]{26}|5([0-5][0-9]{25}|6([0-3][0-9]{24}|40([0-2][0-9]{22}|3([0-8][0-9]{21}|9([0-3][0-9]{20}|4([0-4][0-9]{19}|5([0-6][0-9]{18}|7([0-4][0-9]{17}|5([0-7][0-9]{16}|8([0-3][0-9]{15}|400([0-6][0-9]{12}|7([0-8][0-9]{11}|9(0[0-9]{10}|1([0-2][0-9]{9}|3(0[0-9]{8}|1([0-1][0-9]{7}|2([0-8][0-9]{6}|9([0-5][0-9]{5}|6([0-2][0-9]{4}|3([0-8][0-9]{3}|9([0-8][0-9]{2}|9([0-2][0-9]|3[0-5]))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))$/u,
    ),
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
      .regex(/^[!-~]+$/u)
      .check(keywords.minLength(1), keywords.maxLength(128)),
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
  z.looseObject({
    code: z.string(),
    message: z.string(),
    details: z
      .looseObject({
        request_id: z.string().exactOptional(),
        violations: keywords.array(keywords.later(() => Violation)).exactOptional(),
      })
      .exactOptional(),
  }),
);

/** One place where a request breaks the contract, or the rules behind it. */
export const Violation: z.ZodType<types.Violation> = keywords.says<types.Violation>()(
  z.looseObject({
    in: z.enum(["body", "query", "path", "header"]),
    pointer: z.string(),
    rule: z.string(),
    message: z.string(),
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
      id: z.string(),
      secret: keywords.later(() => WebhookSecret),
      event_types: EventTypes,
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
      id: z.string(),
      url: z.string().check(keywords.format("uri")),
      event_types: EventTypes,
      active: z.boolean(),
      created_at: z.string().check(keywords.format("date-time")),
    }),
  );

/** The new secret of an endpoint. */
export const RotatedWebhookEndpointSecret: z.ZodType<types.RotatedWebhookEndpointSecret> =
  keywords.says<types.RotatedWebhookEndpointSecret>()(
    z.looseObject({
      id: z.string(),
      secret: keywords.later(() => WebhookSecret),
    }),
  );

/** The secret that signs deliveries: `whsec_` and the base64 of the 32 key bytes. */
export const WebhookSecret: z.ZodType<types.WebhookSecret> = keywords.says<types.WebhookSecret>()(
  z.string().check(keywords.minLength(1)),
);

/** Recent deliveries. */
export const WebhookDeliveryList: z.ZodType<types.WebhookDeliveryList> =
  keywords.says<types.WebhookDeliveryList>()(
    z.looseObject({
      deliveries: keywords.array(keywords.later(() => WebhookDelivery)),
    }),
  );

/** The sending of one event to one endpoint. */
export const WebhookDelivery: z.ZodType<types.WebhookDelivery> =
  keywords.says<types.WebhookDelivery>()(
    z.looseObject({
      id: z.string(),
      event_type: z.string(),
      status: z.string(),
      attempts: z.int32(),
      created_at: z.string().check(keywords.format("date-time")),
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
      checkout_url: z.string().check(keywords.format("uri")),
    }),
  ),
);

/** A payment. */
export const PaymentWithoutCheckout: z.ZodType<types.PaymentWithoutCheckout> =
  keywords.says<types.PaymentWithoutCheckout>()(
    z.looseObject({
      id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      status: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      quotes: objects.map(keywords.later(() => Quote)).check(objects.minProperties(1)),
      expires_at: z.string().check(keywords.format("date-time")),
      merchant_order_no: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    }),
  );

/** The price in one currency, and where it can be paid. */
export const Quote: z.ZodType<types.Quote> = keywords.says<types.Quote>()(
  z.looseObject({
    amount: DecimalAmount,
    code: z.string(),
    symbol: z.string(),
    name: z.string(),
    deployments: keywords.array(keywords.later(() => DeploymentQuote)).check(keywords.minItems(1)),
  }),
);

/** The price on one chain. */
export const DeploymentQuote: z.ZodType<types.DeploymentQuote> =
  keywords.says<types.DeploymentQuote>()(
    z.looseObject({
      currency_chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
      decimals: z.int32(),
      raw_amount: RawAmount,
      asset_kind: AssetKind,
      token_standard: TokenStandard,
      contract_address: z.string().nullable(),
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
    id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    currency_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    currency_chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    target_chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    send_amount_raw: RawAmount,
    withdrawal_fee_raw: RawAmount,
    total_debit_raw: RawAmount,
    status: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
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
      id: z.string(),
      chain_id: z.string(),
      address: z.string(),
      destination_type: DestinationType,
      label: z.string().nullable(),
      status: z.string(),
      activates_at: z.string().check(keywords.format("date-time")),
      created_at: z.string().check(keywords.format("date-time")),
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
      id: z.string(),
      currency_id: z.string(),
      currency_chain_id: z.string(),
      target_chain_id: z.string(),
      withdraw_address_id: z.string(),
      interval_secs: z.int(),
      min_send_amount: DecimalAmount,
      min_send_raw: RawAmount,
      mode: PayoutMode,
      status: PayoutScheduleStatus,
      enabled: z.boolean(),
      next_run_at: z.string().check(keywords.format("date-time")),
      created_at: z.string().check(keywords.format("date-time")),
      updated_at: z.string().check(keywords.format("date-time")),
    }),
  );

/** A payout schedule that is not running. */
export const PausedPayoutSchedule: z.ZodType<types.PausedPayoutSchedule> =
  keywords.says<types.PausedPayoutSchedule>()(
    combinations.allOf(
      PayoutSchedule,
      z.looseObject({
        retired_at: z.string().check(keywords.format("date-time")).nullable(),
      }),
    ),
  );

/** One page of payout schedules. */
export const PayoutScheduleList: z.ZodType<types.PayoutScheduleList> =
  keywords.says<types.PayoutScheduleList>()(
    z.looseObject({
      schedules: keywords.array(PayoutSchedule),
    }),
  );

/** A customer's recurring payment. */
export const Subscription: z.ZodType<types.Subscription> = keywords.says<types.Subscription>()(
  z.looseObject({
    id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    status: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    amount: DecimalAmount,
    interval_secs: z.int(),
    currency_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    currency_chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    chain_id: z.string().check(keywords.minLength(1), keywords.maxLength(128)),
    next_bill_at: z.string().check(keywords.format("date-time")).nullable(),
  }),
);

/** One page of the catalog. */
export const CurrencyList: z.ZodType<types.CurrencyList> = keywords.says<types.CurrencyList>()(
  z.looseObject({
    catalog_version: keywords.later(() => CatalogVersion),
    currencies: keywords.array(keywords.later(() => Currency)),
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

/** Rises with any change of the catalog. */
export const CatalogVersion: z.ZodType<types.CatalogVersion> =
  keywords.says<types.CatalogVersion>()(z.int());

/** A currency of the catalog. */
export const Currency: z.ZodType<types.Currency> = keywords.says<types.Currency>()(
  z.looseObject({
    id: z.string(),
    code: z.string(),
    symbol: z.string(),
    name: z.string(),
    asset_class: z.enum(["coin", "stablecoin", "token"]),
    is_usd_stablecoin: z.boolean(),
    accounting_decimals: z.int32(),
    status: z.string(),
    deployments: keywords.array(keywords.later(() => Deployment)),
  }),
);

/** A currency on one chain. */
export const Deployment: z.ZodType<types.Deployment> = keywords.says<types.Deployment>()(
  z.looseObject({
    id: z.string(),
    deployment_version: z.int(),
    chain_id: z.string(),
    chain_family: z.enum(["evm", "solana", "bitcoin", "tron"]),
    asset_kind: AssetKind,
    asset_locator: z.string(),
    token_standard: TokenStandard,
    decimals: z.int32(),
    listing_status: z.string(),
    deposit_enabled: z.boolean(),
    withdrawal_enabled: z.boolean(),
    capabilities: keywords.array(keywords.later(() => Capability)),
  }),
);

/** Something a deployment can do, as the last on-chain probe found it. */
export const Capability: z.ZodType<types.Capability> = keywords.says<types.Capability>()(
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
    parameters: z.looseObject({}),
    evidence_version: z.int(),
    delivery: keywords.later(() => CapabilityDelivery).nullable(),
  }),
);

/** How a capability is exercised. */
export const CapabilityDelivery: z.ZodType<types.CapabilityDelivery> =
  keywords.says<types.CapabilityDelivery>()(
    z.looseObject({
      mode: z.enum(["native", "relayed", "contract"]),
      contract_address: z.string().exactOptional(),
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
      currencies: objects.map(keywords.later(() => AcceptedCurrency)),
    }),
  );

/** On which chains a currency is accepted. */
export const AcceptedCurrency: z.ZodType<types.AcceptedCurrency> =
  keywords.says<types.AcceptedCurrency>()(
    z.looseObject({
      chain_ids: keywords.array(z.string()),
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
    payment_id: z.string(),
    scheme: z.literal("upto"),
    max_raw: RawAmount,
    actual_raw: RawAmount,
    usage_id: z.string(),
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
      tx_hash: z.string(),
      payment_id: z.string(),
    }),
  );

/** Something that happened to a resource of the merchant. */
export const WebhookEvent: z.ZodType<types.WebhookEvent> = keywords.says<types.WebhookEvent>()(
  z.looseObject({
    id: z.string(),
    type: EventType,
    timestamp: z.string().check(keywords.format("date-time")),
    api_version: z.literal("v1"),
    merchant_id: z.string(),
    sequence: z.int().min(1),
    resource: z.looseObject({
      type: z.string(),
      id: z.string(),
    }),
    data: z.looseObject({}),
  }),
);
