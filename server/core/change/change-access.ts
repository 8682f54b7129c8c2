// The rules of access that a change meets at its path, and those that it brings along: pure. What a rule means is in acl.ts.
import type { Semantics } from '../../contract/common.ts';
import { effectivePermissions, effectiveRules, isAclPath, isAllowed, readAclFile } from '../access/acl.ts';
import { grantsScope } from '../access/scope.ts';
import type { FileEntry } from '../entry.ts';
import { parentOf } from '../paths/path.ts';
import type { AcceptedChange, AclFile, ChangeContext, PathState } from './decision.ts';

export function fileOf(state: PathState): FileEntry | null {
  return state.entry?.type === 'file' ? state.entry : null;
}

export function permissionsOf(markers: readonly AclFile[], file: FileEntry | null): readonly string[] {
  if (markers.length === 0) return file?.semantics.permissions ?? [];
  return effectivePermissions(
    markers.map((marker) => marker.permissions),
    file?.semantics.permissions ?? [],
  );
}

export function isChangeAllowed(
  permissions: readonly string[],
  context: Pick<ChangeContext, 'access'>,
): boolean {
  return permissions.length === 0 || isAllowed(effectiveRules([permissions], []), context.access);
}

/** May the caller be shown a file at this path? By its access rules and, unlike `isChangeAllowed`, by the scopes of the token. */
export function isReadAllowed(path: string, permissions: readonly string[], context: ChangeContext): boolean {
  const { access } = context;
  if (access === null) return true;
  const subjects = [access, ...(access.under ?? [])];
  return (
    subjects.every(({ scopes }) => grantsScope(scopes, 'fs:read', path)) &&
    isChangeAllowed(permissions, context)
  );
}

/** Nothing at all where no permission is a rule: most events need none stored. */
export function enforced(permissions: readonly string[]): readonly string[] {
  return effectiveRules([permissions], []).length === 0 ? [] : permissions;
}

/** The ancestors' markers as they will be once the change's own markers are in force. */
export function withAclFiles(
  inherited: readonly AclFile[],
  changed: AcceptedChange['markers'],
): readonly AclFile[] {
  if (changed.length === 0) return inherited;
  const kept = inherited.filter((marker) => !changed.some((one) => one.directory === marker.directory));
  const added = changed.flatMap(({ directory, permissions }) =>
    permissions === null ? [] : [{ directory, permissions }],
  );
  return [...kept, ...added];
}

export function directoryOf(path: string): string {
  return parentOf(path) ?? '/';
}

/** null: not a marker. A marker's metadata names the permissions; without any, its JSON text does (contract 1.3). */
export function aclFileOf(
  path: string,
  semantics: Semantics,
  text: string | null,
): null | ({ readonly ok: true } & AclFile) | { readonly ok: false; readonly reason: string } {
  if (!isAclPath(path)) return null;
  const read = readAclFile(semantics, text);
  if (!read.valid) return { ok: false, reason: `an access-rule file is not valid: ${read.reason}` };
  return { ok: true, directory: directoryOf(path), permissions: read.permissions };
}
