// Records a write that the disk refused as a problem of its path: the cause, and what to do (docs/sync-rules.md#21).
import { nameOf, parentOf } from '../../core/paths/path.ts';
import { numberedName } from '../../disk/names/name-rules.ts';
import type { FolderOperation, OperationOutcome } from '../../disk/port/folder.ts';
import type { SyncContext } from '../state/context.ts';
import { busy } from '../state/problems.ts';

/** For files of a disk that is mounted inside the folder. */
export const mountPointAdvice = 'No action needed. To sync that disk, add a mirror for it.';

/** `taken`: collects names of conflict copies that turned out to be taken. */
export function recordRefused(
  context: SyncContext,
  operation: FolderOperation,
  outcome: Extract<OperationOutcome, { ok: false }>,
  taken: Set<string>,
): void {
  const { path } = operation;
  switch (outcome.reason) {
    case 'changed':
    case 'root':
      context.problems.collide(path, busy('The file keeps changing while Mooring writes it.'));
      break;
    case 'taken':
      if (operation.kind !== 'remove' && operation.asidePath !== null) taken.add(operation.asidePath);
      context.problems.collide(path, busy(outcome.detail));
      break;
    case 'directory':
      // Scans do not report a directory without synced files, but the planner must know that it occupies the path.
      context.trees.setLocal(path, { kind: 'directory' });
      context.problems.collide(path, busy(outcome.detail));
      break;
    case 'link':
      context.problems.fail(path, {
        kind: 'symlink',
        cause: `Mooring does not write through links: ${outcome.detail}`,
        next: `Replace ${parentOf(path) ?? '/'} with a folder.`,
      });
      break;
    case 'other_disk':
      context.problems.fail(path, { kind: 'other_disk', cause: outcome.detail, next: mountPointAdvice });
      break;
    case 'spelling':
      context.problems.fail(path, {
        kind: 'collision',
        cause: outcome.detail,
        next: `Rename one of them, in the workspace for example to "${numberedName(nameOf(path))}".`,
      });
      break;
    case 'failed':
      context.problems.fail(path, {
        kind: 'write_failed',
        cause: `Cannot ${operation.kind === 'remove' ? 'remove' : 'write'} ${nameOf(path)}: ${outcome.code}.`,
        next: nextStep(outcome.code),
      });
      break;
  }
}

function nextStep(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free space on the disk.';
    case 'EACCES':
    case 'EPERM':
      return 'Give the agent permission to write there.';
    case 'EROFS':
      return 'Mount the disk with write access.';
    case 'ENAMETOOLONG':
      return 'Give the file a shorter name.';
    default:
      return 'Check the disk. Mooring retries automatically.';
  }
}
