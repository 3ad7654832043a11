-- What is missing at addresses of payments counts against the reserve once two comparisons have found it.

alter table address_differences
  -- when it was found first, with more or with less as now
  add column since timestamptz,
  -- how much was missing at the comparison before; 0: nothing, or there was none
  add column missing_before_raw numeric(78, 0) not null default 0 check (missing_before_raw >= 0);

update address_differences set since = checked_at;

-- A process of the version before does not say it.
create function fill_address_difference_since() returns trigger language plpgsql as $$
begin
  new.since := new.checked_at;
  return new;
end
$$;

create trigger address_differences_since before insert on address_differences
  for each row when (new.since is null) execute function fill_address_difference_since();

alter table address_differences alter column since set not null;
