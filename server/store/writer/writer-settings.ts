// The writer's thread of SQLite, and what it is given.
import type { AgentConfig } from '../../platform/config/config.ts';
import type { WriterThread } from './writer.ts';

export interface WriterSettings {
  readonly dataDir: string;
  readonly externalWriteback: AgentConfig['externalWriteback'];
  /** Bound on the size of the database in pages; absent: SQLite's own. */
  readonly databasePagesMax?: number;
  /** The memory of the change counters. */
  readonly changes: SharedArrayBuffer;
  /** A group that takes longer than this is named in the log. */
  readonly slowMs: number;
}

export function writerThread(settings: WriterSettings): WriterThread {
  return { script: new URL('./writer-thread.ts', import.meta.url), workerData: settings };
}
