// Access rules that apply to a change, and those that the change itself sets: pure. What a rule means is in acl.ts.
import type { Semantics } from '../../contract/common.ts';
import { effectivePermissions, effectiveRules, isAclPath, isAllowed, readAclFile } from '../access/acl.ts';
import { grantsScope } from '../access/scope.ts';
import type { FileEntry } from '../entry.ts';
import { parentOf } from '../paths/path.ts';
import type { AcceptedChange, AclFile, ChangeContext, PathState } from './decision.ts';

export function fileOf(state: PathState): FileEntry | null {
  return state.entry?.type === 'file' ? state.entry : null;
}

export function permissionsOf(aclFiles: readonly AclFile[], file: FileEntry | null): readonly string[] {
  if (aclFiles.length === 0) return file?.semantics.permissions ?? [];
  return effectivePermissions(
    aclFiles.map((aclFile) => aclFile.permissions),
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
  const subjects = [access, ...(access.parents ?? [])];
  return (
    subjects.every(({ scopes }) => grantsScope(scopes, 'fs:read', path)) &&
    isChangeAllowed(permissions, context)
  );
}

/** Empty where no permission is a rule: most events need none stored. */
export function enforced(permissions: readonly string[]): readonly string[] {
  return effectiveRules([permissions], []).length === 0 ? [] : permissions;
}

/** The ancestors' ACL files, including the change's own. */
export function withAclFiles(
  inherited: readonly AclFile[],
  changed: AcceptedChange['aclFiles'],
): readonly AclFile[] {
  if (changed.length === 0) return inherited;
  const kept = inherited.filter((aclFile) => !changed.some((one) => one.directory === aclFile.directory));
  const added = changed.flatMap(({ directory, permissions }) =>
    permissions === null ? [] : [{ directory, permissions }],
  );
  return [...kept, ...added];
}

export function directoryOf(path: string): string {
  return parentOf(path) ?? '/';
}

/** null: not an ACL file. Its metadata names the permissions, or else its JSON content. */
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
