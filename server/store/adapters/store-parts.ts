// Options of the store, and what its adapters share.
import type { Clock } from '../../platform/clock.ts';
import type { AgentConfig } from '../../platform/config/config.ts';
import type { ReadThrough } from '../adapters/reads.ts';
import type { BlobFiles } from '../contents/blob-files.ts';
import type { BlobStore } from '../contents/blob-store.ts';
import type { StoreLogger, StoreObserver } from '../database/sqlite.ts';
import type { SentAccess } from '../port/access.ts';
import type { CommandKind, Input, Result } from '../port/commands.ts';
import type { ChangeCounters, SharedState, Snapshot } from '../port/store.ts';
import type { Writer } from '../writer/writer.ts';

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

/** What the parts of the port share, whichever engine stores. */
export interface StoreDeps {
  readonly options: StoreOptions;
  readonly blobs: BlobStore;
  readonly changes: ChangeCounters;
  /** Runs a read: its storage faults become the port's, a slow one is logged by its name. */
  readonly read: ReadThrough;
  readonly send: <Kind extends CommandKind>(name: Kind, input: Input<Kind>) => Promise<Result<Kind>>;
  /** Of a path that is written; absent: the limit of the API. */
  readonly pathBytesMax?: number;
  readonly openSnapshot: () => Promise<Snapshot>;
  readonly shared: SharedState | null;
  readonly openReader: () => SentAccess;
}

/** With what only the maintenance of a database file needs. */
export interface SqliteDeps extends StoreDeps {
  readonly databaseFile: string;
  readonly blobs: BlobFiles;
  readonly writer: Writer;
}
