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
    device: keywords.later(() => Device).exactOptional(),
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

export const Device: z.ZodType<types.Device> = keywords.says<types.Device>()(
  z.looseObject({
    serial: z.string(),
    token: z.string(),
  }),
);

export const DeviceRequest: z.ZodType<types.DeviceRequest> = keywords.says<types.DeviceRequest>()(
  z.string(),
);

export const DeviceRequest_2: z.ZodType<types.DeviceRequest_2> =
  keywords.says<types.DeviceRequest_2>()(z.int());

export const DeviceResponse: z.ZodType<types.DeviceResponse> =
  keywords.says<types.DeviceResponse>()(z.boolean());

export const AccountRequest: z.ZodType<types.AccountRequest> =
  keywords.says<types.AccountRequest>()(
    z.strictObject({
      id: z.string().exactOptional(),
      password: z.string(),
      name: z.string(),
      owner: keywords.later(() => OwnerRequest),
      parent: keywords.later(() => AccountRequest).exactOptional(),
      plain: Plain.exactOptional(),
      device: keywords.later(() => DeviceRequest_3).exactOptional(),
    }),
  );

export const OwnerRequest: z.ZodType<types.OwnerRequest> = keywords.says<types.OwnerRequest>()(
  z.looseObject({
    since: z.string().check(keywords.format("date")).exactOptional(),
  }),
);

export const DeviceRequest_3: z.ZodType<types.DeviceRequest_3> =
  keywords.says<types.DeviceRequest_3>()(
    z.looseObject({
      serial: z.string().exactOptional(),
      token: z.string(),
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
      device: keywords.later(() => DeviceResponse_2).exactOptional(),
    }),
  );

export const DeviceResponse_2: z.ZodType<types.DeviceResponse_2> =
  keywords.says<types.DeviceResponse_2>()(
    z.looseObject({
      serial: z.string(),
      token: z.string().exactOptional(),
    }),
  );
