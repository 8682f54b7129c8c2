// mooring writeback list|preview|ack|cancel|send|sweep-drafts
import type { Command } from 'commander';
import type { MooringClient, Operation, OperationBulkResult } from '../../../sdk/index.ts';
import { parseList, withDataDir, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { counted, formatAge, note, print, printJson, printTable } from '../shared/output.ts';
import { printPreview } from '../shared/preview-text.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';

export function registerWriteback(program: Command): void {
  const writeback = program
    .command('writeback')
    .description('changes on their way to providers: list, look at, acknowledge, do not send');
  withJson(withWorkspace(writeback.command('list').description('what waits or is under way'))).action(list);
  withJson(
    withWorkspace(
      writeback
        .command('preview')
        .description(
          'what an item would send, and how that differs from what its provider has; sends nothing',
        )
        .argument('<itemId>', 'from "writeback list"'),
    ),
  ).action(preview);
  withJson(
    withWorkspace(
      writeback
        .command('ack')
        .description('say that an item was carried out, or with --failed that it could not be')
        .argument('<itemId>', 'from "writeback list"'),
    )
      .option('--external-id <id>', 'what its provider calls it; a draft is renamed after it')
      .option('--canonical-path <path>', 'where the file belongs now')
      .option('--failed <cause>', 'it could not be carried out'),
  ).action(acknowledge);
  withDataDir(
    withWorkspace(
      writeback
        .command('cancel')
        .description('never send an item; with --all none that waits')
        .argument('[itemId]', 'from "writeback list"'),
    )
      .option('--all', 'every item that waits')
      .option('--provider <name>', 'with --all: only of this provider')
      .option('--dry-run', 'with --all: only show them'),
  ).action(cancel);
  withDataDir(
    withWorkspace(
      writeback
        .command('send')
        .description('send a waiting item now, not at its next try; with --all every one that waits')
        .argument('[itemId]', 'from "writeback list"'),
    )
      .option('--all', 'every item that waits')
      .option('--provider <name>', 'with --all: only of this provider'),
  ).action(sendNow);
  withJson(
    withWorkspace(
      writeback
        .command('sweep-drafts')
        .description('show drafts that were left behind; with --apply remove them'),
    )
      .option('--path <prefix>', 'only below this path')
      .option('--patterns <a,b>', 'also names like these, such as wb-*.json', parseList)
      .option('--apply', 'remove them'),
  ).action(sweep);
}

async function list(options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const [items, operations] = await Promise.all([
    client.listPendingWriteback(workspaceId),
    openOperations(client, workspaceId),
  ]);
  // An item that was settled between the two answers is no more than its id.
  const all = items.map((item) => ({ ...operations.get(item.id), ...item }));
  if (options.json) return printJson({ items: all });
  const nowMs = Date.now();
  printTable(
    ['ITEM', 'PROVIDER', 'STATUS', 'FOR', 'TRIES', 'NEXT', 'PATH', 'LAST ERROR'],
    all.map(({ id, provider, status, createdAt, attemptCount, nextAttemptAt, path, lastError }) => [
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
  if (items.length === 0) note('Nothing waits for a provider.');
}

/** Of what is pending and running, by id, as many as the list of items holds at most. */
async function openOperations(
  client: MooringClient,
  workspaceId: string,
): Promise<ReadonlyMap<string, Partial<Operation>>> {
  const found = new Map<string, Partial<Operation>>();
  for (const status of ['pending', 'running'] as const) {
    for await (const operation of client.operations(workspaceId, { status, limit: 1_000 })) {
      found.set(operation.opId, operation);
    }
  }
  return found;
}

async function preview(itemId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const shown = await client.previewWriteback(workspaceId, itemId);
  if (options.json) return printJson(shown);
  printPreview(shown);
}

async function acknowledge(
  itemId: string,
  options: WorkspaceOptions & { externalId?: string; canonicalPath?: string; failed?: string },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const { externalId, canonicalPath, failed } = options;
  const answer = await client.ackWriteback(workspaceId, itemId, {
    success: failed === undefined,
    ...(failed === undefined ? {} : { error: failed }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(canonicalPath === undefined ? {} : { canonicalPath }),
  });
  if (options.json) return printJson(answer);
  const { draft } = answer;
  const moved = draft?.to === undefined ? '' : `; ${draft.from} is now ${draft.to}`;
  note(`${itemId} is acknowledged as ${answer.success ? 'carried out' : 'failed'}${moved}.`);
}

interface ManyOptions extends WorkspaceOptions {
  readonly all?: true;
  readonly provider?: string;
}

async function cancel(
  itemId: string | undefined,
  options: ManyOptions & { readonly dryRun?: true },
): Promise<void> {
  checkTarget(itemId, options);
  if (itemId !== undefined && options.dryRun) {
    throw new CommandFailure(
      exitCodes.usage,
      '--dry-run goes with --all.',
      'See one with "writeback preview".',
    );
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  if (itemId !== undefined) {
    await client.cancelWriteback(workspaceId, itemId);
    return note(`${itemId} will not be sent.`);
  }
  const dryRun = options.dryRun === true;
  const answer = await client.cancelWritebacks(workspaceId, { filter: filterOf(options), dryRun });
  const { results, done, more } = answer;
  printResults(results);
  const rest = more ? '; more wait: run it again' : '';
  note(
    dryRun
      ? `${counted(results.length, 'item')} would not be sent${more ? ', and there are more' : ''}; nothing was changed.`
      : `${done} of ${counted(results.length, 'item')} will not be sent${rest}.`,
  );
}

function checkTarget(itemId: string | undefined, { all, provider }: ManyOptions): void {
  if ((itemId === undefined) === (all !== true)) {
    throw new CommandFailure(exitCodes.usage, 'Name one item, or say --all.', null);
  }
  if (itemId !== undefined && provider !== undefined) {
    throw new CommandFailure(exitCodes.usage, '--provider goes with --all.', null);
  }
}

function filterOf({ provider }: ManyOptions): { provider?: string } {
  return provider === undefined ? {} : { provider };
}

function printResults(results: OperationBulkResult['results']): void {
  for (const { opId, path, message } of results) {
    print([opId, path ?? '', message ?? ''].join(' ').trimEnd());
  }
}

async function sendNow(itemId: string | undefined, options: ManyOptions): Promise<void> {
  checkTarget(itemId, options);
  const { client, workspaceId } = await connectToWorkspace(options);
  if (itemId !== undefined) {
    await client.sendWritebackNow(workspaceId, itemId);
    return note(`${itemId} is due.`);
  }
  const answer = await client.sendWritebacksNow(workspaceId, { filter: filterOf(options) });
  const { results, done, more } = answer;
  printResults(results);
  note(`${done} of ${results.length} items are due${more ? '; more wait: run it again' : ''}.`);
}

async function sweep(
  options: WorkspaceOptions & { path?: string; patterns?: readonly string[]; apply?: true },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const swept = await client.sweepDrafts(workspaceId, {
    ...(options.path === undefined ? {} : { pathPrefix: options.path }),
    ...(options.patterns === undefined ? {} : { patterns: [...options.patterns] }),
    apply: options.apply === true,
  });
  if (options.json) return printJson(swept);
  for (const { path } of swept.removed) print(path);
  const what = swept.dryRun ? 'would be removed (with --apply they are)' : 'are removed';
  note(`${swept.removed.length} of ${swept.scanned} files ${what}; ${swept.skipped.length} drafts stay.`);
}
