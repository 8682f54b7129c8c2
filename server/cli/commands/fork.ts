// mooring fork create|list|show|diff|rebase|commit|discard: staged changes that are committed together.
import { type Command, InvalidArgumentError } from 'commander';
import { type ForkChange, type ForkConflict, ParentMovedError } from '../../../sdk/index.ts';
import { defined, withDataDir, withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { failure } from '../shared/failure.ts';
import { formatAge, formatBytes, note, plural, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

export function registerFork(program: Command): void {
  const fork = program.command('fork').description('create, inspect, commit and discard forks');
  const named = (verb: string, description: string) =>
    workspaceVerb(fork, verb, description, ['<FORK>', 'id from "fork list"']);
  withJson(
    workspaceVerb(fork, 'create', 'create a fork of the workspace and print its id', [
      '<PROPOSAL>',
      'proposal id (an existing one returns its fork)',
    ]).option('--ttl-seconds <N>', 'lifetime (default: 7 days, maximum: 30 days)', parseSeconds),
  ).action(create);
  withJson(workspaceVerb(fork, 'list', 'list open forks, oldest first')).action(list);
  withJson(named('show', 'show staged changes and conflicts')).action(show);
  withJson(named('diff', 'show the changes that a commit would make'))
    .option('--patch', 'print a patch for "git apply"')
    .action(diff);
  withJson(named('rebase', 'rebase a fork onto the current workspace')).action(rebase);
  withJson(named('commit', 'commit all staged changes into the workspace')).action(commit);
  withDataDir(named('discard', 'discard a fork and its staged changes')).action(discard);
}

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Enter a number of seconds.');
  return Number(text);
}

async function create(
  proposalId: string,
  options: WorkspaceOptions & { readonly ttlSeconds?: number },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { ttlSeconds } = options;
  const fork = await client.forks.create(workspaceId, { proposalId, ...defined({ ttlSeconds }) });
  if (options.json) return printJson(fork);
  print(fork.forkId);
  note(`Based on ${fork.parentRevision}, expires at ${formatTime(fork.expiresAt)}.`);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const forks = await client.forks.list(workspaceId);
  if (options.json) return printJson({ forks });
  printTable(
    ['FORK', 'PROPOSAL', 'CREATED BY', 'WRITES', 'DELETES', 'SIZE', 'EXPIRES'],
    forks.map((fork) => [
      fork.forkId,
      fork.proposalId,
      fork.createdBy,
      fork.writtenCount === 0 ? '' : String(fork.writtenCount),
      fork.deletedCount === 0 ? '' : String(fork.deletedCount),
      formatBytes(fork.bytes),
      `in ${formatAge(Date.parse(fork.expiresAt) - Date.now())}`,
    ]),
  );
  if (forks.length === 0) note('No open forks.');
}

async function show(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const fork = await client.forks.get(workspaceId, forkId);
  const changes = [];
  for await (const change of client.forks.staged(workspaceId, forkId, { limit: 1_000 })) changes.push(change);
  if (options.json) return printJson({ ...fork, changes });
  printTable(
    ['ACTION', 'SIZE', 'BASE REVISION', 'CURRENT REVISION', '', 'PATH'],
    changes.map(({ forkType, size, madeOn, liveRevision, conflicts, path }) => [
      forkType,
      size === undefined ? '' : formatBytes(size),
      madeOn ?? 'none',
      liveRevision === '0' ? 'none' : liveRevision,
      conflicts ? 'conflict' : '',
      path,
    ]),
  );
  if (changes.length === 0) note('No staged changes.');
}

async function diff(forkId: string, options: WorkspaceOptions & { readonly patch?: true }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const patch = options.patch === true;
  const changes: ForkChange[] = [];
  for await (const change of client.forks.staged(workspaceId, forkId, { limit: 1_000, patch })) {
    // The workspace has deleted the file as well, so a commit does not change it.
    if (change.forkType === 'delete' && !change.liveExists) continue;
    if (options.json || !patch) changes.push(change);
    else printPatch(change);
  }
  if (options.json) return printJson({ changes });
  if (patch) return;
  printTable(
    ['ACTION', 'SIZE', 'PATH'],
    changes.map((change) => [
      actionOf(change),
      change.size === undefined ? '' : formatBytes(change.size),
      change.path,
    ]),
  );
  if (changes.length === 0) note('No changes: the workspace already matches.');
}

function actionOf({ forkType, liveExists }: ForkChange): string {
  if (forkType === 'delete') return 'delete';
  return liveExists ? 'change' : 'add';
}

/** A change without a patch is reported on stderr, so that stdout remains a valid patch. */
function printPatch(change: ForkChange): void {
  const { diff, path } = change;
  if (diff?.patch !== undefined && diff.patch !== '') {
    print(diff.patch.replace(/\n$/, ''));
    return;
  }
  const reason = {
    none: 'no permission to read the file of the workspace',
    text: 'same content, different metadata',
    too_different: 'too different to compare by line',
    binary: 'binary file',
    too_large: 'file too large to compare',
  }[diff?.kind ?? 'none'];
  note(`${actionOf(change)} ${path}: ${reason}`);
}

async function rebase(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const rebased = await client.forks.rebase(workspaceId, forkId);
  if (options.json) return printJson(rebased);
  printConflicts(rebased.conflicts);
  note(
    `Rebased onto ${rebased.parentRevision}: ${plural(rebased.cleanCount, 'staged change')} without conflict.`,
  );
  if (rebased.conflicts.length > 0)
    note(
      'To resolve a conflict, write or delete the path in the fork with its CURRENT REVISION as If-Match.',
    );
}

async function commit(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId, workspaceArgument } = await connectToWorkspace(options);
  const committed = await client.forks.commit(workspaceId, forkId).catch((error: unknown) => {
    if (!(error instanceof ParentMovedError)) throw error;
    printConflicts(error.conflicts);
    throw failure(
      'Nothing was committed: the workspace has newer revisions of these paths.',
      `Rebase with "mooring fork rebase ${forkId} --workspace ${workspaceArgument}", resolve the conflicts and commit again.`,
    );
  });
  if (options.json) return printJson(committed);
  const { writtenCount, deletedCount, revision } = committed;
  note(`Committed at ${revision}: ${writtenCount} written, ${deletedCount} deleted.`);
}

function printConflicts(conflicts: readonly ForkConflict[]): void {
  printTable(
    ['ACTION', 'CURRENT REVISION', 'PATH'],
    conflicts.map(({ forkType, liveRevision, path }) => [forkType, liveRevision, path]),
  );
}

async function discard(forkId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  await client.forks.discard(workspaceId, forkId);
  note(`Discarded ${forkId}.`);
}
