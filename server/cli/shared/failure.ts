// Exit codes, and the error that ends a command with one: cause and remedy.

export const exitCodes = {
  ok: 0,
  failed: 1,
  /** An unknown or invalid argument. */
  usage: 2,
  /** Not synced within the time limit. */
  timeout: 3,
  /** A mirror or a remote is paused, halted or in error. */
  mirrorStopped: 4,
  /** No agent is running on this data directory. */
  noAgent: 5,
} as const;

/** For the help and docs/command-line.md. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'the agent or the system refused, or a check failed',
  2: 'an unknown or invalid command, argument or option',
  3: 'timeout: not synced, or the folder keeps changing',
  4: 'a mirror or a remote is paused, halted or in error',
  5: 'no agent is running on this data directory',
};

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with the exit code of the program that it ran. Nothing more is printed. */
export class ProgramExit extends Error {
  override readonly name = 'ProgramExit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the program ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

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
