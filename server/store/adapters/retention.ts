// Where retention ends, and its run in slices, on any engine.
import type { RetentionLimits, RetentionPart, RetentionPosition } from '../port/commands.ts';
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
