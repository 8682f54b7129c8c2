// Many dead letters at once. Before they are replayed it is looked what each would do: one that is older than what was applied
// since stays where it is and is named, as it does when it is replayed alone.
import type {
  DeadLetterBulkResult,
  DeadLetterPreview,
  DeadLetterReplayBody,
  FailureCause,
  MooringClient,
} from '../../../sdk/index.ts';
import { counted, note, print, printJson, printTable } from '../shared/output.ts';

export interface Filter {
  readonly provider?: string;
  readonly cause?: FailureCause;
  readonly text?: string;
}

export interface ManyAsked extends Filter {
  readonly dryRun?: true;
  readonly json?: true;
}

type DeadLetters = MooringClient['sync']['deadLetters'];
type Edit = Pick<DeadLetterReplayBody, 'patch' | 'overwriteNewer'>;
type Preview = DeadLetterPreview & { readonly envelopeId: string };

export function filterOf({ provider, cause, text }: Filter): Filter {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(cause === undefined ? {} : { cause }),
    ...(text === undefined ? {} : { text }),
  };
}

export async function replayAll(
  deadLetters: DeadLetters,
  workspaceId: string,
  edit: Edit,
  options: ManyAsked,
): Promise<void> {
  const matching = await deadLetters.replayMany(workspaceId, { filter: filterOf(options), dryRun: true });
  const previews: Preview[] = [];
  for (const { envelopeId } of matching.results) {
    previews.push({ envelopeId, ...(await deadLetters.preview(workspaceId, envelopeId, edit)) });
  }
  if (options.dryRun) return tellPreviews(matching, previews, options);
  const stale = previews.filter((preview) => preview.outcome === 'stale');
  const envelopeIds = previews.flatMap((one) => (one.outcome === 'stale' ? [] : [one.envelopeId]));
  const result = { ...matching, done: 0 };
  if (envelopeIds.length > 0) {
    const { done } = await deadLetters.replayMany(workspaceId, { ...edit, filter: { envelopeIds } });
    result.done = done;
  }
  if (options.json) return printJson({ ...result, stale: stale.map((one) => one.envelopeId) });
  tellMany(result, options, 'replayed');
  if (stale.length === 0) return;
  for (const preview of stale) print(`${preview.envelopeId}  ${describe(preview)}`);
  note(
    `${counted(stale.length, 'is older', 'are older')} than what was applied since and left as before: --overwrite-newer applies, "mooring dead-letters ack" puts away.`,
  );
}

function tellPreviews(
  matching: DeadLetterBulkResult,
  previews: readonly Preview[],
  options: ManyAsked,
): void {
  if (options.json) {
    printJson({ ...matching, previews });
    return;
  }
  const paths = new Map(matching.results.map(({ envelopeId, path }) => [envelopeId, path]));
  printTable(
    ['ENVELOPE', 'PATH', 'A REPLAY'],
    previews.map((one) => [one.envelopeId, paths.get(one.envelopeId) ?? '', describe(one)]),
  );
  const moving = previews.filter((one) => !['stale', 'fails'].includes(one.outcome)).length;
  note(`${moving} of ${counted(matching.matched, 'dead letter')} would be settled; nothing was changed.`);
  if (matching.more) note('More match; these are the oldest.');
}

export function tellMany(result: DeadLetterBulkResult, { json, dryRun }: ManyAsked, done: string): void {
  if (json) {
    printJson(result);
    return;
  }
  if (dryRun) {
    printTable(
      ['ENVELOPE', 'PATH'],
      result.results.map(({ envelopeId, path }) => [envelopeId, path ?? '']),
    );
    note(`${counted(result.matched, 'dead letter')} would be ${done}; nothing was changed.`);
  } else note(`${counted(result.done, 'dead letter was', 'dead letters were')} ${done}.`);
  if (result.more) note('More match; run it again.');
}

export function describe(preview: DeadLetterPreview): string {
  const { outcome, effect, path, movedFrom } = preview;
  if (outcome === 'fails') return `it would fail: ${preview.cause}: ${preview.message}`;
  if (outcome === 'stale') return `it is older than what was applied at ${preview.newerAppliedAt}`;
  if (outcome === 'suppressed') return 'it is an echo of a write of this workspace';
  if (outcome === 'ignored') return 'its event is not about files';
  if (effect === 'none') return 'nothing changes';
  return effect === 'move' ? `move ${movedFrom} to ${path}` : `${effect} ${path}`;
}
