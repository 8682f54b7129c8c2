// mooring writeback list|preview|ack|cancel|send|sweep-drafts: pending operations and drafts.
import type { Command } from 'commander';
import type { MooringClient, Operation } from '../../../sdk/index.ts';
import { defined, parseList, withDataDir, withJson } from '../shared/arguments.ts';
import { usageError } from '../shared/failure.ts';
import { printPreview, printResults } from '../shared/operation-text.ts';
import { formatAge, note, plural, print, printJson, printTable } from '../shared/output.ts';

import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';

const operation = ['<OPERATION>', 'id from "writeback list"'] as const;
const moreText = 'There are more. Run the command again.';

export function registerWriteback(program: Command): void {
  const writeback = program
    .command('writeback')
    .description('list, preview, acknowledge, retry and cancel operations');
  withJson(workspaceVerb(writeback, 'list', 'list pending and running operations')).action(list);
  withJson(
    workspaceVerb(writeback, 'preview', 'show the request and diff of an operation', operation),
  ).action(preview);
  withJson(
    workspaceVerb(writeback, 'ack', 'acknowledge an operation as succeeded or failed', operation)
      .option('--external-id <ID>', 'id at the provider (renames a draft)')
      .option('--canonical-path <PATH>', 'path that the provider assigned to the file')
      .option('--failed <CAUSE>', 'acknowledge it as failed'),
  ).action(acknowledge);
  withDataDir(
    withAll(writeback, 'cancel', 'cancel a pending operation (--all: all of them)').option(
      '--dry-run',
      'with --all: list them without canceling',
    ),
  ).action(cancel);
  withDataDir(withAll(writeback, 'send', 'send a pending operation now (--all: all of them)')).action(
    retryNow,
  );
  withJson(
    workspaceVerb(writeback, 'sweep-drafts', 'list leftover drafts (--apply: delete them)')
      .option('--path <PATH>', 'only below this path')
      .option('--patterns <A,B>', 'additional names of drafts, for example wb-*.json', parseList)
      .option('--apply', 'delete the listed drafts'),
  ).action(sweep);
}

/** A command on one operation, or on all that are pending. */
function withAll(writeback: Command, name: string, description: string): Command {
  return workspaceVerb(writeback, name, description, ['[OPERATION]', operation[1]])
    .option('--all', 'all pending operations')
    .option('--provider <NAME>', 'with --all: only this provider');
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const [pending, operations] = await Promise.all([
    client.writeback.pending(workspaceId),
    unfinishedOperations(client, workspaceId),
  ]);
  // An operation that finished between the two answers has only its id and path.
  const items = pending.map((item) => ({ ...operations.get(item.id), ...item }));
  if (options.json) return printJson({ items });
  const nowMs = Date.now();
  printTable(
    ['OPERATION', 'PROVIDER', 'STATUS', 'AGE', 'ATTEMPTS', 'NEXT ATTEMPT', 'PATH', 'LAST ERROR'],
    items.map(({ id, provider, status, createdAt, attemptCount, nextAttemptAt, path, lastError }) => [
      id,
      provider ?? '',
      status ?? '',
      createdAt === undefined ? '' : formatAge(nowMs - Date.parse(createdAt)),
      attemptCount === undefined ? '' : String(attemptCount),
      nextAttemptAt == null ? '' : `in ${formatAge(Date.parse(nextAttemptAt) - nowMs)}`,
      path,
      lastError ?? '',
    ]),
  );
  if (items.length === 0) note('No pending operations.');
}

/** Pending and running operations by id. */
async function unfinishedOperations(
  client: MooringClient,
  workspaceId: string,
): Promise<ReadonlyMap<string, Partial<Operation>>> {
  const operations = new Map<string, Partial<Operation>>();
  for (const status of ['pending', 'running'] as const) {
    for await (const operation of client.operations.all(workspaceId, { status, limit: 1_000 })) {
      operations.set(operation.opId, operation);
    }
  }
  return operations;
}

async function preview(operationId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const shown = await client.writeback.preview(workspaceId, operationId);
  if (options.json) return printJson(shown);
  printPreview(shown);
}

async function acknowledge(
  operationId: string,
  options: WorkspaceOptions & { externalId?: string; canonicalPath?: string; failed?: string },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { externalId, canonicalPath, failed } = options;
  const acknowledged = await client.writeback.acknowledge(workspaceId, operationId, {
    success: failed === undefined,
    ...defined({ error: failed, externalId, canonicalPath }),
  });
  if (options.json) return printJson(acknowledged);
  const { draft, success } = acknowledged;
  const moved = draft?.to === undefined ? '' : ` Renamed ${draft.from} to ${draft.to}.`;
  note(`Acknowledged ${operationId} as ${success ? 'succeeded' : 'failed'}.${moved}`);
}

interface ManyOptions extends WorkspaceOptions {
  readonly all?: true;
  readonly provider?: string;
}

async function cancel(
  operationId: string | undefined,
  options: ManyOptions & { readonly dryRun?: true },
): Promise<void> {
  checkTarget(operationId, options);
  if (operationId !== undefined && options.dryRun) {
    throw usageError('--dry-run requires --all.', 'Preview one operation with "mooring writeback preview".');
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  if (operationId !== undefined) {
    await client.writeback.cancel(workspaceId, operationId);
    return note(`Canceled ${operationId}.`);
  }
  const dryRun = options.dryRun === true;
  const { results, done, more } = await client.writeback.cancelMany(workspaceId, {
    filter: defined({ provider: options.provider }),
    dryRun,
  });
  printResults(results);
  note(
    dryRun
      ? `Dry run: ${plural(results.length, 'operation')} would be canceled. Nothing was changed.`
      : `Canceled ${done} of ${plural(results.length, 'operation')}.`,
  );
  if (more) note(moreText);
}

function checkTarget(operationId: string | undefined, { all, provider }: ManyOptions): void {
  if ((operationId === undefined) === (all !== true)) {
    throw usageError('Pass one operation id or --all.');
  }
  if (operationId !== undefined && provider !== undefined) {
    throw usageError('--provider requires --all.');
  }
}

async function retryNow(operationId: string | undefined, options: ManyOptions): Promise<void> {
  checkTarget(operationId, options);
  const { client, workspaceId } = await connectToWorkspace(options);
  if (operationId !== undefined) {
    await client.writeback.retryNow(workspaceId, operationId);
    return note(`Retrying ${operationId} now.`);
  }
  const { results, done, more } = await client.writeback.retryManyNow(workspaceId, {
    filter: defined({ provider: options.provider }),
  });
  printResults(results);
  note(`Retrying ${done} of ${plural(results.length, 'operation')} now.`);
  if (more) note(moreText);
}

async function sweep(
  options: WorkspaceOptions & { path?: string; patterns?: readonly string[]; apply?: true },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const swept = await client.writeback.sweepDrafts(workspaceId, {
    ...defined({ pathPrefix: options.path, patterns: options.patterns && [...options.patterns] }),
    apply: options.apply === true,
  });
  if (options.json) return printJson(swept);
  const { removed, scanned, skipped } = swept;
  for (const { path } of removed) print(path);
  note(
    `${removed.length} of ${scanned} files ${swept.dryRun ? 'would be deleted' : 'deleted'}, ${skipped.length} drafts kept.`,
  );
  if (swept.dryRun) note('Delete them with --apply.');
}
