/** The command line, the server or the key is not one that can be checked: exit code 2. */
export class UsageError extends Error {}
