// Who may stage in a fork, rebase, commit or discard it: its creator, the owner, and subjects with write access to every staged
// path. Any other subject would change or destroy what is hidden from it.

import { grantsScope } from '../../../core/access/scope.ts';
import type { AccessSubject, Actor } from '../../../core/entry.ts';
import type { ReadStatements } from '../../database/statements.ts';
import type { OpenFork } from './rows.ts';
import { stagedPaths } from './rows.ts';
import { ForkView } from './view.ts';
import { ForkVisibility } from './visibility.ts';

export function mayChangeFork(
  statements: ReadStatements,
  fork: OpenFork,
  { access, actor }: { readonly access: AccessSubject | null; readonly actor: Pick<Actor, 'tokenId'> },
): boolean {
  if (access === null || (actor.tokenId !== null && fork.creatorTokens.includes(actor.tokenId))) return true;
  const paths = statements
    .all<{ path: string }>('SELECT path FROM fork_paths WHERE fork = ?', fork.number)
    .map(({ path }) => path);
  if (!paths.every((path) => grantsScope(access.scopes, 'fs:write', path))) return false;
  const visibility = new ForkVisibility(statements, new ForkView(statements, fork), access);
  if (visibility.isOpen) return true;
  return stagedPaths(statements, fork).every(({ path, file }) =>
    file === null ? visibility.allowsNew(path) : visibility.allows({ entry: file, rules: null }),
  );
}
