// Records in the base, in memory and in the store, what is already equal on both sides or missing on both. It changes neither
// side.
import type { Plan } from '../../core/sync/plan.ts';
import type { BaseRow } from '../../store/port/store.ts';
import type { SyncContext } from '../state/context.ts';
import { inSlices } from '../state/slices.ts';
import { baseRow } from '../state/trees.ts';

const rowsPerCommit = 2000;

type Agreeing = Pick<SyncContext, 'clock' | 'mirrorId' | 'problems' | 'store' | 'trees'>;

export async function recordBase(
  { clock, mirrorId, problems, store, trees }: Agreeing,
  steps: Plan['toBase'],
): Promise<void> {
  const upserts: BaseRow[] = [];
  const removals: string[] = [];
  await inSlices(steps, clock, ({ path, hash }) => {
    const local = trees.localAt(path);
    const workspace = trees.workspaceAt(path);
    if (hash === null) {
      if (local?.kind === 'directory') trees.setLocal(path, null);
      trees.agree(path, null);
      removals.push(path);
    } else if (local?.kind === 'file' && workspace !== null) {
      const row = baseRow(path, local, workspace.revision);
      trees.agree(path, row);
      upserts.push(row);
    }
    problems.succeed(path);
  });
  for (let at = 0; at < Math.max(upserts.length, removals.length); at += rowsPerCommit) {
    await store.mirrors.saveBase({
      mirrorId,
      upserts: upserts.slice(at, at + rowsPerCommit),
      removals: removals.slice(at, at + rowsPerCommit),
    });
  }
}

/** The base forgets the files that the folder lacks, so that they are new in the workspace. A directory in a file's place is none. */
export async function removeMissingFromBase({ clock, mirrorId, store, trees }: Agreeing): Promise<void> {
  const missing: string[] = [];
  await inSlices(trees.basePaths(), clock, (path) => {
    const local = trees.localAt(path);
    if (local === null || local.kind === 'directory') missing.push(path);
  });
  await inSlices(missing, clock, (path) => trees.agree(path, null));
  await store.mirrors.saveBase({ mirrorId, upserts: [], removals: missing });
}
