// Why a path stays as it is on one side, in the same words wherever it is asked: the list of problems, and its explanation.
// Reads only what the mirror knows; no I/O.
import type { FolderEntry } from '../../disk/port/folder.ts';
import { mountPointAdvice } from '../actions/disk-refusals.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { UnsyncableFile } from '../state/unsyncable.ts';

export interface StateReason {
  readonly kind: string;
  readonly cause: string;
  readonly next: string;
}

/** Of what only the folder has, in a mirror that never writes the workspace. */
export const localOnlyReason: StateReason = {
  kind: 'kept_here',
  cause: 'It is kept here: this mirror never writes the workspace.',
  next: 'Delete it, or write it to the workspace another way.',
};

export const ignoredReason: StateReason = {
  kind: 'ignored',
  cause: 'It is ignored by this mirror: each side keeps what it has.',
  next: 'Change .mooringignore to have it synced; some names are always ignored.',
};

/** What was done in the folder and may be undone by a power cut: nothing is agreed on before it is durable. */
export const notDurableReason: StateReason = {
  kind: 'not_durable',
  cause: 'It is in the folder, but the disk refuses to make it durable.',
  next: 'See whether the disk is full or failing.',
};

/** null: nothing about the path itself keeps it from being carried. */
export function problemReason(session: SyncSession, path: string): StateReason | null {
  const local = session.trees.localAt(path);
  if (local?.kind === 'blocked') return blocked(local);
  if (session.isIgnored(path)) return ruleFaultReason(session, path) ?? ignoredReason;
  const file = session.trees.workspaceAt(path);
  const held = file === null ? null : session.unsyncable.reason(path, file);
  return held === null ? null : { ...held, next: nextOf(held) };
}

/** Everything below a rule file that is not applied is left alone. */
function ruleFaultReason(session: SyncSession, path: string): StateReason | null {
  const fault = session.ruleFaultAbove(path);
  if (fault === null) return null;
  return {
    kind: ignoredReason.kind,
    cause: `The ignore rules of ${fault.path} are not applied, so each side keeps what it has. ${fault.cause}.`,
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
      return { kind: reason, cause: detail, next: 'Nothing: it stays in the folder only.' };
    case 'unreadable':
      return {
        kind: reason,
        cause: `The agent cannot read it: ${detail}.`,
        next: 'Give the agent the right to read it.',
      };
    case 'name':
      return { kind: reason, cause: detail, next: 'Give it another name.' };
  }
}

function nextOf({ kind, proposal }: UnsyncableFile): string {
  if (kind === 'too_large') return 'Nothing: it stays in the workspace.';
  return proposal === null
    ? 'Move it in the workspace to a directory with a shorter path.'
    : `Rename "${proposal.from}" in the workspace, for example to "${proposal.to}".`;
}
