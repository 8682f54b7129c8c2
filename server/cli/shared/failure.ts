// Exit codes, and the error that ends a command with one: cause and remedy.

export const exitCodes = {
  ok: 0,
  failed: 1,
  /** An unknown or invalid argument. */
  usage: 2,
  /** Not synced within the time limit. */
  timeout: 3,
  /** A mirror is paused, halted or in error. */
  mirrorStopped: 4,
  /** No agent is running on this data directory. */
  noAgent: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with this exit code after printing cause and remedy to stderr. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;
  readonly remedy: string | null;

  constructor(exitCode: ExitCode, cause: string, remedy: string | null = null) {
    super(cause);
    this.exitCode = exitCode;
    this.remedy = remedy;
  }
}

/** The agent or the system refused: exit code 1. */
export function failure(cause: string, remedy: string | null = null): CommandFailure {
  return new CommandFailure(exitCodes.failed, cause, remedy);
}

/** The arguments are not valid: exit code 2. */
export function usageError(cause: string, remedy: string | null = null): CommandFailure {
  return new CommandFailure(exitCodes.usage, cause, remedy);
}
