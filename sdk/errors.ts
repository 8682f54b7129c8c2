// Every way a call can fail, as a class: what the agent answered, or that it did not answer. Nothing else is thrown by the
// SDK, except the caller's own abort reason.

import type { ForkConflict } from './types.ts';

/** The agent answered with an error. `code` is one of the agent's catalogue; the correlation id finds the request in its log. */
export class MooringError extends Error {
  override readonly name: string = 'MooringError';
  readonly status: number;
  readonly code: string;
  readonly correlationId: string;
  /** The whole body as it came: some codes carry more fields. */
  readonly body: Readonly<Record<string, unknown>>;
  /** From Retry-After; null when there was none. */
  readonly retryAfterMs: number | null;

  constructor(answer: ErrorAnswer) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.correlationId = answer.correlationId;
    this.body = answer.body;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** 400: a header, parameter or body is missing or invalid. */
export class BadRequestError extends MooringError {
  override readonly name = 'BadRequestError';
}
/** 401: no token, or one that is invalid, expired or revoked. */
export class UnauthorizedError extends MooringError {
  override readonly name = 'UnauthorizedError';
}
/** 403: the token may not do this. */
export class ForbiddenError extends MooringError {
  override readonly name = 'ForbiddenError';
}
/** 404: also `workspace_not_found`. */
export class NotFoundError extends MooringError {
  override readonly name = 'NotFoundError';
}
/** 409 `revision_conflict`: somebody else changed the file since the revision that If-Match named. */
export class RevisionConflictError extends MooringError {
  override readonly name = 'RevisionConflictError';
  get expectedRevision(): string {
    return textOf(this.body.expectedRevision);
  }
  get currentRevision(): string {
    return textOf(this.body.currentRevision);
  }
  /** The beginning of the current content; empty for binary or empty files. */
  get currentContentPreview(): string {
    return textOf(this.body.currentContentPreview);
  }
}
/** 409 of any other code: the resource is not in a state that allows this. */
export class InvalidStateError extends MooringError {
  override readonly name = 'InvalidStateError';
}
/** 409 `cloud_folder`: another sync program manages the folder, or a part of it. */
export class CloudFolderError extends MooringError {
  override readonly name = 'CloudFolderError';
  /** For example `OneDrive`. */
  get service(): string {
    return textOf(this.body.service);
  }
  /** The folder that the program manages. */
  get folder(): string {
    return textOf(this.body.folder);
  }
}
/** 409 `parent_moved`: others have changed paths of a fork; nothing was committed. */
export class ParentMovedError extends MooringError {
  override readonly name = 'ParentMovedError';
  get currentRevision(): string {
    return textOf(this.body.currentRevision);
  }
  /** Paths that both have changed, at most 1,000. */
  get conflicts(): readonly ForkConflict[] {
    const details = this.body.details as { readonly conflicts?: readonly ForkConflict[] } | undefined;
    return details?.conflicts ?? [];
  }
}
/** 410: the time of a fork is over. */
export class GoneError extends MooringError {
  override readonly name = 'GoneError';
}
/** 412: If-Match is missing. */
export class PreconditionFailedError extends MooringError {
  override readonly name = 'PreconditionFailedError';
}
/** 413: the body is over the agent's limit. */
export class PayloadTooLargeError extends MooringError {
  override readonly name = 'PayloadTooLargeError';
}
/** 429: too many requests or deletes, or a full queue; `retryAfterMs` says when to try again. */
export class RateLimitedError extends MooringError {
  override readonly name = 'RateLimitedError';
}
/** 503: a part that this needs does not answer; nothing was applied. */
export class UnavailableError extends MooringError {
  override readonly name = 'UnavailableError';
}
/** 5xx: a fault of the agent. A change may or may not have been applied. */
export class ServerError extends MooringError {
  override readonly name = 'ServerError';
}

/** No answer: the agent does not run, the connection broke, or the time was up. A change may or may not have been applied. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly correlationId: string;
  readonly timedOut: boolean;
  constructor(message: string, options: { correlationId: string; timedOut: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.correlationId = options.correlationId;
    this.timedOut = options.timedOut;
  }
}

export interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly correlationId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | null;
}

/** The class that fits an answer. */
export function errorFrom(answer: ErrorAnswer): MooringError {
  const { status, code } = answer;
  if (status === 409) {
    if (code === 'parent_moved') return new ParentMovedError(answer);
    if (code === 'cloud_folder') return new CloudFolderError(answer);
    return code === 'revision_conflict' ? new RevisionConflictError(answer) : new InvalidStateError(answer);
  }
  const ErrorClass = classByStatus[status] ?? (status >= 500 ? ServerError : MooringError);
  return new ErrorClass(answer);
}

const classByStatus: Readonly<Record<number, new (answer: ErrorAnswer) => MooringError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: GoneError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  429: RateLimitedError,
  503: UnavailableError,
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
