// Recognizes a pasted id and names the screens that show it. Pure.

export type IdKind = 'operation' | 'deadLetter' | 'event' | 'conflict' | 'correlation';

export interface PastedId {
  readonly kind: IdKind;
  readonly id: string;
  /** The screen that shows it. */
  readonly screenId: string;
  /** `Operation` */
  readonly name: string;
}

interface Kind extends Omit<PastedId, 'id'> {
  readonly prefix: string;
  readonly rest: RegExp;
}

const numbered = /^\d+$/;
const sealed = /^[A-Za-z0-9_-]+$/;

const kinds: readonly Kind[] = [
  { kind: 'operation', prefix: 'op_', rest: numbered, screenId: 'operations', name: 'Operation' },
  { kind: 'event', prefix: 'evt_', rest: numbered, screenId: 'activity', name: 'Event' },
  { kind: 'deadLetter', prefix: 'env_', rest: sealed, screenId: 'dead-letters', name: 'Inbound event' },
  { kind: 'conflict', prefix: 'con_', rest: sealed, screenId: 'conflicts', name: 'Conflict' },
];

const ofCorrelation = [
  { kind: 'correlation', screenId: 'operations', name: 'Operations with correlation id' },
  { kind: 'correlation', screenId: 'activity', name: 'Activity with correlation id' },
  { kind: 'correlation', screenId: 'logs', name: 'Log entries with correlation id' },
] as const;

/** null: no screen shows such an id. */
function pastedId(id: string): PastedId | null {
  const match = kinds.find(({ prefix, rest }) => id.startsWith(prefix) && rest.test(id.slice(prefix.length)));
  if (match === undefined) return null;
  const { kind, screenId, name } = match;
  return { kind, id, screenId, name };
}

/**
 * What a text can mean that begins with `#`: an id; a number, which is that of an operation or an event; otherwise a correlation id,
 * which several screens show. A text without `#` is only an id. Empty: none of them.
 * Surrounding spaces are ignored.
 */
export function pastedIds(text: string): readonly PastedId[] {
  const trimmed = text.trim();
  const isMarked = trimmed.startsWith('#');
  const id = isMarked ? trimmed.slice(1).trim() : trimmed;
  const known = pastedId(id);
  if (known !== null) return [known];
  if (!isMarked || id === '') return [];
  const numbers = numbered.test(id)
    ? kinds.filter(({ rest }) => rest === numbered).map(({ prefix }) => pastedId(`${prefix}${id}`))
    : [];
  return [...numbers.filter((each) => each !== null), ...ofCorrelation.map((each) => ({ ...each, id }))];
}
