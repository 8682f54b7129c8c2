// Replays or dismisses many dead letters. Each is previewed first, and an outdated one is skipped and listed.
import type {
  DeadLetterBulkResult,
  DeadLetterPreview,
  DeadLetterReplayBody,
  FailureCause,
  MooringClient,
} from '../../../sdk/index.ts';
import { defined } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { note, plural, print, printJson, printTable } from '../shared/output.ts';

export interface DeadLetterFilter {
  readonly provider?: string;
  readonly cause?: FailureCause;
  readonly text?: string;
}

export interface BulkOptions extends DeadLetterFilter {
  readonly dryRun?: true;
  readonly json?: true;
}

type DeadLetters = MooringClient['sync']['deadLetters'];
type Edit = Pick<DeadLetterReplayBody, 'patch' | 'overwriteNewer'>;
type Preview = DeadLetterPreview & { readonly envelopeId: string };

export function filterOf({ provider, cause, text }: DeadLetterFilter): DeadLetterFilter {
  return defined({ provider, cause, text });
}

export async function replayAll(
  deadLetters: DeadLetters,
  workspaceId: string,
  edit: Edit,
  options: BulkOptions,
): Promise<void> {
  const matching = await deadLetters.replayMany(workspaceId, { filter: filterOf(options), dryRun: true });
  const previews: Preview[] = [];
  for (const { envelopeId } of matching.results) {
    previews.push({ envelopeId, ...(await deadLetters.preview(workspaceId, envelopeId, edit)) });
  }
  if (options.dryRun) return printPreviews(matching, previews, options);
  const stale = previews.filter((preview) => preview.outcome === 'stale');
  const envelopeIds = previews.flatMap(({ outcome, envelopeId }) =>
    outcome === 'stale' ? [] : [envelopeId],
  );
  const result = { ...matching, done: 0 };
  if (envelopeIds.length > 0) {
    const { done } = await deadLetters.replayMany(workspaceId, { ...edit, filter: { envelopeIds } });
    result.done = done;
  }
  if (options.json) return printJson({ ...result, stale: stale.map(({ envelopeId }) => envelopeId) });
  printBulkResult(result, options, 'replayed');
  if (stale.length === 0) return;
  for (const preview of stale) print(`${preview.envelopeId}  ${describePreview(preview)}`);
  note(
    `${plural(stale.length, 'dead letter')} skipped because a newer event was applied. Use --overwrite-newer to apply, or "dead-letters ack" to dismiss.`,
  );
}

function printPreviews(
  matching: DeadLetterBulkResult,
  previews: readonly Preview[],
  options: BulkOptions,
): void {
  if (options.json) {
    printJson({ ...matching, previews });
    return;
  }
  const paths = new Map(matching.results.map(({ envelopeId, path }) => [envelopeId, path]));
  printTable(
    ['ENVELOPE', 'PATH', 'RESULT'],
    previews.map((preview) => [
      preview.envelopeId,
      paths.get(preview.envelopeId) ?? '',
      describePreview(preview),
    ]),
  );
  const applicable = previews.filter(({ outcome }) => !['stale', 'fails'].includes(outcome)).length;
  note(
    `Dry run: ${applicable} of ${plural(matching.matched, 'dead letter')} would be applied. Nothing was changed.`,
  );
  if (matching.more) note('More dead letters match. These are the oldest.');
}

export function printBulkResult(
  result: DeadLetterBulkResult,
  { json, dryRun }: BulkOptions,
  action: string,
): void {
  if (json) {
    printJson(result);
    return;
  }
  if (dryRun) {
    printTable(
      ['ENVELOPE', 'PATH'],
      result.results.map(({ envelopeId, path }) => [envelopeId, path ?? '']),
    );
    note(`Dry run: ${plural(result.matched, 'dead letter')} would be ${action}. Nothing was changed.`);
  } else note(`${plural(result.done, 'dead letter')} ${action}.`);
  if (result.more) note('More dead letters match. Run the command again.');
}

export function describePreview(preview: DeadLetterPreview): string {
  const { outcome, effect, path, movedFrom } = preview;
  if (outcome === 'fails') return `would fail: ${preview.cause}: ${preview.message}`;
  if (outcome === 'stale')
    return `outdated: a newer event was applied at ${formatTime(preview.newerAppliedAt ?? '')}`;
  if (outcome === 'suppressed') return 'echo of a write from this workspace';
  if (outcome === 'ignored') return 'ignored: not a file event';
  if (effect === 'none') return 'no change';
  return effect === 'move' ? `move ${movedFrom} to ${path}` : `${effect} ${path}`;
}
