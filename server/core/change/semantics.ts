// The stored form of a file's metadata, so that equal metadata is equal text. Pure; access rules in it are read by access/acl.

import type { Semantics } from '../../contract/common.ts';
import type { FileEntry } from '../entry.ts';

/** Lists trimmed, without repeats, sorted; empty parts left out (contract, PUT file). */
function normalizeSemantics(semantics: Semantics): Semantics {
  const properties = Object.entries(semantics.properties ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const relations = normalizeList(semantics.relations);
  const permissions = normalizeList(semantics.permissions);
  const comments = normalizeList(semantics.comments);
  return {
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(relations.length === 0 ? {} : { relations }),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(comments.length === 0 ? {} : { comments }),
  };
}

function isEmptySemantics(normal: Semantics): boolean {
  return Object.keys(normal).length === 0;
}

function normalizeList(list: readonly string[] | undefined): string[] {
  if (list === undefined) return [];
  const kept = new Set<string>();
  for (const item of list) {
    const trimmed = item.trim();
    if (trimmed !== '') kept.add(trimmed);
  }
  return [...kept].sort();
}

/** Absent or empty metadata keeps what the file has. */
export function semanticsAfter(given: Semantics | undefined, current: FileEntry | null): Semantics {
  const normal = given === undefined ? {} : normalizeSemantics(given);
  return isEmptySemantics(normal) ? (current?.semantics ?? {}) : normal;
}
