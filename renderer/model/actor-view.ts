// Who made a change: kind, name, initials and hue of the avatar. Pure.
import { actorLabel } from '../../sdk/actor-label.ts';
import type { HistoryEntry } from '../../server/contract/history.ts';

export type ActorKind = 'person' | 'agent' | 'folder' | 'provider' | 'remote' | 'mooring';

export interface ActorView {
  readonly kind: ActorKind;
  /** As in Activity and History. */
  readonly name: string;
}

const kinds: Readonly<Record<HistoryEntry['actor']['kind'], ActorKind>> = {
  token: 'agent',
  mirror: 'folder',
  provider: 'provider',
  remote: 'remote',
  system: 'mooring',
};

export function actorView({ actor }: Pick<HistoryEntry, 'actor'>): ActorView {
  // A personal token of a user of a hub is named `anna/laptop`.
  const isPerson = actor.kind === 'token' && actor.name.includes('/');
  return { kind: isPerson ? 'person' : kinds[actor.kind], name: actorLabel(actor) };
}

const hues = 6;

/** 1 to 6 for people and agents, the same for a name everywhere; 0, grey, for all others. */
export function hueOf({ kind, name }: ActorView): number {
  if (kind !== 'person' && kind !== 'agent') return 0;
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return 1 + (sum % hues);
}

/** `AR` for `Ana Ruiz`, `AN` for `anna (laptop)`. */
export function initialsOf(name: string): string {
  const [first = '', second = ''] = name.replace(/\(.*/, '').trim().split(/\s+/);
  const letters = second === '' ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}
