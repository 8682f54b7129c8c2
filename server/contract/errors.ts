// Every error code of the API with its HTTP status and meaning. No other module defines a code.
import { type Static, Type } from 'typebox';

export const errorCatalogue = {
  bad_request: {
    status: 400,
    meaning: 'A header, parameter or body is missing or invalid; the message names it.',
  },
  invalid_request: {
    status: 400,
    meaning: 'A member of a control-plane request is missing or invalid; the message names it.',
  },
  invalid_mode: { status: 400, meaning: 'The mount mode is neither `poll` nor `fuse`.' },
  invalid_local_dir: {
    status: 400,
    meaning: 'The local folder is not an absolute path, or a mirror or this agent uses it.',
  },
  invalid_remote_path: { status: 400, meaning: 'The remote path is not a valid path of a workspace.' },
  invalid_scopes: { status: 400, meaning: 'A scope is invalid or not allowed in a token.' },
  invalid_webhook_url: {
    status: 400,
    meaning: 'The URL is not allowed: not https, private, or with credentials.',
  },
  unauthorized: { status: 401, meaning: 'The bearer token is missing, invalid, expired or revoked.' },
  forbidden: {
    status: 403,
    meaning: 'Not allowed: wrong workspace, missing scope, access rules, Host or Origin.',
  },
  not_found: {
    status: 404,
    meaning: 'The route, file, operation, token, mirror or other resource does not exist.',
  },
  workspace_not_found: {
    status: 404,
    meaning: 'The workspace does not exist (application UUIDs are not workspace ids).',
  },
  request_timeout: {
    status: 408,
    meaning: 'The body arrived at less than 16 KiB per second for 10 seconds; the connection is closed.',
  },
  revision_conflict: { status: 409, meaning: 'If-Match is not the current revision.' },
  invalid_state: { status: 409, meaning: 'The current state of the resource does not allow this.' },
  cloud_folder: {
    status: 409,
    meaning:
      'Another sync program manages the folder or a part of it: see `service` and `folder`. To mirror it anyway, set `acceptCloudFolder`.',
  },
  proposal_conflict: { status: 409, meaning: 'The proposal belongs to a fork of another workspace.' },
  parent_moved: {
    status: 409,
    meaning:
      'The workspace changed paths of the fork, listed in `details.conflicts`. Rebase the fork, resolve the conflicts and commit again.',
  },
  run_conflict: {
    status: 409,
    meaning:
      'Files of the run were changed meanwhile and cannot be merged; `details.conflicts` lists them. Nothing was changed: send `decisions`.',
  },
  staged_changed: {
    status: 409,
    meaning:
      'Changes were staged after the `stagedRevision` of the request. Nothing was committed: read the staged changes again.',
  },
  nested_forks_not_supported: { status: 400, meaning: 'A fork of a fork is not supported.' },
  fork_expired: { status: 410, meaning: 'The fork has expired; its staged changes were deleted.' },
  merge_conflict: { status: 409, meaning: 'The versions conflict; nothing was written.' },
  merge_base_unavailable: {
    status: 409,
    meaning: 'The base is not one of the newest revisions, or is no longer retained.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The If-Match header is missing, or Mooring-Epoch is not that of the store.',
  },
  payload_too_large: {
    status: 413,
    meaning:
      'The request exceeds a limit, which the message names: bytes, files of a bulk write, 200,000 JSON values, 64 levels, 10,000 members of one object.',
  },
  range_not_satisfiable: { status: 416, meaning: 'The range starts after the end of the content.' },
  merge_ineligible: { status: 422, meaning: 'This content or strategy cannot be merged: see `reason`.' },
  rate_limited: { status: 429, meaning: 'Too many requests at once; retry after the time in Retry-After.' },
  queue_full: {
    status: 429,
    meaning: 'The queue of inbound events is full; retry after the time in Retry-After.',
  },
  delete_storm_rejected: {
    status: 429,
    meaning: 'The delete quota of the token is used up for this minute.',
  },
  internal_error: { status: 500, meaning: 'A defect of the agent; its log has the correlation id.' },
  unavailable: {
    status: 503,
    meaning: 'A required component is unavailable at the moment; a retry is safe.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Body of every error. Some codes add top-level members (docs/wire-contract.md#errors). */
export const ErrorBody = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    correlationId: Type.String(),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    expectedRevision: Type.Optional(Type.String()),
    currentRevision: Type.Optional(Type.String()),
    error: Type.Optional(Type.String({ description: 'Repeats the code, for clients of forks.' })),
    currentContentPreview: Type.Optional(Type.String({ description: 'At most 4,000 characters.' })),
  },
  { $id: 'Error', additionalProperties: true },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Codes of a refused file in the result of a bulk write. */
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
