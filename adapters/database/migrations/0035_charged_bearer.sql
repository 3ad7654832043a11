alter table x402_settlements
  -- who got what was not used, when its booking was divided up: due: its payer is owed it; platform: an operator
  -- had written it off; merchant: it had left, or might have; null: divided up before this was written down
  add column charged_bearer text check (charged_bearer in ('due', 'platform', 'merchant'));
