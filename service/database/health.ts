// Whether the database answers at all.

import { sql } from "kysely";
import { queries, statement } from "./statement.ts";

export const ping = statement<object>("ping")(() => queries.selectNoFrom(sql<number>`1`.as("one")));
