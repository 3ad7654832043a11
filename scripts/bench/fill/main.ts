// Gives an empty database the past of so many payments, for measurements on a server of one's own: a life of the
// simulation, and what has ended in it many times over (test/growth/history.ts).

import { openPostgres } from "../../../adapters/database/postgres.ts";
import { rowsOf } from "../../../test/database/looking.ts";
import { playFilled } from "../../../test/growth/filled-life.ts";
import { positive, readCommandLine, seedOf, worded } from "../../command-line.ts";

const help = `DATABASE_URL=postgres://... npm run bench:fill -- [options]

  --payments N    how many it has at least (100000)
  --seed N        of the life that is copied (12)
  --help

The database has to be empty, and its role a superuser: indexes are built and references looked up when all rows
are there. What is written keeps every constraint.`;

const config = {
  options: {
    ...worded({ payments: "100000", seed: "12" }),
  },
} as const;
const { payments, seed } = readCommandLine(help, config, ({ values }) => ({
  payments: positive("payments", values.payments, 100_000_000),
  seed: seedOf(values.seed, 2 ** 31 - 1),
}));

async function fill(url: string): Promise<void> {
  const database = await openPostgres({ url, connectionsMax: 6 });
  try {
    const [known] = await rowsOf(database, "select from merchants limit 1", []);
    if (known !== undefined) {
      console.error("There are merchants in this database: give an empty one (createdb NAME).");
      process.exitCode = 1;
      return;
    }
    const history = await playFilled({ ...database, url }, { seed, payments });
    const perSecond = history.payments / history.seconds;
    console.log(
      `${history.payments} payments, ${history.rows} rows, written at ${perSecond.toFixed(0)} payments/s`,
    );
  } finally {
    await database.close();
  }
}

const { DATABASE_URL: url } = process.env;
if (url === undefined || url === "") {
  console.error(`DATABASE_URL is missing.\n\n${help}`);
  process.exitCode = 2;
} else await fill(url);
