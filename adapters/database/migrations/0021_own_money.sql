-- What an operator books by hand of its own money: put in, carried between accounts of ours, taken out.

-- One transaction of the chain is booked as one of these, ever: its hash is the end of the reference.
create unique index ledger_transactions_own_once on ledger_transactions (reference)
  where kind in ('funding', 'own_move', 'own_taking');
