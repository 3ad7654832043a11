// Written by "npm run generate" from openapi.yaml; do not edit.

export type Account = {
  readonly id: string;
  password: string;
  name: string;
  owner: Owner;
  parent?: Account;
  plain?: Plain;
  device?: Device;
};
export type Owner = {
  /** Format: date */
  readonly since: string;
};
export type Plain = {
  readonly note?: string;
};
export type Device = {
  readonly serial: string;
  token: string;
};
export type DeviceRequest = string;
export type DeviceRequest_2 = number;
export type DeviceResponse = boolean;
export type AccountRequest = {
  readonly id?: string;
  password: string;
  name: string;
  owner: OwnerRequest;
  parent?: AccountRequest;
  plain?: Plain;
  device?: DeviceRequest_3;
};
export type OwnerRequest = {
  /** Format: date */
  readonly since?: string;
};
export type DeviceRequest_3 = {
  readonly serial?: string;
  token: string;
};
export type AccountResponse = {
  readonly id: string;
  password?: string;
  name: string;
  owner: Owner;
  parent?: AccountResponse;
  plain?: Plain;
  device?: DeviceResponse_2;
};
export type DeviceResponse_2 = {
  readonly serial: string;
  token?: string;
};
export interface paths {
  "/accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["addAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Account: Account;
    Owner: Owner;
    Plain: Plain;
    Device: Device;
    DeviceRequest: DeviceRequest;
    DeviceRequest_2: DeviceRequest_2;
    DeviceResponse: DeviceResponse;
    AccountRequest: AccountRequest;
    OwnerRequest: OwnerRequest;
    DeviceRequest_3: DeviceRequest_3;
    AccountResponse: AccountResponse;
    DeviceResponse_2: DeviceResponse_2;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  addAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": AccountRequest;
      };
    };
    responses: {
      /** @description Written out here. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            secret?: string;
            readonly id: string;
          };
        };
      };
      /** @description The account. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": AccountResponse;
        };
      };
    };
  };
}
