// When a delivery that waits may give way to a newer one of the same file. Pure. The rule: leaving the older one out must not
// show in what the workspace holds afterwards.

/** What of a delivery matters here. Only readable ones have it: a broken delivery must neither vanish nor make another vanish. */
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
  /** When it happened at its provider; null when nobody said. */
  readonly occurredAtMs: number | null;
}

/** Does `newer`, which arrives now, make `older` superfluous? Both are of one provider of one workspace. */
export function replaces(newer: Waiting, older: Waiting, windowMs: number): boolean {
  const { shape: after } = newer;
  const { shape: before } = older;
  if (after.path !== before.path || after.objectId !== before.objectId) return false;
  if (newer.acceptedAtMs - older.acceptedAtMs > windowMs) return false;
  // One that may turn out to be older than what it replaces must not replace it; without a time the order of arrival rules.
  if ((newer.occurredAtMs === null) !== (older.occurredAtMs === null)) return false;
  if (newer.occurredAtMs !== null && older.occurredAtMs !== null && newer.occurredAtMs < older.occurredAtMs) {
    return false;
  }
  // A delete takes everything; after a delete nothing is kept. A write keeps what it does not name, so it must name it all.
  if (after.kind === 'delete') return true;
  if (before.kind === 'delete') return false;
  return (after.hasContentType || !before.hasContentType) && (after.hasSemantics || !before.hasSemantics);
}
