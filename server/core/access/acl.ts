// Access rules of files (docs/wire-contract.md#events). Pure: it knows permission strings and a subject, never where they are
// stored.
//
//   isAclPath(path)                       a `.relayfile.acl`, whose permissions apply to its directory and its descendants
//   readAclFile(semantics, text)          its permissions, or why it is not valid; writes refuse an invalid one
//   effectivePermissions(aclFiles, own)   permission strings that apply to a path: of its ACL files, outermost first, then its own
//   effectiveRules(aclFiles, own)         the enforceable ones among them
//   isAllowed(rules, subject)             the decision; deny wins; a null subject (the agent itself) is always allowed
//
// An ACL file is in the directory that it controls, so its own rules apply to it: no subject can lift a rule by rewriting the file
// that contains it. A file that does not exist yet has no `own`: creating it needs only the ACL files above.
import type { Semantics } from '../../contract/common.ts';
import type { AccessSubject } from '../entry.ts';
import { nameOf } from '../paths/path.ts';

export const aclFileName = '.relayfile.acl';

export function isAclPath(path: string): boolean {
  return nameOf(path) === aclFileName;
}

export interface AccessRule {
  readonly effect: 'allow' | 'deny';
  readonly kind: 'public' | 'scope' | 'agent' | 'workspace';
  /** Empty for `public`. */
  readonly value: string;
}

/** Valid values of a rule; anything else makes the string a plain tag. */
const valuePatterns = {
  agent: /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
  scope: /^[A-Za-z][A-Za-z0-9]*(?::[A-Za-z][A-Za-z0-9]*)*$/,
  workspace: /^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$/,
} as const;

type ParsedPermission =
  | { readonly kind: 'rule'; readonly rule: AccessRule }
  | { readonly kind: 'tag' }
  /** Written like a rule, but without effect. */
  | { readonly kind: 'malformed' };

function parsePermission(permission: string): ParsedPermission {
  const text = permission.trim();
  const prefix = /^(allow|deny):/i.exec(text)?.[1]?.toLowerCase();
  const effect = prefix === 'deny' ? 'deny' : 'allow';
  const target = prefix === undefined ? text : text.slice(prefix.length + 1).trim();
  if (/^(public|any|\*)$/i.test(target)) return { kind: 'rule', rule: { effect, kind: 'public', value: '' } };
  const colon = target.indexOf(':');
  const kind = target.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  if (kind !== 'scope' && kind !== 'agent' && kind !== 'workspace') {
    return { kind: prefix === undefined ? 'tag' : 'malformed' };
  }
  const value = target.slice(colon + 1).trim();
  if (!valuePatterns[kind].test(value)) return { kind: 'malformed' };
  return { kind: 'rule', rule: { effect, kind, value } };
}

// ---- ACL files

export type AclFileReading =
  | { readonly valid: true; readonly permissions: readonly string[] }
  /** `reason` is a phrase for people; it names the invalid entry. */
  | { readonly valid: false; readonly reason: string };

/**
 * Permissions of an ACL file: those of its metadata, else those of its content, JSON `{"semantics":{"permissions":[...]}}`. `text`
 * null: the content is not text. Blank content without metadata contains none.
 *
 * A string that is written like a rule but has no effect (`deny:agent:two words`) is invalid: it would leave open what it was meant
 * to close. Plain tags pass.
 */
export function readAclFile(semantics: Semantics, text: string | null): AclFileReading {
  const own = semantics.permissions ?? [];
  if (own.length > 0) return checkPermissions(own);
  if (text === null) return { valid: false, reason: 'the content of an access-rule file is not text' };
  if (text.trim() === '') return { valid: true, permissions: [] };
  const stated = permissionsIn(parseJson(text));
  if (stated !== null) return checkPermissions(stated);
  return {
    valid: false,
    reason: 'an access-rule file holds JSON such as {"semantics":{"permissions":["deny:agent:a"]}}',
  };
}

function checkPermissions(permissions: readonly string[]): AclFileReading {
  const malformed = permissions.find((permission) => parsePermission(permission).kind === 'malformed');
  if (malformed === undefined) return { valid: true, permissions };
  return { valid: false, reason: `the access rule "${malformed}" is not valid` };
}

/** undefined: not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function permissionsIn(value: unknown): readonly string[] | null {
  const stated = value as
    | { readonly semantics?: { readonly permissions?: unknown } | null }
    | null
    | undefined;
  const permissions = stated?.semantics?.permissions;
  if (!Array.isArray(permissions)) return null;
  return permissions.every((permission) => typeof permission === 'string') ? permissions : null;
}

// ---- decision

/** Without duplicates, in the order of their first appearance, plain tags included: metadata queries find those, too. */
export function effectivePermissions(
  aclFiles: readonly (readonly string[])[],
  own: readonly string[],
): readonly string[] {
  return [...new Set([...aclFiles.flat(), ...own])];
}

/** Parsed, so that a listing decides on many files with one parse of the same rules. */
export function effectiveRules(
  aclFiles: readonly (readonly string[])[],
  own: readonly string[],
): readonly AccessRule[] {
  return effectivePermissions(aclFiles, own).flatMap((permission) => {
    const parsed = parsePermission(permission);
    return parsed.kind === 'rule' ? [parsed.rule] : [];
  });
}

/** A matching deny: no. Rules, but no matching allow: no. No rule: yes. A delegated subject must pass together with its issuers. */
export function isAllowed(rules: readonly AccessRule[], subject: AccessSubject | null): boolean {
  if (subject === null || rules.length === 0) return true;
  return [subject, ...(subject.parents ?? [])].every((one) => allows(rules, one));
}

function allows(rules: readonly AccessRule[], subject: AccessSubject): boolean {
  let allowed = false;
  for (const rule of rules) {
    if (!matches(rule, subject)) continue;
    if (rule.effect === 'deny') return false;
    allowed = true;
  }
  return allowed;
}

function matches(rule: AccessRule, subject: AccessSubject): boolean {
  switch (rule.kind) {
    case 'public':
      return true;
    case 'scope':
      return subject.scopes.includes(rule.value);
    case 'agent':
      return subject.agent === rule.value;
    case 'workspace':
      return subject.workspaceId === rule.value;
  }
}
