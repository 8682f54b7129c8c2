// What a pasted id names, and where it is shown. Pure.

export type IdKind = 'operation' | 'letter' | 'event' | 'conflict';

export interface PastedId {
  readonly kind: IdKind;
  readonly id: string;
  /** The screen that shows it. */
  readonly screenId: string;
  /** `Operation` */
  readonly name: string;
}

const kinds: readonly (Omit<PastedId, 'id'> & { readonly pattern: RegExp })[] = [
  { kind: 'operation', pattern: /^op_\d+$/, screenId: 'operations', name: 'Operation' },
  { kind: 'letter', pattern: /^env_[A-Za-z0-9_-]+$/, screenId: 'dead-letters', name: 'Webhook' },
  { kind: 'event', pattern: /^evt_\d+$/, screenId: 'activity', name: 'Event' },
  { kind: 'conflict', pattern: /^con_[A-Za-z0-9_-]+$/, screenId: 'conflicts', name: 'Conflict' },
];

/** null: it is none that a screen shows. Space around it does not count. */
export function pastedId(text: string): PastedId | null {
  const id = text.trim();
  const found = kinds.find(({ pattern }) => pattern.test(id));
  if (found === undefined) return null;
  const { kind, screenId, name } = found;
  return { kind, id, screenId, name };
}
