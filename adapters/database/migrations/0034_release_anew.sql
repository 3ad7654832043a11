-- What goes back to a payer may be another amount when it is queued again: a reorganisation has taken its
-- settlement, and the token has brought more or less than before. What else is queued again is what it was.
drop trigger outgoing_transactions_fixed on outgoing_transactions;
create trigger outgoing_transactions_fixed
  before update of id, chain_id, account_role, account_index, purpose, subject_id, deployment_id
  on outgoing_transactions for each row execute function refuse_outgoing_change();
create trigger outgoing_transactions_action_fixed before update of amount_raw, action
  on outgoing_transactions for each row
  when ((old.amount_raw, old.action) is distinct from (new.amount_raw, new.action)
    and (old.purpose <> 'x402_release' or old.status <> 'withdrawn' or new.status <> 'queued'))
  execute function refuse_outgoing_change();
