// mooring dead-letters list|show|replay|ack: inbound events that failed permanently. --dry-run previews a replay.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { DeadLetter, DeadLetterPreview, FailureCause, MooringClient } from '../../../sdk/index.ts';
import { shortenedPayload } from '../../core/shortened-texts.ts';
import { defined, parseCount, withJson } from '../shared/arguments.ts';
import { formatTime } from '../shared/display.ts';
import { failure, usageError } from '../shared/failure.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { readingFile } from '../shared/system-errors.ts';
import { connectToWorkspace, type WorkspaceOptions, workspaceVerb } from '../shared/workspace-arguments.ts';
import {
  type BulkOptions,
  type DeadLetterFilter,
  describePreview,
  filterOf,
  printBulkResult,
  replayAll,
} from './dead-letters-bulk.ts';

const envelope = 'id from "dead-letters list"';
const seeHelp = 'See "mooring dead-letters --help".';
const listedDefault = 100;
const pageMax = 1_000;
/** On a terminal. Longer texts are shortened there: they would push everything else out of sight. */
const wholeCharactersMax = 2_000;

/** A record, so that the compiler reports a missing cause. */
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

interface TargetOptions extends WorkspaceOptions, BulkOptions {
  readonly all?: true;
}

interface ReplayOptions extends TargetOptions {
  readonly payload?: string;
  readonly patch?: string;
  readonly overwriteNewer?: true;
}

export function registerDeadLetters(program: Command): void {
  const group = program.command('dead-letters').description('list, show, replay and dismiss dead letters');
  withFilter(
    withJson(workspaceVerb(group, 'list', 'list dead letters, newest first')).option(
      '--limit <N>',
      'maximum number of dead letters',
      parseCount,
      listedDefault,
    ),
  ).action(list);
  withJson(
    workspaceVerb(group, 'show', 'show payload and attempts of a dead letter', ['<ENVELOPE>', envelope]),
  ).action(show);
  withTarget(group, 'replay', 'replay a dead letter, optionally edited')
    .option('--payload <FILE>', 'JSON payload to use instead ("-" reads stdin)')
    .option('--patch <JSON>', 'JSON merge patch for the payload (--all: for each)')
    .option('--overwrite-newer', 'apply even though a newer event was applied')
    .action(replay);
  withTarget(group, 'ack', 'dismiss a dead letter without applying it').action(acknowledge);
}

function withFilter(command: Command): Command {
  return command
    .option('--provider <NAME>', 'only this provider')
    .addOption(new Option('--cause <CODE>', 'only this cause').choices(Object.keys(causes)))
    .option('--text <TEXT>', 'only if path, delivery id or cause contain TEXT');
}

function withTarget(group: Command, name: string, description: string): Command {
  return withFilter(
    withJson(workspaceVerb(group, name, description, ['[ENVELOPE]', envelope])).option(
      '--all',
      'all that match --provider, --cause and --text',
    ),
  ).option('--dry-run', 'show the result without applying it');
}

async function list(
  options: WorkspaceOptions & DeadLetterFilter & { readonly limit: number },
): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const deadLetters: DeadLetter[] = [];
  const paths = new Map<string, string | undefined>();
  let cursor: string | null = null;
  do {
    const limit = Math.min(options.limit - deadLetters.length, pageMax);
    const page = await client.sync.deadLetters.list(workspaceId, {
      ...filterOf(options),
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    deadLetters.push(...page.items);
    cursor = page.nextCursor;
    if (!options.json && page.items.length > 0) await readPaths(client, workspaceId, page.items, paths);
  } while (cursor !== null && deadLetters.length < options.limit);
  if (options.json) return printJson({ items: deadLetters, more: cursor !== null });
  printTable(
    ['ENVELOPE', 'PROVIDER', 'FAILED', 'ATTEMPTS', 'PATH', 'CAUSE'],
    deadLetters.map(({ envelopeId, provider, failedAt, attemptCount, deliveryId, lastError }) => [
      envelopeId,
      provider,
      formatTime(failedAt),
      String(attemptCount),
      paths.get(envelopeId) ?? `(delivery ${deliveryId})`,
      lastError,
    ]),
  );
  if (deadLetters.length === 0) note('No dead letters.');
  else if (cursor !== null) note('There are more. List them with --limit.');
}

/** The list has no paths on the wire, so a dry run of a replay provides them. */
async function readPaths(
  client: MooringClient,
  workspaceId: string,
  deadLetters: readonly DeadLetter[],
  paths: Map<string, string | undefined>,
): Promise<void> {
  const filter = { envelopeIds: deadLetters.map(({ envelopeId }) => envelopeId) };
  const { results } = await client.sync.deadLetters.replayMany(workspaceId, { filter, dryRun: true });
  for (const { envelopeId, path } of results) paths.set(envelopeId, path);
}

async function show(envelopeId: string, options: WorkspaceOptions): Promise<void> {
  const { client, workspaceId } = await connectToWorkspace(options);
  const detail = await client.sync.deadLetters.detail(workspaceId, envelopeId);
  if (options.json) return printJson(detail);
  const { outcome, settledAt, occurredAt } = detail;
  const state =
    outcome === undefined
      ? detail.state
      : `${outcome} ${settledAt === undefined ? '' : formatTime(settledAt)}`.trimEnd();
  print(`${detail.envelopeId}  ${detail.provider}  ${detail.deliveryId}  ${state}`);
  const occurred = occurredAt === undefined ? '' : `, occurred ${formatTime(occurredAt)}`;
  print(`correlation id ${detail.correlationId}, received ${formatTime(detail.receivedAt)}${occurred}`);
  for (const { attempt, at, cause, message } of detail.attempts) {
    print(`attempt ${attempt}  ${formatTime(at)}  ${cause}: ${message}`);
  }
  if (detail.payload !== undefined) printPayload(detail.payload);
  if (detail.editedPayload !== undefined) {
    print('edited:');
    printPayload(detail.editedPayload);
  }
}

function printPayload(whole: unknown): void {
  const charactersMax = process.stdout.isTTY ? wholeCharactersMax : Number.POSITIVE_INFINITY;
  const { payload, shortened } = shortenedPayload(whole, charactersMax);
  print(JSON.stringify(payload, null, 2));
  if (shortened !== null) note(`${shortened} shortened. Print the whole payload with --json.`);
}

async function replay(envelopeId: string | undefined, options: ReplayOptions): Promise<void> {
  checkTarget(envelopeId, options);
  if (options.all && options.payload !== undefined)
    throw usageError('--payload applies to one dead letter. With --all use --patch.', seeHelp);
  if (options.payload !== undefined && options.patch !== undefined)
    throw usageError('Pass either --payload or --patch.', seeHelp);
  const overwriteNewer = options.overwriteNewer === true;
  const payload = options.payload === undefined ? undefined : readObject(readInput(options.payload));
  const patch = options.patch === undefined ? undefined : readObject(options.patch);
  const { client, workspaceId } = await connectToWorkspace(options);
  const { deadLetters } = client.sync;
  const edit = { overwriteNewer, ...defined({ payload, patch }) };
  if (envelopeId === undefined) return await replayAll(deadLetters, workspaceId, edit, options);
  const preview = await deadLetters.preview(workspaceId, envelopeId, edit);
  if (options.dryRun) {
    if (options.json) return printJson(preview);
    return print(describePreview(preview));
  }
  checkPreview(preview);
  const accepted = await deadLetters.replay(workspaceId, envelopeId, edit);
  if (options.json) return printJson(accepted);
  note(`Replaying ${envelopeId}: ${describePreview(preview)}`);
}

/** A replay without effect is refused before it counts as an attempt. */
function checkPreview(preview: DeadLetterPreview): void {
  if (preview.outcome === 'stale') {
    throw failure(
      `Nothing was replayed: a newer event was applied${preview.newerAppliedAt === undefined ? '' : ` at ${formatTime(preview.newerAppliedAt)}`}.`,
      'Use --overwrite-newer to apply it anyway.',
    );
  }
  if (preview.outcome === 'fails') {
    throw failure(
      `Nothing was replayed: it would fail again (${preview.cause}: ${preview.message}).`,
      'Edit the payload and run again with --payload FILE or --patch JSON.',
    );
  }
}

async function acknowledge(envelopeId: string | undefined, options: TargetOptions): Promise<void> {
  checkTarget(envelopeId, options);
  const { client, workspaceId } = await connectToWorkspace(options);
  const { deadLetters } = client.sync;
  const filter = envelopeId === undefined ? filterOf(options) : { envelopeIds: [envelopeId] };
  if (envelopeId === undefined || options.dryRun) {
    const dryRun = options.dryRun === true;
    const result = await deadLetters.acknowledgeMany(workspaceId, { filter, dryRun });
    return printBulkResult(result, options, 'dismissed');
  }
  const acknowledged = await deadLetters.acknowledge(workspaceId, envelopeId);
  if (options.json) return printJson(acknowledged);
  note(`Dismissed ${envelopeId}.`);
}

function checkTarget(envelopeId: string | undefined, { all, provider, cause, text }: TargetOptions): void {
  if ((envelopeId === undefined) === (all === undefined))
    throw usageError('Pass one envelope id or --all.', seeHelp);
  const filtered = provider !== undefined || cause !== undefined || text !== undefined;
  if (!all && filtered) throw usageError('--provider, --cause and --text require --all.', seeHelp);
}

function readInput(file: string): string {
  return readingFile(file, () => readFileSync(file === '-' ? 0 : file, 'utf8'));
}

function readObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError('The payload or patch is not a JSON object.', seeHelp);
  }
  return value as Record<string, unknown>;
}
