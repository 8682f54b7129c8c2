// What the disk or somebody at it refused, as a problem of its path: why, and what to do (sync-engine rule 21).
import { nameOf, parentOf } from '../../core/paths/path.ts';
import { numberedName } from '../../disk/names/name-rules.ts';
import type { FolderOperation, OperationOutcome } from '../../disk/port/folder.ts';
import type { SyncContext } from '../state/context.ts';

/** Of what lies on a disk that is mounted inside the folder. */
export const mountPointAdvice = 'Nothing, or mirror what is on that disk as a folder of its own.';

/** `taken` learns of names beside a path that turned out to be taken. */
export function recordRefused(
  context: SyncContext,
  operation: FolderOperation,
  outcome: Extract<OperationOutcome, { ok: false }>,
  taken: Set<string>,
): void {
  const { path } = operation;
  const again = 'Nothing: it is planned again by itself.';
  switch (outcome.reason) {
    case 'changed':
    case 'root':
      context.problems.collide(path, {
        kind: 'busy',
        cause: 'The file keeps changing while it is written.',
        next: again,
      });
      break;
    case 'taken':
      if (operation.kind !== 'remove' && operation.asidePath !== null) taken.add(operation.asidePath);
      context.problems.collide(path, { kind: 'busy', cause: outcome.detail, next: again });
      break;
    case 'directory':
      // The planner must know what the scan does not report: a directory without synced files is in the way.
      context.trees.setLocal(path, { kind: 'directory' });
      context.problems.collide(path, { kind: 'busy', cause: outcome.detail, next: again });
      break;
    case 'link':
      context.problems.fail(path, {
        kind: 'symlink',
        cause: `Nothing is written through a link: ${outcome.detail}`,
        next: `Make ${parentOf(path) ?? '/'} a folder of its own.`,
      });
      break;
    case 'other_disk':
      context.problems.fail(path, { kind: 'other_disk', cause: outcome.detail, next: mountPointAdvice });
      break;
    case 'spelling':
      context.problems.fail(path, {
        kind: 'collision',
        cause: outcome.detail,
        next: `Rename one of the two, in the workspace for example to "${numberedName(nameOf(path))}".`,
      });
      break;
    case 'failed':
      context.problems.fail(path, {
        kind: 'write_failed',
        cause: `The disk refused ${operation.kind === 'remove' ? 'to remove' : 'to write'} ${nameOf(path)}: ${outcome.code}.`,
        next: nextStep(outcome.code),
      });
      break;
  }
}

function nextStep(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Make room on the disk.';
    case 'EACCES':
    case 'EPERM':
      return 'Give the agent the right to write there.';
    case 'EROFS':
      return 'The disk is read-only: mount it for writing.';
    case 'ENAMETOOLONG':
      return 'Give the file a shorter name.';
    default:
      return 'See the disk; it is tried again by itself.';
  }
}
