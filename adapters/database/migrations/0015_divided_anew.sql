-- After a reversal the whole of what is left of a payment is divided anew among its merchants.

-- How often that moved money. Together with the payment's id it names the transactions in the ledger
-- of kind payment_divided_anew.
alter table payments add column divisions integer not null default 0 check (divisions >= 0);
