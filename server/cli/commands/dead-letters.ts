// mooring dead-letters list|show|replay|ack: webhooks that failed for good. A replay can show first what it would do.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { DeadLetter, FailureCause, MooringClient } from '../../../sdk/index.ts';
import { parseCount, withJson } from '../shared/arguments.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions, withWorkspace } from '../shared/workspace-arguments.ts';
import { describe, type Filter, filterOf, type ManyAsked, replayAll, tellMany } from './dead-letters-bulk.ts';

const listDefault = 100;
const pageMax = 1_000;

/** All of them, as the compiler sees to. */
const causes: Readonly<Record<FailureCause, true>> = {
  payload_malformed: true,
  event_type_malformed: true,
  path_invalid: true,
  path_refused_by_provider: true,
  path_taken: true,
  content_undecodable: true,
  content_too_large: true,
  access_rules_invalid: true,
  access_rules_refused: true,
  access_denied: true,
  delete_quota_exceeded: true,
  workspace_gone: true,
  store_unavailable: true,
  internal_error: true,
};

interface ManyOptions extends WorkspaceOptions, ManyAsked {
  readonly all?: true;
}

interface ReplayOptions extends ManyOptions {
  readonly payload?: string;
  readonly patch?: string;
  readonly overwriteNewer?: true;
}

export function registerDeadLetters(program: Command): void {
  const group = program
    .command('dead-letters')
    .description('webhooks that could not be applied: look, mend, replay, put away');
  withFilter(
    common(group.command('list').description('list them, newest first')).option(
      '--limit <n>',
      'how many at most',
      parseCount,
      listDefault,
    ),
  ).action(list);
  common(
    group
      .command('show')
      .description('the whole envelope with every attempt')
      .argument('<envelopeId>', 'from "dead-letters list"'),
  ).action(show);
  withMany(common(group.command('replay').description('try again, as it is or mended')))
    .option('--payload <file>', 'a corrected payload, JSON; "-" reads it from stdin')
    .option('--patch <json>', 'what is to be corrected, a JSON merge patch; with --all the same for each')
    .option('--overwrite-newer', 'apply it although something newer was applied since')
    .action(replay);
  withMany(common(group.command('ack').description('put away without applying'))).action(acknowledge);
}

function common(command: Command): Command {
  return withJson(withWorkspace(command));
}

function withFilter(command: Command): Command {
  return command
    .option('--provider <name>', 'only of this provider')
    .addOption(new Option('--cause <code>', 'only of this cause').choices(Object.keys(causes)))
    .option('--text <text>', 'only with this in path, delivery id or cause');
}

function withMany(command: Command): Command {
  return withFilter(
    command
      .argument('[envelopeId]', 'from "dead-letters list"')
      .option('--all', 'instead of one: all that match --provider, --cause and --text'),
  ).option('--dry-run', 'show what would happen, change nothing');
}

// ---- list and show

async function list(options: WorkspaceOptions & Filter & { readonly limit: number }): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const found: DeadLetter[] = [];
  const paths = new Map<string, string | undefined>();
  let cursor: string | null = null;
  do {
    const limit = Math.min(options.limit - found.length, pageMax);
    const page = await client.sync.deadLetters.list(workspaceId, {
      ...filterOf(options),
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...page.items);
    cursor = page.nextCursor;
    if (!options.json && page.items.length > 0) await readPaths(client, workspaceId, page.items, paths);
  } while (cursor !== null && found.length < options.limit);
  if (options.json) return printJson({ items: found, more: cursor !== null });
  printTable(
    ['ENVELOPE', 'PROVIDER', 'FAILED', 'TRIES', 'PATH', 'CAUSE'],
    found.map((one) => [
      one.envelopeId,
      one.provider,
      one.failedAt,
      String(one.attemptCount),
      paths.get(one.envelopeId) ?? `(delivery ${one.deliveryId})`,
      one.lastError,
    ]),
  );
  if (found.length === 0) note('No dead letters.');
  else if (cursor !== null) note(`There are more than ${found.length}; see them with --limit.`);
}

/** The list of the contract has none; what a replay of all would take has. Nothing is replayed. */
async function readPaths(
  client: MooringClient,
  workspaceId: string,
  letters: readonly DeadLetter[],
  paths: Map<string, string | undefined>,
): Promise<void> {
  const filter = { envelopeIds: letters.map((letter) => letter.envelopeId) };
  const { results } = await client.sync.deadLetters.replayMany(workspaceId, { filter, dryRun: true });
  for (const { envelopeId, path } of results) paths.set(envelopeId, path);
}

async function show(envelopeId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const detail = await client.sync.deadLetters.detail(workspaceId, envelopeId);
  if (options.json) return printJson(detail);
  const { outcome, settledAt, occurredAt } = detail;
  const ended = outcome === undefined ? detail.state : `${outcome} ${settledAt ?? ''}`.trimEnd();
  print(`${detail.envelopeId}  ${detail.provider}  ${detail.deliveryId}  ${ended}`);
  const happened = occurredAt === undefined ? '' : `, happened ${occurredAt}`;
  print(`correlation ${detail.correlationId}, received ${detail.receivedAt}${happened}`);
  for (const { attempt, at, cause, message } of detail.attempts) {
    print(`attempt ${attempt}  ${at}  ${cause}: ${message}`);
  }
  if (detail.payload !== undefined) print(JSON.stringify(detail.payload, null, 2));
  if (detail.editedPayload !== undefined) {
    print('edited:');
    print(JSON.stringify(detail.editedPayload, null, 2));
  }
}

// ---- replay and ack

async function replay(envelopeId: string | undefined, options: ReplayOptions): Promise<void> {
  checkTarget(envelopeId, options);
  if (options.all && options.payload !== undefined) throw usage('--payload is for one; for all use --patch.');
  if (options.payload !== undefined && options.patch !== undefined)
    throw usage('Say --payload or --patch, not both.');
  const overwriteNewer = options.overwriteNewer === true;
  const payload = options.payload === undefined ? undefined : readObject(readInput(options.payload));
  const patch = options.patch === undefined ? undefined : readObject(options.patch);
  const { client, workspaceId } = await connectToWorkspace(options);
  const { deadLetters } = client.sync;
  const edit = {
    overwriteNewer,
    ...(payload === undefined ? {} : { payload }),
    ...(patch === undefined ? {} : { patch }),
  };
  if (envelopeId === undefined) return await replayAll(deadLetters, workspaceId, edit, options);
  const preview = await deadLetters.preview(workspaceId, envelopeId, edit);
  if (options.dryRun) {
    if (options.json) return printJson(preview);
    return print(describe(preview));
  }
  if (preview.outcome === 'stale') {
    throw new CommandFailure(
      exitCodes.failed,
      `Something newer was applied at ${preview.newerAppliedAt ?? 'a later time'}; nothing was replayed.`,
      'Apply it all the same with --overwrite-newer.',
    );
  }
  if (preview.outcome === 'fails') {
    throw new CommandFailure(
      exitCodes.failed,
      `It would fail again: ${preview.cause}: ${preview.message}. Nothing was replayed.`,
      `Save its payload ("mooring dead-letters show ${envelopeId} --json"), mend it, and replay it with --payload FILE; or mend it here with --patch JSON.`,
    );
  }
  const accepted = await deadLetters.replay(workspaceId, envelopeId, edit);
  if (options.json) return printJson(accepted);
  note(`${envelopeId} is applied again: ${describe(preview)}`);
}

async function acknowledge(envelopeId: string | undefined, options: ManyOptions): Promise<void> {
  checkTarget(envelopeId, options);
  const { client, workspaceId } = await connectToWorkspace(options);
  const { deadLetters } = client.sync;
  const filter = envelopeId === undefined ? filterOf(options) : { envelopeIds: [envelopeId] };
  if (envelopeId === undefined || options.dryRun) {
    const dryRun = options.dryRun === true;
    return tellMany(await deadLetters.acknowledgeMany(workspaceId, { filter, dryRun }), options, 'put away');
  }
  const acknowledged = await deadLetters.acknowledge(workspaceId, envelopeId);
  if (options.json) return printJson(acknowledged);
  note(`${envelopeId} is put away.`);
}

// ---- arguments

function checkTarget(envelopeId: string | undefined, { all, provider, cause, text }: ManyOptions): void {
  if ((envelopeId === undefined) === (all === undefined)) throw usage('Name one envelope, or --all.');
  const filtered = provider !== undefined || cause !== undefined || text !== undefined;
  if (!all && filtered) throw usage('--provider, --cause and --text go with --all.');
}

function usage(message: string): CommandFailure {
  return new CommandFailure(exitCodes.usage, message, '(See --help.)');
}

function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function readObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usage('The payload or patch is not a JSON object.');
  }
  return value as Record<string, unknown>;
}
