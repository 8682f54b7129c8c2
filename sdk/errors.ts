// The errors of calls: one class per kind of answer, one for no answer, and one for a call that cannot be sent. The SDK throws nothing
// else, except the reason of the caller's signal.
import type { ForkConflict, RunConflict } from './types.ts';

/** The agent answered with an error. `code` is from the agent's catalogue. The correlation id identifies the request in its log. */
export class MooringError extends Error {
  override readonly name: string = 'MooringError';
  readonly status: number;
  readonly code: string;
  readonly correlationId: string;
  /** The whole body. Some codes have more fields. */
  readonly body: Readonly<Record<string, unknown>>;
  /** From Retry-After. null: no such header. */
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
/** 401: the token is missing, invalid, expired or revoked. */
export class UnauthorizedError extends MooringError {
  override readonly name = 'UnauthorizedError';
}
/** 403: the token has no permission for the request. */
export class ForbiddenError extends MooringError {
  override readonly name = 'ForbiddenError';
}
/** 404: also `workspace_not_found`. */
export class NotFoundError extends MooringError {
  override readonly name = 'NotFoundError';
}
/** 409 `revision_conflict`: the file has a newer revision than If-Match. */
export class RevisionConflictError extends MooringError {
  override readonly name = 'RevisionConflictError';
  readonly expectedRevision = textOf(this.body.expectedRevision);
  readonly currentRevision = textOf(this.body.currentRevision);
  /** The first part of the current content. Empty for binary and empty files. */
  readonly currentContentPreview = textOf(this.body.currentContentPreview);
}
/** 409 with another code: the state of the resource does not allow the request. */
export class InvalidStateError extends MooringError {
  override readonly name = 'InvalidStateError';
}
/** 409 `cloud_folder`: another sync program manages the folder or a part of it. */
export class CloudFolderError extends MooringError {
  override readonly name = 'CloudFolderError';
  /** For example `OneDrive`. */
  readonly service = textOf(this.body.service);
  /** The folder that the program manages. */
  readonly folder = textOf(this.body.folder);
}
/** 409 `parent_moved`: the workspace has newer revisions of paths of a fork. Nothing was committed. */
export class ParentMovedError extends MooringError {
  override readonly name = 'ParentMovedError';
  readonly currentRevision = textOf(this.body.currentRevision);
  /** Paths that changed in both, at most 1,000. */
  get conflicts(): readonly ForkConflict[] {
    const details = this.body.details as { readonly conflicts?: readonly ForkConflict[] } | undefined;
    return details?.conflicts ?? [];
  }
}
/** 409 `run_conflict`: files of a run were changed meanwhile and cannot be merged. Nothing was changed. */
export class RunConflictError extends MooringError {
  override readonly name = 'RunConflictError';
  /** What needs a decision, at most 1,000. */
  get conflicts(): readonly RunConflict[] {
    const details = this.body.details as { readonly conflicts?: readonly RunConflict[] } | undefined;
    return details?.conflicts ?? [];
  }
}
/** 409 `staged_changed`: changes were staged after the `stagedRevision` of the commit. Nothing was committed. */
export class StagedChangedError extends MooringError {
  override readonly name = 'StagedChangedError';
}
/** 410: the fork has expired. */
export class GoneError extends MooringError {
  override readonly name = 'GoneError';
}
/** 412: If-Match is missing. */
export class PreconditionFailedError extends MooringError {
  override readonly name = 'PreconditionFailedError';
}
/** 413: the body exceeds the agent's limit. */
export class PayloadTooLargeError extends MooringError {
  override readonly name = 'PayloadTooLargeError';
}
/** 429: too many requests or deletes, or a full queue. Retry after `retryAfterMs`. */
export class RateLimitedError extends MooringError {
  override readonly name = 'RateLimitedError';
}
/** 503: a part of the agent is unavailable. Nothing was applied. */
export class UnavailableError extends MooringError {
  override readonly name = 'UnavailableError';
}
/** 5xx: an error of the agent. A change may or may not have been applied. */
export class ServerError extends MooringError {
  override readonly name = 'ServerError';
}

/** Nothing was sent: an argument cannot be written into a request. An id is `.` or `..`, a text contains an unpaired surrogate, or a header
 *  a character that it may not contain. */
export class InvalidArgumentError extends Error {
  override readonly name = 'InvalidArgumentError';
}

/** No answer: the agent is not running, the connection broke, or the call timed out. A change may or may not have been applied. */
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

/** Selects the class by status and code. */
export function errorFrom(answer: ErrorAnswer): MooringError {
  const { status, code } = answer;
  if (status === 409) {
    if (code === 'parent_moved') return new ParentMovedError(answer);
    if (code === 'run_conflict') return new RunConflictError(answer);
    if (code === 'staged_changed') return new StagedChangedError(answer);
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
