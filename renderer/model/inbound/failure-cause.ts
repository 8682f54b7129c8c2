// Title and next step for each failure cause of the contract. Pure.
import type { FailureCause } from '../../../server/contract/sync.ts';

interface CauseTexts {
  /** In the list and in filters. */
  readonly title: string;
  readonly next: string;
}

const editNext = 'Edit the payload and replay it, or dismiss this dead letter.';

const causes: Readonly<Record<FailureCause, CauseTexts>> = {
  payload_malformed: { title: 'Payload malformed', next: editNext },
  event_type_malformed: {
    title: 'Event type malformed',
    next: 'Edit the event type and replay, or dismiss this dead letter.',
  },
  path_invalid: {
    title: 'Path not allowed',
    next: 'Edit the path and replay, or dismiss this dead letter.',
  },
  path_refused_by_provider: {
    title: 'Path not allowed for the provider',
    next: 'Edit the path and replay, or dismiss this dead letter.',
  },
  path_taken: {
    title: 'Path taken by a file or folder',
    next: 'Move the existing file or folder, or edit the path; then replay.',
  },
  content_undecodable: {
    title: 'Content cannot be decoded',
    next: 'Edit the content or its encoding, then replay.',
  },
  content_too_large: {
    title: 'Content over the limit',
    next: 'Reduce the content and replay, or dismiss this dead letter.',
  },
  access_rules_invalid: { title: 'Access rules not valid', next: 'Edit the rules, then replay.' },
  access_rules_refused: {
    title: 'Access rules in a webhook',
    next: 'Write the rules as a file, then dismiss this dead letter.',
  },
  access_denied: {
    title: 'Sender has no permission',
    next: 'Extend the sender’s token or the access rules and replay, or edit and replay with your permissions.',
  },
  delete_quota_exceeded: {
    title: 'Delete quota exceeded',
    next: 'Replay after one minute.',
  },
  workspace_gone: {
    title: 'Workspace was deleted',
    next: 'Restore the workspace, then replay.',
  },
  store_unavailable: { title: 'Store unavailable', next: 'Replay.' },
  internal_error: { title: 'Internal error', next: 'Replay.' },
};

export const failureCauses = Object.keys(causes) as readonly FailureCause[];

export function isFailureCause(text: string | null): text is FailureCause {
  return text !== null && Object.hasOwn(causes, text);
}

export function causeTitle(cause: FailureCause): string {
  return causes[cause].title;
}

export function causeNext(cause: FailureCause): string {
  return causes[cause].next;
}

/** Splits `code: text` of the API. An unknown code is kept in the text. */
export function splitLastError(lastError: string): { cause: FailureCause | null; text: string } {
  const cut = lastError.indexOf(': ');
  const code = cut < 0 ? lastError : lastError.slice(0, cut);
  if (!isFailureCause(code)) return { cause: null, text: lastError };
  return { cause: code, text: cut < 0 ? '' : lastError.slice(cut + 2) };
}

/** The same payload would fail again. */
export function isLasting(cause: FailureCause): boolean {
  return cause !== 'store_unavailable' && cause !== 'internal_error';
}
