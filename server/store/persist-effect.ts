// Writes down what core/decide decided: entry, labels, rules, content, history, events, operations. Runs in the writer,
// inside its transaction, and looks at nothing but the effect.
import type { Semantics } from '../contract/common.ts';
import { operationActions, operationStatuses } from '../contract/words.ts';
import { effectiveRules } from '../core/acl.ts';
import type { Applied, ChangeFiles } from '../core/change.ts';
import type { Effect } from '../core/decision.ts';
import type { FileEntry } from '../core/entry.ts';
import { providerOf } from '../core/path.ts';
import type { BlobRows } from './blob-rows.ts';
import { type DirectoryCounts, topOf } from './directories.ts';
import { forgetObjectAt, moveProvenance } from './provenance.ts';
import { actorKindCode, bytesOf, codeOf, encodingCode, historyActionCode, originCode } from './rows.ts';
import type { Statements } from './sqlite.ts';
import { noteEvent } from './subscription-deliveries.ts';

export interface PersistParts {
  readonly statements: Statements;
  readonly blobs: BlobRows;
  readonly directories: DirectoryCounts;
}

export const labelKinds = { relation: 1, permission: 2, comment: 3, property: 4 } as const;

/** The stored number of a status is its position, from 1; the partial index of the schema names 3, succeeded. */
export const statusCode = (status: (typeof operationStatuses)[number]): number =>
  codeOf(operationStatuses, status) + 1;
export const actionCode = (action: (typeof operationActions)[number]): number =>
  codeOf(operationActions, action) + 1;

type Command = Pick<ChangeFiles, 'actor' | 'origin' | 'correlationId'> & {
  readonly atMs: number;
  /** Revision of the first change of the request; null when this is all that it did. */
  readonly batch: number | null;
};

export function persistEffect(
  parts: PersistParts,
  workspace: number,
  command: Command,
  effect: Effect,
  numbers: { readonly result: Applied; readonly firstEventSeq: number },
): void {
  const { removed, written } = effect;
  if (removed !== null && removed.path !== written?.path) removeEntry(parts, workspace, removed);
  if (removed !== null) followProvenance(parts.statements, workspace, removed, written);
  if (written !== null) writeEntry(parts, workspace, written, removed);
  if (effect.content !== null) parts.blobs.add(effect.content);
  else if (written !== null) parts.blobs.addStored(written.hash);
  insertHistory(parts.statements, workspace, command, effect);
  insertEvents(parts.statements, workspace, command, effect, numbers.firstEventSeq);
  insertOperations(parts.statements, workspace, command, effect, numbers.result);
  for (const marker of effect.markers) {
    setRules(parts.statements, workspace, marker.directory, 1, marker.permissions ?? []);
  }
  if (effect.identity !== null) {
    const { identity, expiresAtMs } = effect.identity;
    parts.statements.run(
      'INSERT OR REPLACE INTO identities (workspace, kind, key, result, expires_at) VALUES (?, ?, ?, ?, ?)',
      workspace,
      identity.kind,
      identity.key,
      JSON.stringify(numbers.result),
      expiresAtMs,
    );
  }
}

/** Where the provider's object lies, and what the provider has of it, go with the file. */
function followProvenance(
  statements: Statements,
  workspace: number,
  removed: FileEntry,
  written: FileEntry | null,
): void {
  if (written === null) {
    if (removed.providerObjectId !== null) forgetObjectAt(statements, workspace, removed.path);
  } else if (written.path !== removed.path) {
    moveProvenance(statements, workspace, removed.path, written.path);
  }
}

function removeEntry(parts: PersistParts, workspace: number, entry: FileEntry): void {
  parts.statements.run('DELETE FROM entries WHERE workspace = ? AND path = ?', workspace, entry.path);
  parts.directories.add(entry.path, -1);
  removeLabels(parts.statements, workspace, entry);
  if (entry.semantics.permissions !== undefined) setRules(parts.statements, workspace, entry.path, 0, []);
}

function writeEntry(
  parts: PersistParts,
  workspace: number,
  entry: FileEntry,
  removed: FileEntry | null,
): void {
  const { statements, directories } = parts;
  const values = [
    entry.editedAtMs,
    entry.revision,
    bytesOf(entry.hash),
    entry.sizeBytes,
    entry.contentType,
    encodingCode(entry.encoding),
    entry.providerObjectId,
    semanticsText(entry.semantics),
  ];
  const before = removed?.path === entry.path ? removed : null;
  if (before === null) {
    directories.makeRoomForFile(entry.path);
    statements.run(
      `INSERT INTO entries (workspace, path, updated_at, revision, hash, size, content_type, base64,
         provider_object_id, semantics, top) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspace,
      entry.path,
      ...values,
      topOf(entry.path),
    );
    directories.add(entry.path, 1);
  } else {
    statements.run(
      `UPDATE entries SET updated_at = ?, revision = ?, hash = ?, size = ?, content_type = ?, base64 = ?,
         provider_object_id = ?, semantics = ? WHERE workspace = ? AND path = ?`,
      ...values,
      workspace,
      entry.path,
    );
  }
  const semanticsBefore = before === null ? {} : before.semantics;
  if (semanticsBefore === entry.semantics) return;
  if (before !== null) removeLabels(statements, workspace, before);
  insertLabels(statements, workspace, entry);
  const permissions = entry.semantics.permissions;
  if (permissions !== undefined || semanticsBefore.permissions !== undefined) {
    setRules(statements, workspace, entry.path, 0, permissions ?? []);
  }
}

function semanticsText(semantics: Semantics): string | null {
  return Object.keys(semantics).length === 0 ? null : JSON.stringify(semantics);
}

// ---- labels and rules

function labelsOf(semantics: Semantics): readonly (readonly [kind: number, name: string, value: string])[] {
  return [
    ...(semantics.relations ?? []).map((value) => [labelKinds.relation, '', value] as const),
    ...(semantics.permissions ?? []).map((value) => [labelKinds.permission, '', value] as const),
    ...(semantics.comments ?? []).map((value) => [labelKinds.comment, '', value] as const),
    ...Object.entries(semantics.properties ?? {}).map(
      ([name, value]) => [labelKinds.property, name, value] as const,
    ),
  ];
}

function insertLabels(statements: Statements, workspace: number, entry: FileEntry): void {
  for (const [kind, name, value] of labelsOf(entry.semantics)) {
    statements.run(
      'INSERT OR IGNORE INTO labels (workspace, kind, name, value, path) VALUES (?, ?, ?, ?, ?)',
      workspace,
      kind,
      name,
      value,
      entry.path,
    );
  }
}

function removeLabels(statements: Statements, workspace: number, entry: FileEntry): void {
  for (const [kind, name, value] of labelsOf(entry.semantics)) {
    statements.run(
      'DELETE FROM labels WHERE workspace = ? AND kind = ? AND name = ? AND value = ? AND path = ?',
      workspace,
      kind,
      name,
      value,
      entry.path,
    );
  }
}

/** A marker is kept for all its permissions, since queries ask for tags, too; a file only for rules. */
function setRules(
  statements: Statements,
  workspace: number,
  path: string,
  isMarker: 0 | 1,
  permissions: readonly string[],
): void {
  const matters = isMarker === 1 ? permissions.length > 0 : effectiveRules([permissions], []).length > 0;
  if (matters) {
    statements.run(
      'INSERT OR REPLACE INTO access_rules (workspace, path, is_marker, permissions) VALUES (?, ?, ?, ?)',
      workspace,
      path,
      isMarker,
      JSON.stringify(permissions),
    );
  } else {
    statements.run(
      'DELETE FROM access_rules WHERE workspace = ? AND path = ? AND is_marker = ?',
      workspace,
      path,
      isMarker,
    );
  }
}

// ---- what the change leaves behind

function insertHistory(statements: Statements, workspace: number, command: Command, effect: Effect): void {
  const { actor } = command;
  for (const draft of effect.history) {
    const written = effect.written?.revision === draft.revision ? effect.written : null;
    const semantics = draft.kept?.semantics ?? written?.semantics;
    statements.run(
      `INSERT INTO history (workspace, path, revision, action, moved_from, hash, size, content_type, base64, actor_kind,
         actor_name, token_id, origin, correlation_id, operation, at, batch, restored_from, semantics, rules)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspace,
      draft.path,
      draft.revision,
      historyActionCode(draft.action),
      draft.movedFrom,
      draft.hash === null ? null : bytesOf(draft.hash),
      draft.sizeBytes,
      draft.contentType,
      encodingCode(draft.encoding),
      actorKindCode(actor.kind),
      actor.name,
      actor.tokenId,
      originCode(command.origin),
      command.correlationId,
      draft.opId === null ? null : Number(draft.opId.slice('op_'.length)),
      command.atMs,
      command.batch,
      draft.restoredFrom ?? null,
      semantics === undefined ? null : semanticsText(semantics),
      draft.kept === undefined ? rulesAt(effect, draft.revision) : rulesText(draft.kept.permissions),
    );
  }
}

function insertEvents(
  statements: Statements,
  workspace: number,
  command: Command,
  effect: Effect,
  firstSeq: number,
): void {
  effect.events.forEach((draft, index) => {
    const rules = draft.permissions.length === 0 ? null : JSON.stringify(draft.permissions);
    statements.run(
      `INSERT INTO events (workspace, seq, type, path, revision, hash, origin, provider, correlation_id, at, rules)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspace,
      firstSeq + index,
      draft.type,
      draft.path,
      draft.revision,
      draft.hash === null ? null : bytesOf(draft.hash),
      originCode(command.origin),
      providerOf(draft.path),
      command.correlationId,
      command.atMs,
      rules,
    );
    noteEvent(statements, workspace, {
      id: `evt_${firstSeq + index}`,
      type: draft.type,
      path: draft.path,
      revision: draft.revision === null ? '' : `rev_${draft.revision}`,
      origin: command.origin,
      provider: providerOf(draft.path),
      correlationId: command.correlationId,
      timestamp: new Date(command.atMs).toISOString(),
      atMs: command.atMs,
      rules,
    });
  });
}

function insertOperations(
  statements: Statements,
  workspace: number,
  command: Command,
  effect: Effect,
  result: Applied,
): void {
  const identity = result.contentIdentity === undefined ? null : JSON.stringify(result.contentIdentity);
  for (const draft of effect.operations) {
    statements.run(
      `INSERT INTO operations (workspace, number, path, revision, action, provider, status, attempts, identity,
         correlation_id, created_at, updated_at, completed_at, rules) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
      workspace,
      draft.number,
      draft.path,
      draft.revision,
      actionCode(draft.action),
      draft.provider,
      statusCode(draft.status),
      identity,
      command.correlationId,
      command.atMs,
      command.atMs,
      draft.status === 'pending' ? null : command.atMs,
      draft.status === 'pending' ? rulesAt(effect, draft.revision) : null,
    );
    if (draft.supersedes !== null) {
      statements.run(
        'UPDATE operations SET superseded_by = ?, updated_at = ? WHERE workspace = ? AND number = ?',
        draft.number,
        command.atMs,
        workspace,
        draft.supersedes,
      );
    }
  }
}

/** The rules that the event of the same revision was stored with: what is told of the operation later falls under them. */
function rulesAt(effect: Effect, revision: number): string | null {
  const event = effect.events.find((draft) => draft.revision === revision);
  return event === undefined ? null : rulesText(event.permissions);
}

function rulesText(permissions: readonly string[]): string | null {
  return permissions.length === 0 ? null : JSON.stringify(permissions);
}
