// What the writer understands about forks.

import type { Handlers } from '../../port/commands.ts';
import type { ChangeDeps } from '../change/change-files.ts';
import { findActiveWorkspace } from '../workspaces/workspaces.ts';
import { changeFork, createFork, endFork } from './changes.ts';
import { commitFork, rebaseFork } from './commit.ts';
import { mayChangeFork } from './permission.ts';
import { openFork } from './rows.ts';

export function forkHandlers(
  deps: ChangeDeps,
): Handlers<'create_fork' | 'change_fork' | 'commit_fork' | 'rebase_fork' | 'discard_fork'> {
  const { statements } = deps;
  return {
    create_fork: (input) => createFork(deps, input),
    change_fork: (input) => changeFork(deps, input),
    commit_fork: (input) => commitFork(deps, input),
    rebase_fork: (input) => rebaseFork(deps, input),
    discard_fork(input) {
      const { workspaceId, forkId, atMs } = input;
      const workspace = findActiveWorkspace(statements, workspaceId);
      const fork = workspace === null ? null : openFork(statements, workspace, forkId);
      if (fork === null) return { kind: 'missing' };
      if (!mayChangeFork(statements, fork, input)) return { kind: 'forbidden' };
      endFork(statements, fork.number, atMs);
      return { kind: 'discarded' };
    },
  };
}
