// mooring fork create|list|show|diff|rebase|commit|discard
import { type Command, InvalidArgumentError } from 'commander';
import { type ForkChange, type ForkConflict, ParentMovedError } from '../../../sdk/index.ts';
import { withDataDir, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { formatBytes, note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

export function registerFork(program: Command): void {
  const fork = program
    .command('fork')
    .description('views of a workspace with changes of their own, committed as one or given up');
  withJson(
    withWorkspace(
      fork
        .command('create')
        .description('make a fork of the workspace as it stands now; prints its id')
        .argument('<proposal>', 'what it is for; the same again answers the fork that it has'),
    ).option('--ttl-seconds <seconds>', 'how long it lives (default: 7 days, at most 30)', parseSeconds),
  ).action(create);
  withJson(withWorkspace(fork.command('list').description('open forks, oldest first'))).action(list);
  withJson(
    withWorkspace(withFork(fork.command('show').description('what a fork has staged, and what conflicts'))),
  ).action(show);
  withJson(
    withWorkspace(
      withFork(fork.command('diff').description('what a commit would change of the workspace as it is now')),
    ),
  )
    .option('--patch', 'line by line, for "git apply"')
    .action(diff);
  withJson(
    withWorkspace(withFork(fork.command('rebase').description('bring a fork up to date with its workspace'))),
  ).action(rebase);
  withJson(
    withWorkspace(
      withFork(fork.command('commit').description('make all that a fork has staged part of the workspace')),
    ),
  ).action(commit);
  withDataDir(
    withWorkspace(
      withFork(fork.command('discard').description('give a fork up with all that it has staged')),
    ),
  ).action(discard);
}

function withFork(command: Command): Command {
  return command.argument('<forkId>', 'from "fork list"');
}

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

async function create(
  proposalId: string,
  options: WorkspaceOptions & { readonly ttlSeconds?: number },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { ttlSeconds } = options;
  const fork = await client.forks.create(workspaceId, {
    proposalId,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  });
  if (options.json) return printJson(fork);
  print(fork.forkId);
  note(`It shows the workspace as of ${fork.parentRevision} and lives until ${fork.expiresAt}.`);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const forks = await client.forks.list(workspaceId);
  if (options.json) return printJson({ forks });
  printTable(
    ['FORK', 'PROPOSAL', 'BY', 'WRITES', 'DELETES', 'SIZE', 'UNTIL'],
    forks.map((fork) => [
      fork.forkId,
      fork.proposalId,
      fork.createdBy,
      String(fork.writtenCount),
      String(fork.deletedCount),
      formatBytes(fork.bytes),
      fork.expiresAt,
    ]),
  );
  if (forks.length === 0) note('No fork is open.');
}

async function show(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const fork = await client.forks.get(workspaceId, forkId);
  const changes = [];
  for await (const change of client.forks.staged(workspaceId, forkId, { limit: 1_000 })) changes.push(change);
  if (options.json) return printJson({ ...fork, changes });
  printTable(
    ['WHAT', 'SIZE', 'MADE ON', 'NOW', '', 'PATH'],
    changes.map(({ forkType, size, madeOn, liveRevision, conflicts, path }) => [
      forkType,
      size === undefined ? '' : formatBytes(size),
      madeOn ?? 'nothing',
      liveRevision === '0' ? 'nothing' : liveRevision,
      conflicts ? 'conflict' : '',
      path,
    ]),
  );
  if (changes.length === 0) note('It has staged nothing.');
}

async function diff(forkId: string, options: WorkspaceOptions & { readonly patch?: true }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const patch = options.patch === true;
  const changes: ForkChange[] = [];
  for await (const change of client.forks.staged(workspaceId, forkId, { limit: 1_000, patch })) {
    // Both came to the same: a commit has nothing to do there.
    if (change.forkType === 'delete' && !change.liveExists) continue;
    if (options.json || !patch) changes.push(change);
    else printPatch(change);
  }
  if (options.json) return printJson({ changes });
  if (patch) return;
  printTable(
    ['WHAT', 'SIZE', 'PATH'],
    changes.map((change) => [
      whatOf(change),
      change.size === undefined ? '' : formatBytes(change.size),
      change.path,
    ]),
  );
  if (changes.length === 0) note('A commit would change nothing.');
}

function whatOf({ forkType, liveExists }: ForkChange): string {
  if (forkType === 'delete') return 'delete';
  return liveExists ? 'change' : 'add';
}

/** What cannot be shown line by line is said beside the patch, so that what goes to stdout can be applied. */
function printPatch(change: ForkChange): void {
  const { diff, path } = change;
  if (diff?.patch !== undefined && diff.patch !== '') {
    print(diff.patch.replace(/\n$/, ''));
    return;
  }
  const reason = {
    none: 'the workspace’s file may not be read',
    text: 'the same bytes, other metadata',
    too_different: 'too different to show line by line',
    binary: 'no text',
    too_large: 'too large to be compared',
  }[diff?.kind ?? 'none'];
  note(`${whatOf(change)} ${path}: ${reason}`);
}

async function rebase(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const rebased = await client.forks.rebase(workspaceId, forkId);
  if (options.json) return printJson(rebased);
  printConflicts(rebased.conflicts);
  note(
    `It shows the workspace as of ${rebased.parentRevision}; ${rebased.cleanCount} staged paths are clean.`,
  );
  if (rebased.conflicts.length > 0) note('Write or delete each of these in the fork with If-Match at NOW.');
}

async function commit(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const committed = await client.forks.commit(workspaceId, forkId).catch((error: unknown) => {
    if (!(error instanceof ParentMovedError)) throw error;
    printConflicts(error.conflicts);
    throw new CommandFailure(
      exitCodes.failed,
      'Others have changed these paths since; nothing was committed.',
      `Bring it up to date with "mooring fork rebase ${forkId}", settle them, commit again.`,
    );
  });
  if (options.json) return printJson(committed);
  note(`Written ${committed.writtenCount}, deleted ${committed.deletedCount}, at ${committed.revision}.`);
}

function printConflicts(conflicts: readonly ForkConflict[]): void {
  printTable(
    ['WHAT', 'NOW', 'PATH'],
    conflicts.map(({ forkType, liveRevision, path }) => [forkType, liveRevision, path]),
  );
}

async function discard(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  await client.forks.discard(workspaceId, forkId);
  note('There is no such fork any more.');
}
