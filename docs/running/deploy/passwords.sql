-- For compose.yaml, when the database is made, after roles.sql: the roles get the passwords of its secrets.
\set owner `cat /run/secrets/owner_password`
\set writer `cat /run/secrets/writer_password`
alter role payments_owner password :'owner';
alter role payments_writer password :'writer';
