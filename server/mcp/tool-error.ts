// Errors of tools, in the one form that every client shows: a text with code, message and remedy. Never a stack, never a secret.
import { InvalidArgumentError, MooringError, NoAnswerError, RevisionConflictError } from '../../sdk/index.ts';
import { conflictCharactersMax, errorCharactersMax } from './limits.ts';

/** An expected refusal of a tool. `fields` are additional members of some codes. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;
  readonly remedy: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, remedy: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.fields = fields;
  }
}

export interface ErrorResult {
  [key: string]: unknown;
  isError: true;
  content: { type: 'text'; text: string }[];
}

const remedies: Readonly<Record<string, string>> = {
  forbidden: 'Call status: mayRead lists the paths of this token. Another token is needed for other paths.',
  not_found: 'Call list_files to see what exists, or history to see what was deleted.',
  bad_request: 'Correct the arguments and call again.',
  unauthorized: 'Create a token with "mooring token create" and pass it in the client configuration.',
  workspace_not_found: 'The workspace was deleted. A person can restore it with Mooring.',
  revision_conflict: 'Call read_file, apply your change to that text, and pass its revision as baseRevision.',
  parent_moved: 'Files changed meanwhile. Call the tool again.',
  rate_limited: 'Wait a second and call again.',
  delete_storm_rejected: 'The delete quota of this token is used up. Wait a minute, or ask a person.',
  unavailable: 'Wait a second and call again.',
  payload_too_large: 'Write smaller files, or use the HTTP API.',
};

export function errorResult(error: unknown): ErrorResult {
  const { code, message, remedy, fields } = toolErrorOf(error);
  const text = JSON.stringify({ code, message, remedy, ...fields });
  return {
    isError: true,
    content: [
      {
        type: 'text',
        text:
          text.length <= errorCharactersMax
            ? text
            : JSON.stringify({ code, message: cut(message, 2_000), remedy }),
      },
    ],
  };
}

function toolErrorOf(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof RevisionConflictError) return conflictError(error);
  if (error instanceof MooringError) {
    const { code, message, correlationId } = error;
    const remedy = remedies[code] ?? 'Read the message; call status to see the state of the workspace.';
    return new ToolError(code, cut(message, 2_000), remedy, { correlationId });
  }
  if (error instanceof NoAnswerError) return agentNotRunning();
  if (error instanceof InvalidArgumentError)
    return new ToolError('bad_request', cut(error.message, 2_000), remedies.bad_request ?? '');
  return new ToolError(
    'internal_error',
    'the tool failed',
    'Call again; the log of the agent has the cause.',
  );
}

export function agentNotRunning(): ToolError {
  return new ToolError(
    'agent_not_running',
    'the Mooring agent does not answer',
    'Ask the person to run "mooring start" (or open the Mooring app), then call again.',
  );
}

function conflictError(error: RevisionConflictError): ToolError {
  const { currentRevision, currentContentPreview, correlationId } = error;
  return new ToolError('revision_conflict', error.message, remedies.revision_conflict ?? '', {
    currentRevision,
    ...(currentContentPreview === ''
      ? {}
      : { currentText: cut(currentContentPreview, conflictCharactersMax) }),
    correlationId,
  });
}

/** The first characters, never half of a character. */
export function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(charactersMax - 1)) ? charactersMax - 1 : charactersMax;
  return text.slice(0, end);
}
