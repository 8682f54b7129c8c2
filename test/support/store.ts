// A real store in a folder of the test's own, with a clock that the test moves, and short ways to change files.
import { onTestFinished } from 'vitest';
import type { ChangeFiles, FileChange, Precondition, WriteFile } from '../../server/core/change/change.ts';
import type { FileEntry } from '../../server/core/entry.ts';
import type { StoreSettings } from '../../server/store/adapters/store-parts.ts';
import type { StoreLogger } from '../../server/store/database/sqlite.ts';
import type { Snapshot, Store } from '../../server/store/port/store.ts';
import { openEngine } from './hub-database.ts';
import { tempFolder } from './temp-folder.ts';

export const testWorkspace = 'rw_test0001';
export const dayMs = 24 * 60 * 60 * 1000;

export class TestClock {
  now = Date.UTC(2026, 0, 1);
  nowMs(): number {
    return this.now;
  }
}

export interface LogLine {
  readonly level: 'warn' | 'error';
  readonly details: object;
  readonly message: string;
}

export interface TestStore {
  readonly store: Store;
  readonly clock: TestClock;
  readonly dataDir: string;
  readonly log: LogLine[];
  write(
    path: string,
    text: string | Uint8Array,
    more?: Partial<Omit<WriteFile, 'kind' | 'path'>>,
  ): Promise<WriteFile>;
  change(changes: readonly FileChange[], more?: Partial<ChangeFiles>): ReturnType<Store['content']['change']>;
  /** Writes one file and returns its revision; throws when it is refused. */
  put(
    path: string,
    text?: string | Uint8Array,
    more?: Partial<Omit<WriteFile, 'kind' | 'path'>>,
  ): Promise<number>;
  remove(path: string, precondition?: Precondition): ReturnType<Store['content']['change']>;
  textOf(path: string): Promise<string | null>;
}

export const any: Precondition = { kind: 'any' };

export async function openTestStore(
  options: {
    readonly dataDir?: string;
    readonly settings?: Partial<StoreSettings>;
    readonly clock?: TestClock;
    /** The database of a hub, whatever this run of the tests is about. */
    readonly hubUrl?: string;
  } = {},
): Promise<TestStore> {
  const dataDir = options.dataDir ?? tempFolder('mooring-store');
  const clock = options.clock ?? new TestClock();
  const log: LogLine[] = [];
  const logger: StoreLogger = {
    info: () => undefined,
    warn: (details, message) => void log.push({ level: 'warn', details, message }),
    error: (details, message) => void log.push({ level: 'error', details, message }),
  };
  const settings = {
    historyDays: 30,
    historyRevisionsMin: 20,
    externalWriteback: 'auto' as const,
    ...options.settings,
  };
  const store = await openEngine({ dataDir, logger, clock, settings }, options.hubUrl);
  onTestFinished(() => store.close());
  await store.workspaces.create({ workspaceId: testWorkspace, name: 'Test', createdAtMs: clock.now });
  const change: TestStore['change'] = (changes, more = {}) =>
    store.content.change({
      kind: 'change_files',
      workspaceId: testWorkspace,
      changes,
      atomic: false,
      actor: { kind: 'token', name: 'tester', tokenId: 'tok_1' },
      origin: 'agent_write',
      access: null,
      correlationId: 'corr-test',
      makesOperations: true,
      ...more,
    });
  const write: TestStore['write'] = async (path, text, more = {}) => ({
    kind: 'write_file',
    path,
    precondition: any,
    content: await store.content.stage(typeof text === 'string' ? Buffer.from(text) : text),
    defaultContentType: 'text/plain',
    encoding: 'utf-8',
    ...more,
  });
  return {
    store,
    clock,
    dataDir,
    log,
    change,
    write,
    async put(path, text = `text of ${path}`, more = {}) {
      const [result] = await change([await write(path, text, more)]);
      if (!result?.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
      return result.revision;
    },
    remove: (path, precondition = any) => change([{ kind: 'delete_file', path, precondition }]),
    async textOf(path) {
      const entry = await store.files.get(testWorkspace, path);
      if (entry?.type !== 'file') return null;
      const bytes = await store.files.read(entry.hash);
      return bytes === null ? null : Buffer.from(bytes).toString('utf8');
    },
  };
}

/** All pages of a snapshot. */
export async function allFiles(
  snapshot: Snapshot,
  ...of: Parameters<Snapshot['files']>
): Promise<readonly FileEntry[]> {
  const files: FileEntry[] = [];
  for await (const page of snapshot.files(...of)) files.push(...page);
  return files;
}
