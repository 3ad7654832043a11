alter table gas_budgets
  -- of that, what the settlements of one merchant may cost in a day; null: a quarter of it
  add column per_merchant_raw numeric(78, 0) check (per_merchant_raw >= 0);
