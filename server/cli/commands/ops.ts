// mooring ops list|show|replay: operations in all states. When one of many replays is refused, the others keep their result.
import { type Command, Option } from 'commander';
import { actorLabel } from '../../../sdk/actor-label.ts';
import type {
  MooringClient,
  Operation,
  OperationBulkResult,
  OperationStep,
  ReplayOf,
} from '../../../sdk/index.ts';
import { defined, parseCount, withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { failure, usageError } from '../shared/failure.ts';
import { printPreview, printResults } from '../shared/operation-text.ts';
import { note, plural, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

interface Filter {
  readonly status?: Operation['status'];
  readonly action?: NonNullable<Operation['action']>;
  readonly provider?: string;
}

/** A record, so that the compiler reports a missing value. */
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
const stepLabels: Readonly<Record<OperationStep['kind'], string>> = {
  written: 'created',
  attempt: 'attempt',
  waiting: 'waiting',
  acknowledged: 'acknowledged',
  replayed: 'replayed',
  hastened: 'retry requested',
  canceled: 'canceled',
  superseded: 'superseded',
  settled: 'finished',
};

/** Maximum number of operations per page. */
const pageMax = 1_000;

export function registerOps(program: Command): void {
  const ops = program.command('ops').description('list, show and replay operations');
  withJson(
    withFilter(workspaceVerb(ops, 'list', 'list operations, newest first')).option(
      '--limit <N>',
      `maximum number of operations (default: ${listedDefault})`,
      parseCount,
    ),
  ).action(list);
  withJson(
    workspaceVerb(ops, 'show', 'show the steps of an operation', ['<OPERATION>', 'id from "ops list"']),
  ).action(show);
  withJson(
    withFilter(
      workspaceVerb(ops, 'replay', 'replay a dead-lettered operation (--all: all matching)', [
        '[OPERATION]',
        'id from "ops list"',
      ]),
    )
      .option('--all', 'all matching (requires --status dead_lettered)')
      .option('--original', 'send the original revision, not the current one')
      .option('--dry-run', 'show the request (with --all: the matches) only'),
  ).action(replay);
}

function withFilter(command: Command): Command {
  return command
    .addOption(new Option('--status <STATUS>', 'only this status').choices(Object.keys(statuses)))
    .addOption(new Option('--action <ACTION>', 'only this action').choices(Object.keys(actions)))
    .option('--provider <NAME>', 'only this provider');
}

async function list(options: WorkspaceOptions & Filter & { limit?: number }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const items = await matching(client, workspaceId, options, options.limit ?? listedDefault);
  if (options.json) return printJson({ items });
  printOperations(items);
  if (items.length === 0) note('No matching operations.');
}

async function show(opId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const [operation, detail] = await Promise.all([
    client.operations.get(workspaceId, opId),
    client.operations.steps(workspaceId, opId),
  ]);
  if (options.json) return printJson({ operation, ...detail });
  printOperations([operation]);
  if (detail.actor !== undefined) note(`Changed by ${actorLabel(detail.actor)}.`);
  if (operation.correlationId) note(`Correlation id: ${operation.correlationId}`);
  if (operation.providerResult !== undefined)
    note(`Provider result: ${JSON.stringify(operation.providerResult)}`);
  printTable(['TIME', 'STEP', 'DETAIL'], detail.steps.map(stepRow));
}

function stepRow(step: OperationStep): readonly string[] {
  const { kind, at, attempt, outcome, httpStatus, message, endedAt } = step;
  const status = httpStatus === undefined ? '' : ` (${httpStatus})`;
  const details = [outcome === undefined ? '' : `${outcome}${status}`, message ?? ''].filter(
    (detail) => detail !== '',
  );
  if (kind === 'waiting' && endedAt !== undefined) details.push(`until ${formatTime(endedAt)}`);
  const label = stepLabels[kind];
  return [formatTime(at), attempt === undefined ? label : `${label} ${attempt}`, details.join(': ')];
}

async function replay(opId: string | undefined, options: ReplayOptions): Promise<void> {
  if ((opId === undefined) === (options.all !== true)) {
    throw usageError('Pass one operation id or --all.');
  }
  if (options.all && options.status !== 'dead_lettered') {
    throw usageError(
      '--all requires --status dead_lettered.',
      'Only dead-lettered operations can be replayed.',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const send: ReplayOf = options.original ? 'original' : 'current';
  if (opId === undefined) return await replayAll(client, workspaceId, send, options);
  if (options.dryRun) return await previewReplay(client, workspaceId, opId, send, options);
  await client.operations.replay(workspaceId, opId, { send });
  if (options.json) return printJson({ dryRun: false, send, replayed: [opId] });
  note(`Replaying ${opId}.`);
}

/** Prints the request of a replay. Fails for the same operations as the replay. */
async function previewReplay(
  client: MooringClient,
  workspaceId: string,
  opId: string,
  send: ReplayOf,
  options: ReplayOptions,
): Promise<void> {
  const { status } = await client.operations.get(workspaceId, opId);
  if (status !== 'dead_lettered') {
    throw failure(
      `Cannot replay ${opId}: its status is ${status}, not dead_lettered.`,
      'List dead-lettered operations with "mooring ops list --status dead_lettered".',
    );
  }
  const preview = await client.operations.previewReplay(workspaceId, opId, { send });
  if (options.json) return printJson({ dryRun: true, send, replayed: [opId], preview });
  printPreview(preview);
}

/** Replays all matching operations, oldest first, in requests of the maximum size. */
async function replayAll(
  client: MooringClient,
  workspaceId: string,
  send: ReplayOf,
  { action, provider, dryRun = false, json }: Omit<ReplayOptions, 'dryRun'> & { readonly dryRun?: boolean },
): Promise<void> {
  const filter = defined({ action, provider });
  const results: OperationBulkResult['results'] = [];
  let answer: OperationBulkResult;
  do {
    answer = await client.operations.replayMany(workspaceId, { filter, send, dryRun });
    results.push(...answer.results);
    // After a request without effect the next one would return the same operations.
  } while (answer.more && answer.done > 0);
  const { more } = answer;
  const replayed = results.filter(({ message, done }) => (dryRun ? message === undefined : done));
  if (json) return printJson({ dryRun, send, replayed: replayed.map(({ opId }) => opId), more });
  printResults(results);
  const operations = plural(replayed.length, 'operation');
  if (!dryRun) return note(`Replaying ${operations}.`);
  note(`Dry run: ${operations}${more ? ' or more' : ''} would be replayed. Nothing was changed.`);
  note('Preview one with "mooring ops replay OPERATION --dry-run".');
}

async function matching(
  client: MooringClient,
  workspaceId: string,
  { status, action, provider }: Filter,
  max: number,
): Promise<Operation[]> {
  const operations: Operation[] = [];
  const query = { ...defined({ status, action, provider }), limit: Math.min(max, pageMax) };
  for await (const operation of client.operations.all(workspaceId, query)) {
    if (operations.length >= max) break;
    operations.push(operation);
  }
  return operations;
}

function printOperations(operations: readonly Operation[]): void {
  printTable(
    ['OPERATION', 'STATUS', 'PROVIDER', 'ATTEMPTS', 'PATH', 'LAST ERROR'],
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
