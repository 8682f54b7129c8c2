// mooring ops list|show|replay. Many at once are replayed one by one: what was replayed stays replayed when a later one
// fails, and the same command goes on from there.
import type { Command } from 'commander';
import type { MooringClient, Operation, OperationStep, ReplayOf } from '../../sdk/index.ts';
import { InvalidStateError } from '../../sdk/index.ts';
import { parseCount, withJson } from './arguments.ts';
import { connect, findWorkspace } from './connect.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { note, print, printJson, printTable } from './output.ts';

interface WorkspaceOption {
  readonly workspace: string;
  readonly dataDir?: string;
  readonly json?: true;
}

interface Filter {
  readonly status?: string;
  readonly action?: string;
  readonly provider?: string;
}

interface ReplayOptions extends WorkspaceOption, Filter {
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
      .option('--dry-run', 'only show what would be replayed'),
  ).action(replay);
}

function withWorkspace(command: Command): Command {
  return command.requiredOption('--workspace <workspace>', 'id or name');
}

function withFilter(command: Command): Command {
  return command
    .option('--status <status>', 'pending, running, succeeded, failed, dead_lettered or canceled')
    .option('--action <action>', 'file_upsert or file_delete')
    .option('--provider <name>', 'only of this provider');
}

async function list(options: WorkspaceOption & Filter & { limit?: number }): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const items = await matching(client, workspaceId, options, options.limit ?? listedDefault);
  if (options.json) return printJson({ items });
  printOperations(items);
  if (items.length === 0) note('No operation matches.');
}

async function show(opId: string, options: WorkspaceOption): Promise<void> {
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const [operation, story] = await Promise.all([
    client.getOperation(workspaceId, opId),
    client.getOperationSteps(workspaceId, opId),
  ]);
  if (options.json) return printJson({ operation, ...story });
  printOperations([operation]);
  if (story.actor !== undefined) note(`Made by ${story.actor.name} (${story.actor.kind}).`);
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
  const { client } = await connect(options);
  const { workspaceId } = await findWorkspace(client, options.workspace);
  const send: ReplayOf = options.original ? 'original' : 'current';
  const meant =
    opId === undefined
      ? // Oldest first, as they were made.
        (await matching(client, workspaceId, options, Number.POSITIVE_INFINITY)).reverse()
      : [await client.getOperation(workspaceId, opId)];
  const replayed = options.dryRun ? meant : await replayEach(client, workspaceId, meant, send, options.all);
  if (options.json) {
    return printJson({ dryRun: options.dryRun === true, send, replayed: replayed.map((one) => one.opId) });
  }
  for (const { opId: id, path } of replayed) print(`${id} ${path ?? ''}`.trimEnd());
  const operations = replayed.length === 1 ? '1 operation' : `${replayed.length} operations`;
  note(
    options.dryRun
      ? `${operations} would be replayed.`
      : `${operations} ${replayed.length === 1 ? 'is' : 'are'} pending again.`,
  );
}

/** Of many, one that somebody else replayed meanwhile is passed over. */
async function replayEach(
  client: MooringClient,
  workspaceId: string,
  operations: readonly Operation[],
  send: ReplayOf,
  many: true | undefined,
): Promise<readonly Operation[]> {
  const replayed: Operation[] = [];
  for (const operation of operations) {
    try {
      await client.replayOperation(workspaceId, operation.opId, { send });
      replayed.push(operation);
    } catch (error) {
      if (!(many && error instanceof InvalidStateError)) throw error;
    }
  }
  return replayed;
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
