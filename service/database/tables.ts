// The tables as the query builder sees them; adapters/database/migrations/ is where they are made.
// Types are those of values as they come back from both engines: timestamptz as Date, bigint as
// bigint, bytea as Uint8Array, jsonb parsed. Columns with a default may be left out of an insert.

import type { AuditTables } from "./tables/audit.ts";
import type { CatalogTables } from "./tables/catalog.ts";
import type { ChainOperationTables } from "./tables/chain-operations.ts";
import type { EventTables } from "./tables/events.ts";
import type { IdempotencyTables } from "./tables/idempotency.ts";
import type { JobTables } from "./tables/jobs.ts";
import type { LedgerTables } from "./tables/ledger.ts";
import type { MerchantTables } from "./tables/merchants.ts";
import type { OutgoingTables } from "./tables/outgoing.ts";
import type { PaymentTables } from "./tables/payments.ts";
import type { ScheduleTables } from "./tables/schedules.ts";
import type { SignerTables } from "./tables/signer.ts";
import type { SuspenseTables } from "./tables/suspense.ts";
import type { SweepTables } from "./tables/sweeps.ts";
import type { WebhookTables } from "./tables/webhooks.ts";
import type { WithdrawalTables } from "./tables/withdrawals.ts";
import type { X402Tables } from "./tables/x402.ts";

export interface Tables
  extends
    AuditTables,
    CatalogTables,
    ChainOperationTables,
    EventTables,
    IdempotencyTables,
    JobTables,
    LedgerTables,
    MerchantTables,
    OutgoingTables,
    PaymentTables,
    ScheduleTables,
    SignerTables,
    SuspenseTables,
    SweepTables,
    WebhookTables,
    WithdrawalTables,
    X402Tables {}
