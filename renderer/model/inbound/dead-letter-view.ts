// Status, retry and preview texts of a dead letter. Pure.
import type { DeadLetterDetail, DeadLetterPreview } from '../../../server/contract/sync.ts';
import { clock, count, size } from '../format.ts';
import type { StatusView } from '../mirror/mirror-view.ts';
import { isLasting } from './failure-cause.ts';

const outcomes: Readonly<Record<NonNullable<DeadLetterDetail['outcome']>, StatusView>> = {
  applied: { kind: 'ok', word: 'Applied' },
  ignored: { kind: 'paused', word: 'Event ignored' },
  suppressed: { kind: 'paused', word: 'Echo ignored' },
  stale: { kind: 'paused', word: 'Outdated event' },
  coalesced: { kind: 'paused', word: 'Replaced by a newer event' },
  acknowledged: { kind: 'paused', word: 'Dismissed' },
};

export function deadLetterStatus({
  state,
  outcome,
}: Pick<DeadLetterDetail, 'state' | 'outcome'>): StatusView {
  if (state === 'dead_letter') return { kind: 'failed', word: 'Dead letter' };
  if (state === 'pending') return { kind: 'waiting', word: 'Pending' };
  return outcome === undefined ? { kind: 'ok', word: 'Settled' } : outcomes[outcome];
}

/** Why there is no automatic retry. */
export function noRetryReason({ cause, attempts }: Pick<DeadLetterDetail, 'cause' | 'attempts'>): string {
  if (cause === undefined || isLasting(cause)) return 'No automatic retry: this payload would fail again.';
  return attempts.length === 1
    ? 'No automatic retry: the only attempt failed.'
    : `No automatic retry: all ${count(attempts.length)} attempts failed.`;
}

export interface PreviewView {
  readonly tone: 'ok' | 'warn' | 'bad';
  /** `Would create /a.md` */
  readonly effect: string;
  /** Further sentences. */
  readonly note: string;
}

export function previewView(preview: DeadLetterPreview): PreviewView {
  switch (preview.outcome) {
    case 'fails':
      return {
        tone: 'bad',
        effect: 'Would fail again',
        note: sentence(preview.message ?? preview.cause ?? ''),
      };
    case 'ignored':
      return {
        tone: 'warn',
        effect: 'Would change nothing',
        note: 'Events of this type are ignored.',
      };
    case 'suppressed':
      return {
        tone: 'warn',
        effect: 'Would change nothing',
        note: 'This event is an echo of a change that Mooring sent.',
      };
    case 'stale':
      return {
        tone: 'warn',
        effect: 'Would change nothing',
        note:
          preview.newerAppliedAt === undefined
            ? 'A newer event was applied.'
            : `A newer event was applied at ${clock(Date.parse(preview.newerAppliedAt))}.`,
      };
    case 'applied':
      return appliedView(preview);
  }
}

function appliedView({ effect, path = '', movedFrom = '', before, after }: DeadLetterPreview): PreviewView {
  const afterSize = after === undefined ? '' : ` (${size(after.size)})`;
  switch (effect) {
    case 'create':
      return { tone: 'ok', effect: `Would create ${path}${afterSize}`, note: 'No file exists there now.' };
    case 'update':
      return {
        tone: 'ok',
        effect: `Would change ${path}${afterSize}`,
        note:
          before === undefined
            ? ''
            : `The current revision ${before.revision} (${size(before.size)}) stays in history.`,
      };
    case 'delete':
      return { tone: 'ok', effect: `Would delete ${path}`, note: 'Its content stays in history.' };
    case 'move':
      return { tone: 'ok', effect: `Would move ${movedFrom} to ${path}${afterSize}`, note: '' };
    case 'none':
      return {
        tone: 'ok',
        effect: 'Would change nothing',
        note: 'No change: the workspace already matches.',
      };
  }
}

/** `content is not base64` becomes `Content is not base64.` */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return first === '' || /[.!?]$/.test(first) ? first : `${first}.`;
}
