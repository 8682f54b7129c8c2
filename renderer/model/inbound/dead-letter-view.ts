// What is known of one dead letter, in sentences. Pure.
import type { DeadLetterDetail, DeadLetterPreview } from '../../../server/contract/sync.ts';
import { clock, count, size } from '../format.ts';
import type { StatusView } from '../mirror/mirror-view.ts';
import { isLasting } from './failure-cause.ts';

const outcomes: Readonly<Record<NonNullable<DeadLetterDetail['outcome']>, StatusView>> = {
  applied: { kind: 'ok', word: 'Applied' },
  ignored: { kind: 'paused', word: 'Event ignored' },
  suppressed: { kind: 'paused', word: 'Echo ignored' },
  stale: { kind: 'paused', word: 'Stale event' },
  coalesced: { kind: 'paused', word: 'Replaced by a newer one' },
  acknowledged: { kind: 'paused', word: 'Acknowledged' },
};

export function deadLetterStatus(letter: Pick<DeadLetterDetail, 'state' | 'outcome'>): StatusView {
  if (letter.state === 'dead_letter') return { kind: 'failed', word: 'Dead letter' };
  if (letter.state === 'pending') return { kind: 'waiting', word: 'Pending' };
  return letter.outcome === undefined ? { kind: 'ok', word: 'Settled' } : outcomes[letter.outcome];
}

/** Why it is not tried again by itself. */
export function noRetryReason(letter: Pick<DeadLetterDetail, 'cause' | 'attempts'>): string {
  if (letter.cause === undefined || isLasting(letter.cause)) {
    return 'None by itself: the same payload would be refused again.';
  }
  const { length } = letter.attempts;
  return length === 1
    ? 'None by itself: its one attempt is used.'
    : `None by itself: all ${count(length)} attempts are used.`;
}

export interface PreviewView {
  readonly tone: 'ok' | 'warn' | 'bad';
  /** `Would create /a.md` */
  readonly effect: string;
  /** The rest, in whole sentences. */
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
        note: 'Events of this type are noted and ignored.',
      };
    case 'suppressed':
      return {
        tone: 'warn',
        effect: 'Would change nothing',
        note: 'It is an echo of what was sent from here.',
      };
    case 'stale':
      return {
        tone: 'warn',
        effect: 'Would change nothing',
        note:
          preview.newerAppliedAt === undefined
            ? 'Something newer was applied since.'
            : `Something newer was applied at ${clock(Date.parse(preview.newerAppliedAt))}.`,
      };
    case 'applied':
      return appliedView(preview);
  }
}

function appliedView({ effect, path = '', movedFrom = '', before, after }: DeadLetterPreview): PreviewView {
  const now = after === undefined ? '' : ` (${size(after.size)})`;
  switch (effect) {
    case 'create':
      return { tone: 'ok', effect: `Would create ${path}${now}`, note: 'No file is there now.' };
    case 'update':
      return {
        tone: 'ok',
        effect: `Would change ${path}${now}`,
        note:
          before === undefined
            ? ''
            : `It is ${before.revision} with ${size(before.size)} now, which stays in the history.`,
      };
    case 'delete':
      return { tone: 'ok', effect: `Would delete ${path}`, note: 'Its content stays in the history.' };
    case 'move':
      return { tone: 'ok', effect: `Would move ${movedFrom} to ${path}${now}`, note: '' };
    case 'none':
      return { tone: 'ok', effect: 'Would change nothing', note: 'The workspace is like this already.' };
  }
}

/** `content is not base64` as a sentence. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return first === '' || /[.!?]$/.test(first) ? first : `${first}.`;
}

/** What was typed as a payload: a JSON object, or why it is none. */
export function readPayload(
  text: string,
):
  | { readonly ok: true; readonly payload: Record<string, unknown> }
  | { readonly ok: false; readonly why: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ok: true, payload: value as Record<string, unknown> };
    }
    return { ok: false, why: 'A payload is a JSON object.' };
  } catch (error) {
    return {
      ok: false,
      why: `This is no JSON yet: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
