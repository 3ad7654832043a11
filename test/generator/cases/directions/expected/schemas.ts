// Written by "npm run generate" from openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as types from "./types.ts";

export const Account: z.ZodType<types.Account> = keywords.says<types.Account>()(
  z.strictObject({
    id: z.string(),
    password: z.string(),
    name: z.string(),
    owner: keywords.later(() => Owner),
    parent: keywords.later(() => Account).exactOptional(),
    plain: keywords.later(() => Plain).exactOptional(),
  }),
);

export const Owner: z.ZodType<types.Owner> = keywords.says<types.Owner>()(
  z.looseObject({
    since: z.string().check(keywords.format("date")),
  }),
);

export const Plain: z.ZodType<types.Plain> = keywords.says<types.Plain>()(
  z.looseObject({
    note: z.string().exactOptional(),
  }),
);

export const AccountRequest: z.ZodType<types.AccountRequest> =
  keywords.says<types.AccountRequest>()(
    z.strictObject({
      id: z.string().exactOptional(),
      password: z.string(),
      name: z.string(),
      owner: keywords.later(() => OwnerRequest),
      parent: keywords.later(() => AccountRequest).exactOptional(),
      plain: Plain.exactOptional(),
    }),
  );

export const OwnerRequest: z.ZodType<types.OwnerRequest> = keywords.says<types.OwnerRequest>()(
  z.looseObject({
    since: z.string().check(keywords.format("date")).exactOptional(),
  }),
);

export const AccountResponse: z.ZodType<types.AccountResponse> =
  keywords.says<types.AccountResponse>()(
    z.strictObject({
      id: z.string(),
      password: z.string().exactOptional(),
      name: z.string(),
      owner: Owner,
      parent: keywords.later(() => AccountResponse).exactOptional(),
      plain: Plain.exactOptional(),
    }),
  );
