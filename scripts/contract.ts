// Holds a deployed server against the contract: npm run contract -- --url https://...

import { pathToFileURL } from "node:url";
import { check } from "./replay/check.ts";
import { readOptions } from "./replay/options.ts";
import { jsonOf, textOf, writeReport } from "./replay/report.ts";
import { UsageError } from "./replay/usage-error.ts";

const help = `Holds a deployed server against the contract, from outside, with a merchant's key.

  npm run contract -- --url https://pay.example              what can be read, and what is refused
  npm run contract -- --url https://pay.example --all        everything, for a test merchant

  --url URL             the server's address (CONTRACT_URL)
  --key K               the API key (MERCHANT_API_KEY)
  --secret S            its secret (MERCHANT_API_SECRET). The command line is the wrong place for it: every
                        user of the machine can read it there
  --secret-file FILE    a file with the secret; - reads standard input
  --all                 also make, change and cancel things: only with a key of the test environment
  --report DIR          write index.html and junit.xml there
  --json                print everything as JSON
  --timeout S           seconds that one answer may take (10)
  --patience S          seconds to wait for the server's rate limits, all in all (300)
  --concurrency N       requests at once (4)
  --allow-header NAME   a header that a proxy in front of the server adds; may stand several times
  --help

Without --all nothing is made, changed or ended. About 300 requests are sent:

  - of the reads: the currencies page by page, one by one, and again with their ETag; the payout schedules
    with each filter; the webhook deliveries; /openapi.json
  - for each operation what has to be refused before anything is written: a wrong signature, a
    timestamp of an hour ago, a used nonce; a header that is missing or of another form; an unknown query
    parameter, an identifier too long, a wrong limit, status or cursor; a body that is missing, too large, cut,
    of another type or media type, or not taken at all
  - well-formed requests about what does not exist: an unknown id, currency, chain or payment, and a webhook
    to 127.0.0.1
  - a path that does not exist, and DELETE /v1/payments

Most are broken twice, so that a server that misses one fault refuses them for the other. They take from the
key's rate, of which a tenth is left to others, and each uses up a nonce; nothing else is kept of them.

With --all, a merchant of the test environment gets: another currency acceptance (every currency), payments
(cancelled again), two webhook endpoints under contract-check.example (switched off again; --endpoint ID, once
or twice, takes ones that are there), and a withdraw address that nobody has the key of. Take a merchant that
nobody else uses. Withdrawals and payout schedules are only refused, and no money moves.

  --withdraw-address ID   one of yours that may be used: a schedule that only tells is made there and paused,
                          and the smallest amount is withdrawn and taken back. Where the transfer has begun by
                          then, it goes to your address, and its fee is paid
  --subscription ID       is cancelled

Every answer is judged by spec/openapi.yaml: status, code, headers, body. Values are compared where they are
known: ids of requests are new, times are now, lists are equal to single reads, pages to the whole, answers to
what was asked. At the end stands operation x status x code; what was not tried has its reason, and is not met.

The secret is never printed or written; commands that repeat an answer take them from
MERCHANT_API_KEY and MERCHANT_API_SECRET.

Exit code 0: every answer was as it is promised. 1: one was not. 2: the command line, the key or the server does
not allow the check, or it was broken off.`;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) {
    console.log(help);
    return 0;
  }
  const checked = await check(options);
  const page =
    options.report === undefined ? undefined : writeReport(checked, options, options.report);
  console.log(options.isJson ? jsonOf(checked, options) : textOf(checked, options));
  if (page !== undefined) console.error(pathToFileURL(page).href);
  if (checked.brokenOff !== undefined) return 2;
  return checked.isSound ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\nnpm run contract -- --help says more`);
  process.exitCode = 2;
}
