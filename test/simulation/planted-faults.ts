// Faults of the kind that engines have, planted from outside: a part that the engine stands on is replaced by one that breaks
// one rule of it. Each must be caught by the simulation, or the simulation proves nothing about that rule.

import { tempPrefix } from '../../server/disk/names/ignore.ts';
import type { FileSystem } from '../../server/disk/port/file-system.ts';
import type { Folder, FolderOperation, ScanResult } from '../../server/disk/port/folder.ts';
import { readWhole } from '../../server/disk/tree/read-file.ts';
import type { BaseRow, Store } from '../../server/store/port/store.ts';
import type { PlantedFault } from './agent-lives.ts';

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'the target is not looked at again before it is replaced or removed',
    caughtBySeed: 82,
    folder: (folder, disk, root) => ({
      ...folder,
      apply: (operations) => folder.apply(operations.map((operation) => asItStands(operation, disk, root))),
    }),
  },
  {
    name: 'there is no journal',
    caughtBySeed: 8,
    store: (store) => withMirrors(store, { openIntents: async () => [] }),
  },
  {
    name: 'a file that was touched a moment ago is trusted by its times',
    caughtBySeed: 247,
    diskAheadMs: 10_000,
    folder: (folder) => ({
      ...folder,
      open: (options) =>
        folder.open({
          ...options,
          known: options.known.map((files) => ({ ...files, trusted: files.trusted.map(() => 1) })),
        }),
    }),
  },
  {
    name: 'the watcher is believed and nothing is scanned after the first time',
    caughtBySeed: 31,
    folder: (folder) => {
      let scanned = false;
      return {
        ...folder,
        scan: (scope) => {
          const first = !scanned;
          scanned = true;
          return folder.scan(first ? scope : 'dirty');
        },
      };
    },
  },
  {
    name: 'what was written is taken for an echo for a second',
    caughtBySeed: 14,
    folder: (folder) => withoutRecentlyWritten(folder),
  },
  {
    name: 'another spelling of a name is taken for another name',
    caughtBySeed: 13,
    fileSystem: (fs) => ({
      ...fs,
      lstat: (path) => (/\/(?:PROBE-CASE|probe-e\u0301)$/.test(path) ? null : fs.lstat(path)),
    }),
  },
  {
    name: 'the form of a name that a listing shows is taken for the name',
    caughtBySeed: 13,
    fileSystem: (fs) => ({
      ...fs,
      list: (directory) =>
        directory.endsWith('/.mooring')
          ? { names: ['probe-\u00e9'], unreadableNames: [] }
          : fs.list(directory),
    }),
  },
  {
    name: 'the temporary file is not synced before its rename',
    caughtBySeed: 8,
    fileSystem: (fs) => ({ ...fs, syncAll: async (handles) => handles.map(() => null) }),
  },
  {
    name: 'the directory is not synced after a rename',
    caughtBySeed: 2,
    fileSystem: (fs) => ({ ...fs, syncDirectory: () => undefined }),
  },
  {
    name: 'what the folder does not hold is deleted in the workspace without a base',
    caughtBySeed: 6,
    store: (store) => ({
      ...store,
      mirrors: {
        ...store.mirrors,
        async loadBase(mirrorId, take) {
          const base: BaseRow[] = [];
          await store.mirrors.loadBase(mirrorId, (rows) => base.push(...rows));
          const mirror = (await store.mirrors.list())[0];
          const files = await store.files.list(mirror?.workspaceId ?? '', '/', null, 1000);
          const known = new Set(base.map(({ path }) => path));
          const identity = { mtimeNs: '1', ctimeNs: '1', inode: '1', mode: 0o644, trusted: true };
          take([
            ...base,
            ...files
              .filter(({ path }) => !known.has(path))
              .map(({ path, hash, revision, sizeBytes }) => ({
                path,
                hash,
                revision,
                sizeBytes,
                ...identity,
              })),
          ]);
        },
      },
    }),
  },
  {
    name: 'what is agreed on is noted before it is done',
    caughtBySeed: 10,
    store: (store) => withBaseAhead(store),
  },
  {
    name: 'a listing that breaks off is taken for a whole one',
    caughtBySeed: 11,
    workspaces: (service) => ({
      ...service,
      listFiles: async (workspaceId, path, after, limit) =>
        after === null ? (await service.listFiles(workspaceId, path, null, limit)).slice(0, 2) : [],
    }),
  },
  {
    name: 'the folder is sent without saying what it is to replace',
    caughtBySeed: 52,
    workspaces: (service) => ({
      ...service,
      change: (command) =>
        service.change({
          ...command,
          changes: command.changes.map((change) =>
            'precondition' in change ? { ...change, precondition: { kind: 'any' } } : change,
          ),
        }),
    }),
  },
  {
    name: 'an event of the workspace is now and then skipped',
    caughtBySeed: 1,
    store: (store) => {
      let pages = 0;
      return {
        ...store,
        events: {
          ...store.events,
          async list(...query) {
            const page = await store.events.list(...query);
            pages += 1;
            return pages % 5 === 0 ? { ...page, events: page.events.slice(1) } : page;
          },
        },
      };
    },
  },
  {
    name: 'a file is replaced by writing over it',
    caughtBySeed: 2,
    fileSystem: (fs) => ({
      ...fs,
      rename(from, to) {
        if (!from.includes(tempPrefix) || fs.lstat(to) === null) {
          fs.rename(from, to);
          return;
        }
        const outcome = readWhole(fs, from, Number.MAX_SAFE_INTEGER);
        fs.unlink(to);
        const handle = fs.openNew(to, 0o644);
        if (outcome.kind === 'read') fs.write(handle, outcome.bytes);
        fs.close(handle);
        fs.unlink(from);
      },
    }),
  },
  {
    name: 'an answer that may be late makes it send a change again',
    caughtBySeed: 2,
    workspaces: (service) => ({
      ...service,
      async change(command) {
        const results = await service.change(command);
        const again = command.changes.filter(({ kind }) => kind === 'write_file');
        if (again.length > 0) {
          const changes = again.map((change) => ({ ...change, precondition: { kind: 'any' as const } }));
          await service.change({ ...command, changes });
        }
        return results;
      },
    }),
  },
  {
    name: 'a link on the way is taken for the directory that it leads to',
    caughtBySeed: 17,
    fileSystem: (fs) => ({
      ...fs,
      lstat(path) {
        const stat = fs.lstat(path);
        return stat?.kind === 'symlink' && fs.lstat(`${path}/.`) !== null
          ? { ...stat, kind: 'directory' }
          : stat;
      },
    }),
  },
];

/** Whatever stands at the path now is what was planned for. */
function asItStands(operation: FolderOperation, fs: FileSystem, root: string): FolderOperation {
  const now = readWhole(fs, root + operation.path, Number.MAX_SAFE_INTEGER);
  if (now.kind !== 'read' || operation.expected === null) return operation;
  const { sizeBytes, mtimeNs, ctimeNs, inode, mode } = now.stat;
  const expected = {
    kind: 'file' as const,
    hash: now.hash,
    sizeBytes,
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(inode),
    mode,
    trusted: true,
  };
  return { ...operation, expected };
}

function withMirrors(store: Store, replaced: Partial<Store['mirrors']>): Store {
  return { ...store, mirrors: { ...store.mirrors, ...replaced } };
}

function withBaseAhead(store: Store): Store {
  const { mirrors } = store;
  return withMirrors(store, {
    async beginIntents({ mirrorId, rows }) {
      const upserts = rows.flatMap(({ action, path, hash }) =>
        action === 'put' && hash !== null
          ? [
              {
                path,
                hash,
                sizeBytes: 0,
                mtimeNs: '1',
                ctimeNs: '1',
                inode: '1',
                mode: 0o644,
                revision: 1,
                trusted: false,
              },
            ]
          : [],
      );
      await mirrors.saveBase({ mirrorId, upserts, removals: [] });
      return await mirrors.beginIntents({ mirrorId, rows });
    },
  });
}

/** What the folder reports of a path within three scans after it was written there is dropped. */
function withoutRecentlyWritten(folder: Folder): Folder {
  const deaf = new Map<string, number>();
  return {
    ...folder,
    apply(operations) {
      for (const { path } of operations) deaf.set(path, 3);
      return folder.apply(operations);
    },
    async scan(scope): Promise<ScanResult> {
      const result = await folder.scan(scope);
      const changes = [...result.changes].filter(({ path }) => !deaf.has(path));
      for (const [path, left] of deaf) {
        if (left === 1) deaf.delete(path);
        else deaf.set(path, left - 1);
      }
      return { ...result, changes };
    },
  };
}
