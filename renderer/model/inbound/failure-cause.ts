// Why a delivery failed, in words, and what a person can do about it. Pure. One row per code of the contract.
import type { FailureCause } from '../../../server/contract/sync.ts';

interface CauseWords {
  /** In the list and in filters. */
  readonly title: string;
  readonly next: string;
}

const editNext = 'Edit the payload and replay, or acknowledge to drop it.';

const words: Readonly<Record<FailureCause, CauseWords>> = {
  payload_malformed: { title: 'Payload malformed', next: editNext },
  event_type_malformed: {
    title: 'Event type malformed',
    next: 'Edit the event type and replay, or acknowledge to drop it.',
  },
  path_invalid: {
    title: 'Path not allowed',
    next: 'Edit the path and replay, or acknowledge to drop it.',
  },
  path_refused_by_provider: {
    title: 'Path refused by the provider rule',
    next: 'Edit the path and replay, or acknowledge to drop it.',
  },
  path_taken: {
    title: 'Path taken by a file or folder',
    next: 'Move what lies there or edit the path, then replay.',
  },
  content_undecodable: {
    title: 'Content cannot be decoded',
    next: 'Edit the content or its encoding and replay.',
  },
  content_too_large: {
    title: 'Content over the limit',
    next: 'Make the content smaller and replay, or acknowledge to drop it.',
  },
  access_rules_invalid: { title: 'Access rules not valid', next: 'Edit the rules and replay.' },
  access_rules_refused: {
    title: 'Access rules in a webhook',
    next: 'Write the rules as a file, then acknowledge.',
  },
  access_denied: {
    title: 'Sender may not change this file',
    next: 'Extend its token or the access rules and replay, or edit and replay as your own.',
  },
  delete_quota_exceeded: {
    title: 'Delete quota used up',
    next: 'Replay when the minute is over.',
  },
  workspace_gone: {
    title: 'Workspace was deleted',
    next: 'Restore the workspace, then replay as it is.',
  },
  store_unavailable: { title: 'Store did not answer', next: 'Replay as it is.' },
  internal_error: { title: 'Fault in the agent', next: 'Replay as it is.' },
};

export const failureCauses = Object.keys(words) as readonly FailureCause[];

export function isFailureCause(text: string | null): text is FailureCause {
  return text !== null && Object.hasOwn(words, text);
}

export function causeTitle(cause: FailureCause): string {
  return words[cause].title;
}

export function causeNext(cause: FailureCause): string {
  return words[cause].next;
}

/** `code: words` as the wire has it. A code that this page does not know stays as it is. */
export function splitLastError(lastError: string): { cause: FailureCause | null; text: string } {
  const cut = lastError.indexOf(': ');
  const code = cut < 0 ? lastError : lastError.slice(0, cut);
  if (!isFailureCause(code)) return { cause: null, text: lastError };
  return { cause: code, text: cut < 0 ? '' : lastError.slice(cut + 2) };
}

/** Would the same payload fail the same way again? */
export function isLasting(cause: FailureCause): boolean {
  return cause !== 'store_unavailable' && cause !== 'internal_error';
}
