// Messages between the main thread and the writer's thread. Copying an object costs by its properties and their names, so accepted
// webhooks and their answers, thousands per second, are sent as plain rows: a third of the time.

import type { FileChange } from '../../core/change/change.ts';
import type { Command } from '../port/commands.ts';
import type { AcceptInput, AcceptResult, EnvelopeText } from '../port/envelopes.ts';
import type { GroupResult, Outcome } from './group-commit.ts';

type AcceptCommand = Extract<Command, { name: 'accept_envelope' }>;

/** An AcceptInput by the position of its parts. */
type AcceptRow = readonly [
  workspaceId: string,
  provider: string,
  envelopeId: string | null,
  deliveryId: string | null,
  correlationId: string,
  atMs: number,
  occurredAtMs: number | null,
  body: EnvelopeText,
  sizeBytes: number,
  path: string | null,
  coalesceWindowMs: number,
  capacityEnvelopes: number,
  capacityBytes: number,
  signature: string | null,
  signatureExpiresAtMs: number,
  kind: 'upsert' | 'delete' | null,
  shapePath: string,
  objectId: string | null,
  hasContentType: boolean,
  hasSemantics: boolean,
  authority: string | null,
];
type AcceptAnswer = readonly [number: number, envelopeId: string];

type SentCommand = Exclude<Command, AcceptCommand> | AcceptRow;
type SentOutcome = Outcome | AcceptAnswer;

export type ToWriter =
  /** The next changes of a long command, which follows without them. */
  | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'commands'; readonly commands: readonly SentCommand[] }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  | ({
      readonly kind: 'committed';
      readonly outcomes: readonly SentOutcome[];
      readonly tookMs: number;
      /** What was in the group, when it was slow; else empty. */
      readonly names: readonly string[];
    } & Pick<GroupResult, 'touched'>);

/** A message has no more changes, or bytes of their contents, than this: copying it must not hold up the thread. */
const messageChangesMax = 500;
const messageBytesMax = 4 * 1024 * 1024;

/** The changes of a command that is too long for one message, in several parts; null: it fits. */
export function longChanges(command: Command): readonly (readonly FileChange[])[] | null {
  if (command.name !== 'change_files' || command.input.changes.length < 2) return null;
  const deps: FileChange[][] = [];
  let part: FileChange[] = [];
  let bytes = 0;
  for (const change of command.input.changes) {
    const ownBytes = 'content' in change && 'binary' in change.content ? change.content.sizeBytes : 0;
    if (part.length > 0 && (part.length >= messageChangesMax || bytes + ownBytes > messageBytesMax)) {
      deps.push(part);
      part = [];
      bytes = 0;
    }
    part.push(change);
    bytes += ownBytes;
  }
  return deps.length === 0 ? null : [...deps, part];
}

/** What is sent behind its changes. */
export function withoutChanges(command: Command): Command {
  return command.name === 'change_files' ? { ...command, input: { ...command.input, changes: [] } } : command;
}

/** The command with the changes that were sent before it. */
export function withChanges(command: Command, changes: readonly FileChange[]): Command {
  if (changes.length === 0) return command;
  if (command.name !== 'change_files') throw new Error('changes came for a command that has none');
  return { ...command, input: { ...command.input, changes } };
}

export function packCommand(command: Command): SentCommand {
  return command.name === 'accept_envelope' ? packAccept(command.input) : command;
}

export function unpackCommand(sent: SentCommand): Command {
  return 'name' in sent ? sent : { name: 'accept_envelope', input: unpackAccept(sent) };
}

function packAccept(input: AcceptInput): AcceptRow {
  const { shape, signature, capacity } = input;
  return [
    input.workspaceId,
    input.provider,
    input.envelopeId,
    input.deliveryId,
    input.correlationId,
    input.atMs,
    input.occurredAtMs,
    input.body,
    input.sizeBytes,
    input.path,
    input.coalesceWindowMs,
    capacity.envelopes,
    capacity.bytes,
    signature === null ? null : signature.value,
    signature === null ? 0 : signature.expiresAtMs,
    shape === null ? null : shape.kind,
    shape === null ? '' : shape.path,
    shape === null ? null : shape.objectId,
    shape?.hasContentType === true,
    shape?.hasSemantics === true,
    input.authority,
  ];
}

function unpackAccept(row: AcceptRow): AcceptInput {
  const [value, kind] = [row[13], row[15]];
  return {
    workspaceId: row[0],
    provider: row[1],
    envelopeId: row[2],
    deliveryId: row[3],
    correlationId: row[4],
    atMs: row[5],
    occurredAtMs: row[6],
    body: row[7],
    sizeBytes: row[8],
    path: row[9],
    coalesceWindowMs: row[10],
    capacity: { envelopes: row[11], bytes: row[12] },
    signature: value === null ? null : { value, expiresAtMs: row[14] },
    shape:
      kind === null
        ? null
        : { kind, path: row[16], objectId: row[17], hasContentType: row[18], hasSemantics: row[19] },
    authority: row[20],
  };
}

export function packOutcome(command: Command, outcome: Outcome): SentOutcome {
  if (command.name !== 'accept_envelope' || !outcome.ok) return outcome;
  const result = outcome.result as AcceptResult;
  return result.kind === 'accepted' ? [result.number, result.envelopeId] : outcome;
}

export function unpackOutcome(sent: SentOutcome): Outcome {
  if ('ok' in sent) return sent;
  const result: AcceptResult = { kind: 'accepted', number: sent[0], envelopeId: sent[1] };
  return { ok: true, result };
}
