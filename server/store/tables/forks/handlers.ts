// What the writer understands about forks.

import type { Handlers } from '../../port/commands.ts';
import type { ChangeParts } from '../change/change-files.ts';
import { findActiveWorkspace } from '../workspaces/workspaces.ts';
import { changeFork, createFork, endFork } from './changes.ts';
import { commitFork, rebaseFork } from './commit.ts';
import { mayChangeFork } from './permission.ts';
import { openFork } from './rows.ts';

export function forkHandlers(
  parts: ChangeParts,
): Handlers<'create_fork' | 'change_fork' | 'commit_fork' | 'rebase_fork' | 'discard_fork'> {
  const { statements } = parts;
  return {
    create_fork: (input) => createFork(parts, input),
    change_fork: (input) => changeFork(parts, input),
    commit_fork: (input) => commitFork(parts, input),
    rebase_fork: (input) => rebaseFork(parts, input),
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
