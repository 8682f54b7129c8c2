// Decides whether a waiting envelope may be dropped because a newer one of the same file arrived. Pure. Dropping the older one must
// not change the final state of the workspace.

/** What coalescing compares. Only readable payloads have it: a broken envelope must neither be dropped nor replace another one. */
export interface CoalesceShape {
  readonly kind: 'upsert' | 'delete';
  readonly path: string;
  readonly objectId: string | null;
  readonly hasContentType: boolean;
  readonly hasSemantics: boolean;
}

export interface Waiting {
  readonly shape: CoalesceShape;
  readonly acceptedAtMs: number;
  /** When it happened at its provider; null: unknown. */
  readonly occurredAtMs: number | null;
}

/** Does `newer`, which arrives now, replace `older`? Both are of one provider of one workspace. */
export function replaces(newer: Waiting, older: Waiting, windowMs: number): boolean {
  const { shape: after } = newer;
  const { shape: before } = older;
  if (after.path !== before.path || after.objectId !== before.objectId) return false;
  if (newer.acceptedAtMs - older.acceptedAtMs > windowMs) return false;
  // An envelope that may be older than the one it replaces must not replace it; without times the order of arrival decides.
  if ((newer.occurredAtMs === null) !== (older.occurredAtMs === null)) return false;
  if (newer.occurredAtMs !== null && older.occurredAtMs !== null && newer.occurredAtMs < older.occurredAtMs) {
    return false;
  }
  // A delete replaces everything and keeps nothing. A write keeps what it does not name, so it must name everything.
  if (after.kind === 'delete') return true;
  if (before.kind === 'delete') return false;
  return (after.hasContentType || !before.hasContentType) && (after.hasSemantics || !before.hasSemantics);
}
