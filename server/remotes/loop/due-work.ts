// What time brings to a remote: the next list, the next attempt of a path, and the position in the feed that is to be stored.
import type { Clock } from '../../platform/clock.ts';
import { listEveryMs } from '../limits.ts';
import type { Knowledge } from '../state/knowledge.ts';
import type { ServerFeed } from './server-feed.ts';
import type { StoredRow } from './stored-row.ts';

/** The position in the remote's feed is stored at most this often while it moves. */
const cursorSaveMs = 5_000;

export interface DueParts {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly row: StoredRow;
  readonly knowledge: Knowledge;
  readonly feed: ServerFeed;
}

export class DueWork {
  readonly #parts: DueParts;
  #cursorSavedAtMs = 0;

  constructor(parts: DueParts) {
    this.#parts = parts;
  }

  get isListDue(): boolean {
    return this.#listInMs <= 0;
  }

  /** Until there is something to do that no change announces. */
  get inMs(): number {
    const { row, feed, knowledge } = this.#parts;
    if (feed.hasArrived || knowledge.hasDue || feed.mustList) return 0;
    const listInMs = this.#listInMs;
    const saveInMs = feed.cursor === row.value.cursor ? listInMs : cursorSaveMs;
    const { problems, transfers } = knowledge;
    const tryInMs = problems.nextDueMs((path) => transfers.has(path)) ?? listInMs;
    return Math.max(0, Math.min(listInMs, saveInMs, tryInMs));
  }

  /** As `saveCursor`, unless it was stored a moment ago. */
  async saveMovingCursor(lastSyncAtMs: number | null): Promise<void> {
    const { clock } = this.#parts;
    if (clock.monotonicMs() - this.#cursorSavedAtMs >= cursorSaveMs) await this.saveCursor(lastSyncAtMs);
  }

  /** Stored only where nothing waits: a change whose event is before the cursor must be in the base. */
  async saveCursor(lastSyncAtMs: number | null): Promise<void> {
    const { clock, row, feed, knowledge } = this.#parts;
    const { cursor, hasArrived, mustList } = feed;
    if (!knowledge.isQuiet || hasArrived || knowledge.problems.size > 0 || mustList) return;
    if (cursor === row.value.cursor) return;
    this.#cursorSavedAtMs = clock.monotonicMs();
    await row.update({ cursor, lastSyncAtMs });
  }

  get #listInMs(): number {
    const { clock, row } = this.#parts;
    return (row.value.listedAtMs ?? 0) + listEveryMs - clock.nowMs();
  }
}
