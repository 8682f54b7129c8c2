// Wakes loops when the side changes that they show, a workspace or a fork. A change is only a hint: what changed is read from its
// feed, so none is missed.
import type { MirrorRow } from '../../store/port/store.ts';
import type { SyncLoop } from '../loop/loop.ts';
import type { MirrorManagerDeps } from './port.ts';

/** Returns the unsubscribe function. */
export function hintOnChanges(
  { store, forks }: Pick<MirrorManagerDeps, 'store' | 'forks'>,
  loops: ReadonlyMap<string, SyncLoop>,
): () => void {
  const hint = (isMeant: (row: MirrorRow) => boolean) => {
    for (const loop of loops.values()) if (isMeant(loop.row)) loop.hintRemote();
  };
  const ends = [
    store.onCommit(({ workspaces }) => hint((row) => row.forkId === null && workspaces.has(row.workspaceId))),
    forks.changes.onChange((forkId) => hint((row) => row.forkId === forkId)),
  ];
  return () => {
    for (const end of ends) end();
  };
}
