// Every error code of the wire, once: its HTTP status and when it is sent. Nothing else may invent a code.
import { type Static, Type } from 'typebox';

export const errorCatalogue = {
  bad_request: {
    status: 400,
    meaning: 'A header, parameter or body is missing or invalid; the message names it.',
  },
  invalid_request: {
    status: 400,
    meaning: 'The control plane cannot read this request; the message says why.',
  },
  invalid_mode: { status: 400, meaning: 'The mount mode is neither `poll` nor `fuse`.' },
  invalid_local_dir: {
    status: 400,
    meaning: 'The local folder is not absolute, or belongs to a mirror or to this agent.',
  },
  invalid_remote_path: { status: 400, meaning: 'The remote path is not one that a workspace can hold.' },
  invalid_scopes: { status: 400, meaning: 'A scope is not one, or cannot stand in a token.' },
  invalid_webhook_url: {
    status: 400,
    meaning: 'The address is none that may be called: not https, private, or with credentials.',
  },
  unauthorized: { status: 401, meaning: 'The bearer token is missing, invalid, expired or revoked.' },
  forbidden: {
    status: 403,
    meaning: 'The token may not do this: other workspace, missing scope, ACL, Host or Origin.',
  },
  not_found: { status: 404, meaning: 'No such route, file, operation, item, token or mirror.' },
  workspace_not_found: {
    status: 404,
    meaning: 'No workspace has this id (application UUIDs are not workspace ids).',
  },
  request_timeout: {
    status: 408,
    meaning: 'The body came slower than 16 KiB a second over 10 seconds; the connection is closed.',
  },
  revision_conflict: { status: 409, meaning: 'If-Match names another revision than the current one.' },
  invalid_state: { status: 409, meaning: 'The resource is not in a state that allows this.' },
  cloud_folder: {
    status: 409,
    meaning:
      'Another sync program manages the folder, or a part of it; `service` and `folder` say which. With `acceptCloudFolder` it is mirrored.',
  },
  proposal_conflict: { status: 409, meaning: 'The proposal belongs to a fork of another workspace.' },
  parent_moved: {
    status: 409,
    meaning:
      'The workspace has changed under the fork; `details.conflicts` lists the paths. Rebase, settle them, commit again.',
  },
  nested_forks_not_supported: { status: 400, meaning: 'A fork cannot be made inside a fork.' },
  fork_expired: { status: 410, meaning: 'The time of the fork is over; what it held is gone.' },
  merge_conflict: { status: 409, meaning: 'The three versions cannot be merged without a decision.' },
  merge_base_unavailable: { status: 409, meaning: 'The base revision is no longer kept.' },
  precondition_failed: { status: 412, meaning: 'The If-Match header is missing.' },
  payload_too_large: {
    status: 413,
    meaning:
      'The request body is over a limit, which the message names: bytes, files of a bulk write, 200,000 JSON values, 64 levels, 10,000 members of one object.',
  },
  range_not_satisfiable: { status: 416, meaning: 'The range begins behind the end of the content.' },
  merge_ineligible: { status: 422, meaning: 'This content or strategy cannot be merged; `reason` says why.' },
  rate_limited: { status: 429, meaning: 'Too many requests at once; Retry-After says when to try again.' },
  queue_full: { status: 429, meaning: 'The ingest queue is full; Retry-After says when to try again.' },
  delete_storm_rejected: {
    status: 429,
    meaning: 'The delete quota of the token is used up for this minute.',
  },
  internal_error: { status: 500, meaning: 'A fault of the agent; the correlation id finds it in the log.' },
  unavailable: {
    status: 503,
    meaning: 'A part that this needs does not answer right now; trying again is safe.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Body of every error answer. Some codes add top-level fields (revision_conflict, merge_*). */
export const ErrorBody = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    correlationId: Type.String(),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    expectedRevision: Type.Optional(Type.String()),
    currentRevision: Type.Optional(Type.String()),
    error: Type.Optional(
      Type.String({ description: 'The code once more, where clients of forks look for it.' }),
    ),
    currentContentPreview: Type.Optional(Type.String({ description: 'At most 4,000 characters.' })),
  },
  { $id: 'Error', additionalProperties: true },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Codes of a refused file inside a bulk answer. */
export const bulkErrorCodes = [
  'conflict',
  'forbidden',
  'invalid_path',
  'invalid_encoding',
  'invalid_content',
  'internal_error',
  'fork_expired',
  'not_found',
  'invalid_input',
] as const;
export type BulkErrorCode = (typeof bulkErrorCodes)[number];
