// What the proof meter says to a person: the word of each mirror, and the sentence over all of them. Pure.
// "Equal" is only said with the time at which it was found; what moved since is being proved.
import type { MirrorProof } from '../../../server/contract/proof.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { count, plural } from '../format.ts';
import type { StatusView } from './mirror-view.ts';

const words: Readonly<Record<MirrorProof['state'], StatusView>> = {
  equal: { kind: 'ok', word: 'Equal' },
  proving: { kind: 'active', word: 'Proving' },
  'not-equal': { kind: 'halted', word: 'Not equal' },
  'equal-until-pause': { kind: 'paused', word: 'Equal until pause' },
  unproven: { kind: 'waiting', word: 'Not proved' },
};

export function proofStatus({ state }: MirrorProof): StatusView {
  return words[state];
}

/** A moment and how it stands to the word beside it. */
export interface ProofTime {
  readonly at: string;
  readonly kind: 'since' | 'at' | 'before-restart';
}

/** The moment that the word is about; null: there is none. What was proved before the restart says nothing of what is now. */
export function proofTime({ alarm, last, beforeRestart }: MirrorProof): ProofTime | null {
  if (alarm !== null) return { at: alarm.since, kind: 'since' };
  if (last !== null) return { at: last.provedAt, kind: 'at' };
  return beforeRestart === null ? null : { at: beforeRestart.provedAt, kind: 'before-restart' };
}

/** `12 files, all hashed, 3 left out: listed`; null: nothing was proved. */
export function proofExtent({ last }: MirrorProof): string | null {
  if (last === null) return null;
  const hashed = last.hashedFiles === last.files ? 'all' : count(last.hashedFiles);
  const leftOut = last.leftOut === 0 ? '' : `, ${count(last.leftOut)} left out: listed`;
  return `${plural(last.files, 'file')}, ${hashed} hashed${leftOut}`;
}

export interface ProofSummary {
  readonly view: StatusView;
  /** When the oldest of what is proved was; null: not all is. */
  readonly provedAt: string | null;
}

/** Over all mirrors, in words that are true of each: null without mirrors. */
export function proofSummary(mirrors: readonly Mirror[]): ProofSummary | null {
  if (mirrors.length === 0) return null;
  const different = mirrors.filter(({ proof }) => proof.alarm !== null).length;
  if (different > 0)
    return {
      view: { kind: 'halted', word: `${count(different)} of ${count(mirrors.length)} not equal` },
      provedAt: null,
    };
  const times = mirrors.flatMap(({ proof }) => (proof.last === null ? [] : [proof.last.provedAt])).sort();
  const oldest = times[0];
  // A halted mirror was proved once; what it is now nobody knows.
  const known = times.length === mirrors.length && mirrors.every(({ proof }) => proof.state !== 'unproven');
  if (oldest === undefined || !known)
    return { view: { kind: 'waiting', word: 'Not all proved yet' }, provedAt: null };
  return { view: { kind: 'ok', word: 'Proved equal' }, provedAt: oldest };
}
