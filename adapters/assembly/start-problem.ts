// Why the service could not be opened, for the person at the terminal.

import { ServiceError } from "../../service/errors.ts";
import { ForeignSigner } from "../../service/ports/signer.ts";
import { ConfigurationError } from "../configuration/configuration.ts";
import { DemoPresent } from "./demo.ts";
import {
  DataDirectoryClosed,
  DataDirectoryEmpty,
  DataDirectoryInUse,
} from "../configuration/data-directory.ts";
import { MigrationError } from "../database/migration-files.ts";
import { UnfitConnection } from "../database/unfit-connection.ts";
import { EncryptionKeyError } from "../configuration/encryption-key.ts";
import { LocalChainUnavailable } from "../local-chain/unavailable.ts";
import { MetricsListenError } from "../metrics/listen-error.ts";
import { SignerChildError } from "../signer-client/child.ts";
import { PackageMissing } from "../system/optional-package.ts";

const explained = [
  DemoPresent,
  ConfigurationError,
  DataDirectoryClosed,
  DataDirectoryEmpty,
  DataDirectoryInUse,
  EncryptionKeyError,
  LocalChainUnavailable,
  MetricsListenError,
  MigrationError,
  PackageMissing,
  SignerChildError,
  UnfitConnection,
];

/** Undefined for what nobody at a terminal can repair: that is shown with its stack. */
export function startProblem(error: unknown): string | undefined {
  if (error instanceof Error && explained.some((kind) => error instanceof kind)) {
    return error.message;
  }
  if (error instanceof ServiceError && error.code === "service_unavailable") {
    // The driver's own words: a host, a port, a database, a user. Never the password.
    return `The database of DATABASE_URL cannot be used: ${reasonOf(error.cause)}.`;
  }
  if (error instanceof ServiceError && error.cause instanceof ForeignSigner) {
    return error.cause.message;
  }
  if (error instanceof ServiceError && error.code === "chain_unavailable") {
    return `The signer of SIGNER_SOCKET cannot be used: ${reasonOf(error.cause)}. Is npm run signer running?`;
  }
  return undefined;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join("; ");
  return cause instanceof Error ? cause.message : "it does not answer";
}
