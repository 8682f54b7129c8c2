// Where retention ends, and its run in slices, on any engine.
import type { RetentionLimits, RetentionPart, RetentionPosition } from '../port/commands.ts';
import type { HistoryLimit, HistorySize } from '../tables/retention/history-size.ts';
import type { StoreDeps } from './store-parts.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** See docs/wire-contract.md#retention-of-events. */
const feedDays = 30;
const feedRowsMinDefault = 1_000_000;
/** A deleted workspace can be restored for this long. */
const deletedWorkspaceDays = 30;

export async function retentionLimits(
  deps: StoreDeps,
  nowMs: number,
): Promise<{ readonly retention: RetentionLimits; readonly neededSinceMs: number }> {
  const { settings } = deps.options;
  // What an open fork shows below its own changes is read from the history.
  const neededSinceMs = await deps.read('maintenance', 'forksNeedSinceMs', nowMs);
  const retention: RetentionLimits = {
    nowMs,
    historyBeforeMs: Math.min(nowMs - settings.historyDays * dayMs, neededSinceMs),
    historyRevisionsMin: settings.historyRevisionsMin,
    feedBeforeMs: nowMs - feedDays * dayMs,
    feedRowsMin: settings.feedRowsMin ?? feedRowsMinDefault,
    workspacesBeforeMs: nowMs - deletedWorkspaceDays * dayMs,
  };
  return { retention, neededSinceMs };
}

/** Each part in slices, so that other commands come between. `freed`: hashes of contents that nothing names any more. */
export async function retainParts(
  deps: StoreDeps,
  which: readonly RetentionPart[],
  retention: RetentionLimits,
  removed: Map<RetentionPart, number>,
  freed: (hashes: readonly string[]) => void,
): Promise<void> {
  for (const part of which) {
    let position: RetentionPosition | null = null;
    do {
      const slice: Awaited<ReturnType<typeof deps.send<'apply_retention'>>> = await deps.send(
        'apply_retention',
        {
          part,
          position,
          retention,
        },
      );
      removed.set(part, (removed.get(part) ?? 0) + slice.removed);
      freed(slice.freedFiles);
      position = slice.next;
    } while (position !== null);
  }
}

/**
 * After retention by age the history may still exceed its size limit: then the oldest revisions are deleted, however few of a path
 * remain. null: it does not.
 */
export async function retentionBySize(
  { options }: StoreDeps,
  retention: RetentionLimits,
  neededSinceMs: number,
  measure: (limit: HistoryLimit) => Promise<HistorySize | null>,
): Promise<RetentionLimits | null> {
  const { historyBytesMax } = options.settings;
  if (historyBytesMax === undefined) return null;
  const { nowMs } = retention;
  const history = await measure({ bytesMax: historyBytesMax, nowMs, neededSinceMs });
  if (history === null || history.beforeMs === null) return null;
  const { bytes, beforeMs, isOverLimit } = history;
  if (isOverLimit) options.logger.warn({ bytes, historyBytesMax }, 'the history is larger than its limit');
  // Revisions older than the age limit remain as the last ones of their path: this deletes them as well.
  return { ...retention, historyBeforeMs: beforeMs, historyRevisionsMin: 1 };
}
