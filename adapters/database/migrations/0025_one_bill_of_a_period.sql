-- A period of a subscription is billed once: periods that nobody billed in time by a rule of the
-- subscription, and what was paid on one try counts in the next.

alter table subscriptions
  -- what becomes of periods that went by unbilled. collapse: the newest is billed and stands for them;
  -- each: all are billed, one after another
  add column missed_periods text not null default 'collapse'
    check (missed_periods in ('collapse', 'each'));

alter table subscription_bills
  -- periods before this one that nobody billed; this one stands for them
  add column missed integer not null default 0 check (missed >= 0),
  -- what this try asks for: the price less what was paid on the tries before; null: all of the price
  add column amount_raw numeric(78, 0) check (amount_raw > 0);
