// Index rows of a file's metadata, and the access rules of files and ACL files.
import type { Semantics } from '../../../contract/common.ts';
import { effectiveRules } from '../../../core/access/acl.ts';
import type { AclFile } from '../../../core/change/decision.ts';
import type { FileEntry } from '../../../core/entry.ts';
import type { ReadStatements, WriteStatements } from '../../database/statements.ts';

export const metadataKinds = { relation: 1, permission: 2, comment: 3, property: 4 } as const;

function metadataRows(
  semantics: Semantics,
): readonly (readonly [kind: number, name: string, value: string])[] {
  return [
    ...(semantics.relations ?? []).map((value) => [metadataKinds.relation, '', value] as const),
    ...(semantics.permissions ?? []).map((value) => [metadataKinds.permission, '', value] as const),
    ...(semantics.comments ?? []).map((value) => [metadataKinds.comment, '', value] as const),
    ...Object.entries(semantics.properties ?? {}).map(
      ([name, value]) => [metadataKinds.property, name, value] as const,
    ),
  ];
}

export function insertMetadata(statements: WriteStatements, workspace: number, entry: FileEntry): void {
  for (const [kind, name, value] of metadataRows(entry.semantics)) {
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

export function removeMetadata(statements: WriteStatements, workspace: number, entry: FileEntry): void {
  for (const [kind, name, value] of metadataRows(entry.semantics)) {
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

/** An ACL file is stored with all its permissions, since queries search for tags, too; a file only with its rules. */
export function setRules(
  statements: WriteStatements,
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

/** Does any directory of the workspace have an ACL file with rules? */
export function hasAclFiles(statements: ReadStatements, workspace: number): boolean {
  return statements.memoize(selectAclFile, workspace) !== undefined;
}

export const selectAclFile = 'SELECT 1 FROM access_rules WHERE workspace = ? AND is_marker = 1 LIMIT 1';

export function readAclFile(
  statements: ReadStatements,
  workspace: number,
  directory: string,
): AclFile | null {
  const row = statements.get<{ permissions: string }>(
    'SELECT permissions FROM access_rules WHERE workspace = ? AND path = ? AND is_marker = 1',
    workspace,
    directory,
  );
  return row === undefined ? null : { directory, permissions: JSON.parse(row.permissions) as string[] };
}
