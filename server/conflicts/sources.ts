// Where conflicts come from: a mirror, whose folder has the local version, or a remote, whose local version is that of the workspace
// and whose other one is that of the other server. Paths are those of the workspace.
import { forkedWorkspace } from '../mirror/state/forked-workspace.ts';
import { type MirroredWorkspace, workspacePath } from '../mirror/state/scoped-workspace.ts';
import type { ConflictRow, MirrorRow, MirrorStore, RemoteRow, RemoteStore } from '../store/port/store.ts';
import type { ForkService } from '../workspaces/forks.ts';

export interface ConflictSource {
  readonly kind: 'mirror' | 'remote';
  /** `mir_…` or `rem_…` */
  readonly id: string;
  /** The mirrored folder, or the address of the other server. */
  readonly place: string;
  readonly workspaceId: string;
  /** The mirror shows a fork; null: the workspace. */
  readonly forkId: string | null;
  /** Where both versions are files. */
  readonly side: MirroredWorkspace;
  rows(): Promise<readonly ConflictRow[]>;
  /** Its conflict is resolved. */
  close(copyPath: string): Promise<void>;
}

export interface ConflictSourceDeps {
  readonly store: {
    readonly mirrors: Pick<
      MirrorStore,
      'list' | 'listConflicts' | 'removeConflict' | 'openIntents' | 'endIntents'
    >;
    readonly remotes: Pick<RemoteStore, 'list' | 'listConflicts' | 'removeConflict'>;
  };
  readonly workspaces: MirroredWorkspace;
  readonly forks: ForkService;
  /** The conflicts of a mirror have changed. */
  readonly onChange: (mirrorId: string) => Promise<void>;
}

/** Of a workspace and its forks. */
export async function conflictSources(
  deps: ConflictSourceDeps,
  workspaceId: string,
): Promise<readonly ConflictSource[]> {
  const { mirrors, remotes } = deps.store;
  const isHere = (row: { readonly workspaceId: string }): boolean => row.workspaceId === workspaceId;
  return [
    ...(await mirrors.list()).filter(isHere).map((row) => mirrorSource(deps, row)),
    ...(await remotes.list()).filter(isHere).map((row) => remoteSource(deps, row)),
  ];
}

function mirrorSource(
  { store: { mirrors }, workspaces, forks, onChange }: ConflictSourceDeps,
  { mirrorId, dir, rootPath, workspaceId, forkId }: MirrorRow,
): ConflictSource {
  const inWorkspace = (path: string): string => workspacePath(rootPath, path);
  return {
    kind: 'mirror',
    id: mirrorId,
    place: dir,
    workspaceId,
    forkId,
    side: forkId === null ? workspaces : forkedWorkspace(workspaces, forks, forkId),
    rows: async () =>
      (await mirrors.listConflicts(mirrorId)).map((row) => ({
        ...row,
        path: inWorkspace(row.path),
        copyPath: inWorkspace(row.copyPath),
      })),
    close: async (copyPath) => {
      // An intent that is open because the disk failed to make it durable would list the conflict again at the next start.
      const openIntents = (await mirrors.openIntents(mirrorId)).filter(
        ({ action, path }) => action === 'move' && inWorkspace(path) === copyPath,
      );
      await mirrors.endIntents({ mirrorId, ids: openIntents.map(({ id }) => id) });
      for (const row of await mirrors.listConflicts(mirrorId))
        if (inWorkspace(row.copyPath) === copyPath)
          await mirrors.removeConflict({ mirrorId, conflictId: row.conflictId });
      await onChange(mirrorId);
    },
  };
}

function remoteSource(
  { store: { remotes }, workspaces }: ConflictSourceDeps,
  { remoteId, url, workspaceId }: RemoteRow,
): ConflictSource {
  return {
    kind: 'remote',
    id: remoteId,
    place: url,
    workspaceId,
    forkId: null,
    side: workspaces,
    rows: async () =>
      (await remotes.listConflicts(remoteId)).map(({ remoteHash, ...row }) => ({
        ...row,
        workspaceHash: remoteHash,
      })),
    close: async (copyPath) => {
      for (const row of await remotes.listConflicts(remoteId))
        if (row.copyPath === copyPath) await remotes.removeConflict({ remoteId, conflictId: row.conflictId });
    },
  };
}
