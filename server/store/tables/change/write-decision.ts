// Writes a decision: entry, metadata, rules, content, history, events, operations. Runs in the writer, inside its transaction, and
// reads only the accepted change.
import type { Applied } from '../../../core/change/change.ts';
import type { AcceptedChange } from '../../../core/change/decision.ts';
import type { FileEntry } from '../../../core/entry.ts';
import type { BlobRows } from '../../contents/blob-rows.ts';
import { bytesOf, encodingCode, semanticsText } from '../../database/rows.ts';
import type { WriteStatements } from '../../database/statements.ts';
import { type DirectoryCounts, deleteEntry, topOf } from '../files/directories.ts';
import { insertMetadata, removeMetadata, setRules } from '../files/entry-metadata.ts';
import { saveIdentity } from '../files/identities.ts';
import { deleteObjectAt, moveProvenance } from '../files/provenance.ts';
import { insertEvents, insertHistory, insertOperations, type PersistCommand } from './write-log.ts';

/** The engine of a hub knows by these which row is there after them (postgres/known-rows.ts). */
export const insertFile = `INSERT INTO entries (workspace, path, updated_at, revision, hash, size, content_type, base64,
    provider_object_id, semantics, top) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
export const updateFile = `UPDATE entries SET updated_at = ?, revision = ?, hash = ?, size = ?, content_type = ?, base64 = ?,
    provider_object_id = ?, semantics = ? WHERE workspace = ? AND path = ?`;

export interface WriteDeps {
  readonly statements: WriteStatements;
  readonly blobs: BlobRows;
  readonly directories: DirectoryCounts;
}

export function writeDecision(
  deps: WriteDeps,
  workspace: number,
  command: PersistCommand,
  accepted: AcceptedChange,
  numbers: { readonly result: Applied; readonly firstEventSeq: number },
): void {
  const { removed, written } = accepted;
  if (removed !== null && removed.path !== written?.path) removeEntry(deps, workspace, removed);
  if (removed !== null) followProvenance(deps.statements, workspace, removed, written);
  if (written !== null) writeEntry(deps, workspace, written, removed);
  if (accepted.content !== null) deps.blobs.add(accepted.content);
  else if (written !== null) deps.blobs.addStored(written.hash);
  insertHistory(deps.statements, workspace, command, accepted);
  insertEvents(deps.statements, workspace, command, accepted, numbers.firstEventSeq);
  insertOperations(deps.statements, workspace, command, accepted, numbers.result);
  for (const aclFile of accepted.aclFiles) {
    setRules(deps.statements, workspace, aclFile.directory, 1, aclFile.permissions ?? []);
  }
  saveIdentity(deps.statements, workspace, accepted, numbers.result);
}

/** The path of the provider's object, and its last sent content, move with the file. */
function followProvenance(
  statements: WriteStatements,
  workspace: number,
  removed: FileEntry,
  written: FileEntry | null,
): void {
  if (written === null) {
    if (removed.providerObjectId !== null) deleteObjectAt(statements, workspace, removed.path);
  } else if (written.path !== removed.path) {
    moveProvenance(statements, workspace, removed.path, written.path);
  }
}

function removeEntry(deps: WriteDeps, workspace: number, entry: FileEntry): void {
  deps.statements.run(deleteEntry, workspace, entry.path);
  deps.directories.add(entry.path, -1);
  removeMetadata(deps.statements, workspace, entry);
  if (entry.semantics.permissions !== undefined) setRules(deps.statements, workspace, entry.path, 0, []);
}

function writeEntry(deps: WriteDeps, workspace: number, entry: FileEntry, removed: FileEntry | null): void {
  const { statements, directories } = deps;
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
    directories.removeEmptied(entry.path);
    statements.run(insertFile, workspace, entry.path, ...values, topOf(entry.path));
    directories.add(entry.path, 1);
  } else {
    statements.run(updateFile, ...values, workspace, entry.path);
  }
  const semanticsBefore = before === null ? {} : before.semantics;
  if (semanticsBefore === entry.semantics) return;
  if (before !== null) removeMetadata(statements, workspace, before);
  insertMetadata(statements, workspace, entry);
  const permissions = entry.semantics.permissions;
  if (permissions !== undefined || semanticsBefore.permissions !== undefined) {
    setRules(statements, workspace, entry.path, 0, permissions ?? []);
  }
}
