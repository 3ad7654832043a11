// Written by "npm run generate" from openapi.yaml; do not edit.

export type Handlers<Caller, Edge extends string = never> = Record<never, [Caller, Edge]>;
