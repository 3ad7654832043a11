-- compatible from 44
-- before: create index concurrently if not exists webhook_endpoints_off on webhook_endpoints (inactive_reason) where not active

-- How many endpoints are switched off, and by whom, is asked every few seconds while somebody counts.
