// Decides whether a subject may still see events of a path, by the current rules; those of the event's time were applied when it
// happened.

import type { AccessSubject } from '../../../core/entry.ts';
import type { ReadStatements } from '../../database/statements.ts';
import { entryAt } from '../files/files.ts';
import { AccessView } from '../files/visible-files.ts';

/** One read of the rules, for many paths in one transaction. */
export function visiblePaths(
  statements: ReadStatements,
  workspace: number,
  access: AccessSubject | null,
): (path: string) => boolean {
  const view = new AccessView(statements, workspace, access);
  return (path) => {
    if (view.isOpen) return true;
    const entry = entryAt(statements, workspace, path);
    return entry?.type === 'file' ? view.allowsFile(entry) : view.allowsNew(path);
  };
}
