// Options of the store, and what its adapters share.
import type { Clock } from '../../platform/clock.ts';
import type { AgentConfig } from '../../platform/config/config.ts';
import type { BlobFiles } from '../contents/blob-files.ts';
import type { StoreLogger, StoreObserver } from '../database/sqlite.ts';
import type { ReadStatements } from '../database/statements.ts';
import type { CommandKind, Input, Result } from '../port/commands.ts';
import type { ChangeCounters } from '../port/store.ts';
import type { Writer } from './writer.ts';

export interface StoreSettings
  extends Pick<AgentConfig, 'historyDays' | 'historyRevisionsMin' | 'externalWriteback'> {
  /** Maximum size of unreferenced content in the history; absent: unlimited. */
  readonly historyBytesMax?: number;
  /** Events and finished operations that are retained whatever their age; default 1,000,000. */
  readonly feedRowsMin?: number;
  /** Bound on the size of the database in pages of 4 KiB; absent: SQLite's own. Beyond it writes fail as on a full disk. */
  readonly databasePagesMax?: number;
}

export interface StoreOptions {
  readonly dataDir: string;
  readonly logger: StoreLogger;
  readonly observer?: StoreObserver;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly settings: StoreSettings;
  /** Called when the lock of the data directory is taken; the result is called right before the lock is released. */
  readonly onLocked?: () => () => void;
}

/** What the parts of the port share. */
export interface StoreDeps {
  readonly options: StoreOptions;
  readonly databaseFile: string;
  readonly blobs: BlobFiles;
  readonly writer: Writer;
  readonly changes: ChangeCounters;
  /** Runs a read on the main thread's connection: its storage faults become the port's, a slow one is logged by its name. */
  readonly read: <T>(name: string, look: (statements: ReadStatements) => T | Promise<T>) => Promise<T>;
  readonly send: <Kind extends CommandKind>(name: Kind, input: Input<Kind>) => Promise<Result<Kind>>;
}
