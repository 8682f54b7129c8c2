// The three trees at some paths: the base, the local workspace and the other server, loaded for one plan. The planner's "folder" is the
// local workspace, and its "workspace" the other server's, so the version of the other server keeps the path in a conflict.
import type { FileEntry } from '../../core/entry.ts';
import { ancestorsOf } from '../../core/paths/path.ts';
import type { Trees } from '../../core/sync/plan.ts';
import { TimeSlices } from '../../platform/event-loop.ts';
import type { RemoteBaseRow } from '../../store/port/store.ts';
import type { RemoteFile } from '../client/remote-server.ts';
import type { RemoteContext } from './context.ts';

const basePageRows = 1_000;

export interface Slice {
  readonly trees: Trees;
  localAt(path: string): FileEntry | null;
  remoteAt(path: string): RemoteFile | null;
  baseAt(path: string): RemoteBaseRow | null;
}

/** Every candidate's hash on the other server must be known (`read-unknown.ts`). */
export async function loadSlice(context: RemoteContext, paths: readonly string[]): Promise<Slice> {
  const { workspaces, row, store, differences, clock } = context;
  const asked = new Set(paths.flatMap((path) => [path, ...ancestorsOf(path)]));
  const base = new Map(
    (await store.remotes.baseOf(row.remoteId, [...asked])).map((entry) => [entry.path, entry]),
  );
  const local = new Map<string, FileEntry>();
  const directories = new Set<string>();
  // The reads of an agent wait for nothing: a thousand paths would hold the main thread for a third of a second.
  const slices = new TimeSlices(clock);
  for (const path of asked) {
    await slices.next();
    if (path === '/') continue;
    const entry = await workspaces.getEntry(row.workspaceId, path);
    if (entry?.type === 'file') local.set(path, entry);
    else if (entry !== null) directories.add(path);
  }
  const remoteDirectories = new Set<string>();
  for (const path of paths) {
    await slices.next();
    if (local.has(path) && (await holdsRemote(context, path))) remoteDirectories.add(path);
  }
  const baseAt = (path: string) => base.get(path) ?? null;
  const remoteAt = (path: string) => differences.fileAt(path, baseAt(path));
  const trees: Trees = {
    candidates: paths,
    base(path) {
      const entry = baseAt(path);
      return entry === null ? null : { hash: entry.hash, inode: '' };
    },
    local(path) {
      const entry = local.get(path);
      return entry === undefined ? null : { kind: 'file', hash: entry.hash, inode: '' };
    },
    workspace(path) {
      const file = remoteAt(path);
      if (file === null) return null;
      return file.hash === null ? { kind: 'blocked', hash: '' } : { kind: 'file', hash: file.hash };
    },
    localHolds: (path) => directories.has(path),
    workspaceHolds: (path) => remoteDirectories.has(path),
  };
  return { trees, localAt: (path) => local.get(path) ?? null, remoteAt, baseAt };
}

/** Does the other server have files below this path? */
async function holdsRemote({ differences, store, row }: RemoteContext, directory: string): Promise<boolean> {
  if (differences.holdsBelow(directory)) return true;
  let after = '';
  for (;;) {
    const page = await store.remotes.basePathsBelow(row.remoteId, directory, after, basePageRows);
    if (page.some((path) => !differences.isGone(path))) return true;
    const last = page.at(-1);
    if (last === undefined || page.length < basePageRows) return false;
    after = last;
  }
}
