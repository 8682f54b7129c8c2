// mooring ops list|show|replay. What was replayed stays replayed when a later one is refused.
import { type Command, Option } from 'commander';
import type {
  MooringClient,
  Operation,
  OperationBulkResult,
  OperationStep,
  ReplayOf,
} from '../../../sdk/index.ts';
import { parseCount, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { counted, note, print, printJson, printTable } from '../shared/output.ts';
import { printPreview } from '../shared/preview-text.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

interface Filter {
  readonly status?: Operation['status'];
  readonly action?: NonNullable<Operation['action']>;
  readonly provider?: string;
}

/** All of them, as the compiler sees to. */
const statuses: Readonly<Record<Operation['status'], true>> = {
  pending: true,
  running: true,
  succeeded: true,
  failed: true,
  dead_lettered: true,
  canceled: true,
};
const actions: Readonly<Record<NonNullable<Operation['action']>, true>> = {
  file_upsert: true,
  file_delete: true,
};

interface ReplayOptions extends WorkspaceOptions, Filter {
  readonly all?: true;
  readonly original?: true;
  readonly dryRun?: true;
}

const listedDefault = 50;
/** What the answer of a list holds at most. */
const pageMax = 1_000;

export function registerOps(program: Command): void {
  const ops = program.command('ops').description('what was queued for providers: list, look at, replay');
  withJson(
    withFilter(withWorkspace(ops.command('list').description('operations, newest first'))).option(
      '--limit <n>',
      `at most this many (default ${listedDefault})`,
      parseCount,
    ),
  ).action(list);
  withJson(
    withWorkspace(ops.command('show').description('one operation, step by step').argument('<opId>')),
  ).action(show);
  withJson(
    withFilter(
      withWorkspace(
        ops
          .command('replay')
          .description('try dead-lettered operations again: one, or with --all every one that matches')
          .argument('[opId]'),
      ),
    )
      .option('--all', 'every one that matches; needs --status dead_lettered')
      .option('--original', 'send what the operation was made of, not the file as it is now')
      .option('--dry-run', 'send nothing: show what one would send, or with --all which match'),
  ).action(replay);
}

function withFilter(command: Command): Command {
  return command
    .addOption(new Option('--status <status>', 'only with this status').choices(Object.keys(statuses)))
    .addOption(new Option('--action <action>', 'only this kind of change').choices(Object.keys(actions)))
    .option('--provider <name>', 'only of this provider');
}

async function list(options: WorkspaceOptions & Filter & { limit?: number }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const items = await matching(client, workspaceId, options, options.limit ?? listedDefault);
  if (options.json) return printJson({ items });
  printOperations(items);
  if (items.length === 0) note('No operation matches.');
}

async function show(opId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const [operation, story] = await Promise.all([
    client.getOperation(workspaceId, opId),
    client.getOperationSteps(workspaceId, opId),
  ]);
  if (options.json) return printJson({ operation, ...story });
  printOperations([operation]);
  if (story.actor !== undefined) note(`Made by ${story.actor.name} (${story.actor.kind}).`);
  if (operation.correlationId) note(`Correlation ${operation.correlationId}.`);
  if (operation.providerResult !== undefined) note(`Provider: ${JSON.stringify(operation.providerResult)}`);
  printTable(['TIME', 'STEP', 'WHAT'], story.steps.map(stepRow));
}

function stepRow(step: OperationStep): readonly string[] {
  const { kind, at, attempt, outcome, httpStatus, message, endedAt } = step;
  const status = httpStatus === undefined ? '' : ` (${httpStatus})`;
  const words = [outcome === undefined ? '' : `${outcome}${status}`, message ?? ''].filter(
    (one) => one !== '',
  );
  if (kind === 'waiting' && endedAt !== undefined) words.push(`until ${endedAt}`);
  return [at, attempt === undefined ? kind : `${kind} ${attempt}`, words.join(': ')];
}

async function replay(opId: string | undefined, options: ReplayOptions): Promise<void> {
  if ((opId === undefined) === (options.all !== true)) {
    throw new CommandFailure(exitCodes.usage, 'Name one operation, or say --all.', null);
  }
  if (options.all && options.status !== 'dead_lettered') {
    throw new CommandFailure(
      exitCodes.usage,
      '--all needs --status dead_lettered.',
      'No other operation can be replayed.',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const send: ReplayOf = options.original ? 'original' : 'current';
  if (opId === undefined) return await replayAll(client, workspaceId, send, options);
  if (options.dryRun) return await showReplay(client, workspaceId, opId, send, options);
  await client.replayOperation(workspaceId, opId, { send });
  if (options.json) return printJson({ dryRun: false, send, replayed: [opId] });
  note(`${opId} is pending again.`);
}

/** One: what would go over the wire. It is refused as the replay itself would be. */
async function showReplay(
  client: MooringClient,
  workspaceId: string,
  opId: string,
  send: ReplayOf,
  options: ReplayOptions,
): Promise<void> {
  const { status } = await client.getOperation(workspaceId, opId);
  if (status !== 'dead_lettered') {
    throw new CommandFailure(
      exitCodes.failed,
      `${opId} is ${status}; only a dead-lettered operation can be replayed.`,
      'See which are with "mooring ops list --status dead_lettered --workspace W".',
    );
  }
  const preview = await client.previewReplay(workspaceId, opId, { send });
  if (options.json) return printJson({ dryRun: true, send, replayed: [opId], preview });
  printPreview(preview);
}

/** Many, as many at once as one request takes, oldest first, as they were made. */
async function replayAll(
  client: MooringClient,
  workspaceId: string,
  send: ReplayOf,
  { action, provider, dryRun = false, json }: Omit<ReplayOptions, 'dryRun'> & { readonly dryRun?: boolean },
): Promise<void> {
  const filter = {
    ...(action === undefined ? {} : { action }),
    ...(provider === undefined ? {} : { provider }),
  };
  const results: OperationBulkResult['results'] = [];
  let answer: OperationBulkResult;
  do {
    answer = await client.replayOperations(workspaceId, { filter, send, dryRun });
    results.push(...answer.results);
    // Where nothing was done, the next request would see the same again.
  } while (answer.more && answer.done > 0);
  const { more } = answer;
  const meant = results.filter((one) => (dryRun ? one.message === undefined : one.done));
  if (json) return printJson({ dryRun, send, replayed: meant.map((one) => one.opId), more });
  for (const { opId, path, message } of results) print([opId, path ?? '', message ?? ''].join(' ').trimEnd());
  const operations = counted(meant.length, 'operation');
  note(
    dryRun
      ? `${operations} would be replayed${more ? ', and there are more' : ''}; see what one would send with "mooring ops replay ID --dry-run".`
      : `${operations} ${meant.length === 1 ? 'is' : 'are'} pending again.`,
  );
}

async function matching(
  client: MooringClient,
  workspaceId: string,
  { status, action, provider }: Filter,
  max: number,
): Promise<Operation[]> {
  const found: Operation[] = [];
  const query = {
    ...(status === undefined ? {} : { status }),
    ...(action === undefined ? {} : { action }),
    ...(provider === undefined ? {} : { provider }),
    limit: Math.min(max, pageMax),
  };
  for await (const operation of client.operations(workspaceId, query)) {
    if (found.length >= max) break;
    found.push(operation);
  }
  return found;
}

function printOperations(operations: readonly Operation[]): void {
  printTable(
    ['OPERATION', 'STATUS', 'PROVIDER', 'TRIES', 'PATH', 'CAUSE'],
    operations.map(({ opId, status, provider, attemptCount, path, lastError }) => [
      opId,
      status,
      provider ?? '',
      String(attemptCount),
      path ?? '',
      lastError ?? '',
    ]),
  );
}
