// The route of the page that every refusal's Link leads to.

import type { CheckoutRoute } from "../checkout/checkout-routes.ts";
import type { CheckoutAnswer } from "../checkout/own-answer.ts";
import { errorPage, errorPagePolicy } from "./page.ts";

/** As an application takes routes of its own: the page is made once, when somebody first asks. */
export const errorHelpRoutes: ReadonlyMap<string, CheckoutRoute> = new Map([
  ["/docs/errors", { serve: servePage, isFile: true }],
]);

function servePage(): CheckoutAnswer {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": errorPagePolicy,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
  };
  return { status: 200, content: errorPage(), headers };
}
