// Recognizes a pasted id and names the screen that shows it. Pure.

export type IdKind = 'operation' | 'deadLetter' | 'event' | 'conflict';

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
  { kind: 'deadLetter', pattern: /^env_[A-Za-z0-9_-]+$/, screenId: 'dead-letters', name: 'Inbound event' },
  { kind: 'event', pattern: /^evt_\d+$/, screenId: 'activity', name: 'Event' },
  { kind: 'conflict', pattern: /^con_[A-Za-z0-9_-]+$/, screenId: 'conflicts', name: 'Conflict' },
];

/** null: no screen shows such an id. Surrounding spaces are ignored. */
export function pastedId(text: string): PastedId | null {
  const id = text.trim();
  const match = kinds.find(({ pattern }) => pattern.test(id));
  if (match === undefined) return null;
  const { kind, screenId, name } = match;
  return { kind, id, screenId, name };
}
