// How a command ends other than well: an exit code, what is the cause, and what to do about it.

export const exitCodes = {
  ok: 0,
  failed: 1,
  /** An unknown or wrong argument. */
  usage: 2,
  /** Not settled within the time. */
  timeout: 3,
  /** A mirror is paused, halted or in error. */
  mirrorStopped: 4,
  /** No agent runs on this data directory. */
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
