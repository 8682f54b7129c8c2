// Texts of why a path is not synced, shared by the list of problems and by explain. Reads the state of the session; no I/O.
import type { FolderEntry } from '../../disk/port/folder.ts';
import { mountPointAdvice } from '../actions/disk-refusals.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { UnsyncableFile } from '../state/unsyncable.ts';

export interface StateReason {
  readonly kind: string;
  readonly cause: string;
  readonly next: string;
}

/** For a file of the folder, in a mirror that never uploads. */
export const localOnlyReason: StateReason = {
  kind: 'kept_here',
  cause: 'Local only: this mirror never uploads.',
  next: 'Delete it, or add it to the workspace another way.',
};

export const ignoredReason: StateReason = {
  kind: 'ignored',
  cause: 'Ignored: this mirror does not sync it.',
  next: 'Change .mooringignore to sync it. Some names are always ignored.',
};

/** Written, but a power cut may undo it: the base is not updated before it is durable. */
export const notDurableReason: StateReason = {
  kind: 'not_durable',
  cause: 'Written to the folder, but the disk fails to sync it to storage.',
  next: 'Check whether the disk is full or failing. Mooring retries automatically.',
};

/** null: the path itself can be synced. */
export function problemReason(session: SyncSession, path: string): StateReason | null {
  const local = session.trees.localAt(path);
  if (local?.kind === 'blocked') return blocked(local);
  if (session.folderState.ignores(path)) return ruleFaultReason(session, path) ?? ignoredReason;
  const file = session.trees.workspaceAt(path);
  const unsyncable = file === null ? null : session.unsyncable.reason(path, file);
  return unsyncable === null ? null : { ...unsyncable, next: nextOf(unsyncable) };
}

/** Nothing below a rule file that is not applied is synced. */
function ruleFaultReason(session: SyncSession, path: string): StateReason | null {
  const fault = session.folderState.ruleFaultAbove(path);
  if (fault === null) return null;
  return {
    kind: ignoredReason.kind,
    cause: `The ignore rules of ${fault.path} are not applied, so nothing below it is synced. ${fault.cause}.`,
    next: `Shorten ${fault.path}.`,
  };
}

function blocked({ reason, detail }: Extract<FolderEntry, { kind: 'blocked' }>): StateReason {
  switch (reason) {
    case 'other_disk':
      return { kind: reason, cause: detail, next: mountPointAdvice };
    case 'symlink':
    case 'special_file':
    case 'too_large':
      return { kind: reason, cause: detail, next: 'No action needed. Kept in the folder only.' };
    case 'unreadable':
      return {
        kind: reason,
        cause: `The agent cannot read it: ${detail}.`,
        next: 'Give the agent permission to read it.',
      };
    case 'name':
      return { kind: reason, cause: detail, next: 'Rename it.' };
  }
}

function nextOf({ kind, proposal }: UnsyncableFile): string {
  if (kind === 'too_large') return 'No action needed. Kept in the workspace only.';
  return proposal === null
    ? 'In the workspace, move it to a directory with a shorter path.'
    : `In the workspace, rename "${proposal.from}", for example to "${proposal.to}".`;
}
