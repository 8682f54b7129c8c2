// Labels of the proofs, per mirror and over all mirrors. Pure. "Equal" always has the time of its proof.
import type { MirrorProof } from '../../../server/contract/proof.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { count, plural } from '../format.ts';
import type { StatusView } from './mirror-view.ts';

const views: Readonly<Record<MirrorProof['state'], StatusView>> = {
  equal: { kind: 'ok', word: 'Equal' },
  proving: { kind: 'active', word: 'Proving' },
  'not-equal': { kind: 'halted', word: 'Not equal' },
  'equal-until-pause': { kind: 'paused', word: 'Equal until pause' },
  unproven: { kind: 'waiting', word: 'Not proved' },
};

export function proofStatus({ state }: MirrorProof): StatusView {
  return views[state];
}

/** A time and its relation to the label beside it. */
export interface ProofTime {
  readonly at: string;
  readonly kind: 'since' | 'at' | 'before-restart';
}

/** The time of the label; null: none. A proof from before the restart does not describe the present state. */
export function proofTime({ alarm, last, beforeRestart }: MirrorProof): ProofTime | null {
  if (alarm !== null) return { at: alarm.since, kind: 'since' };
  if (last !== null) return { at: last.provedAt, kind: 'at' };
  return beforeRestart === null ? null : { at: beforeRestart.provedAt, kind: 'before-restart' };
}

/** `12 files compared, all read from disk, 3 excluded`; null: no proof. */
export function proofExtent({ last }: Pick<MirrorProof, 'last'>): string | null {
  if (last === null) return null;
  const { files, hashedFiles } = last;
  const read =
    hashedFiles === 0 ? '' : `, ${hashedFiles === files ? 'all' : count(hashedFiles)} read from disk`;
  const leftOut = last.leftOut === 0 ? '' : `, ${count(last.leftOut)} excluded`;
  return `${plural(files, 'file')} compared${read}${leftOut}`;
}

/** The last proofs of all mirrors as one; null: none is proved. */
export function sumOfProofs(mirrors: readonly Mirror[]): MirrorProof['last'] {
  const known = mirrors.flatMap(({ proof }) => proof.last ?? []);
  const [first] = known;
  if (first === undefined) return null;
  const sum = (pick: (last: NonNullable<MirrorProof['last']>) => number): number =>
    known.reduce((total, last) => total + pick(last), 0);
  return {
    ...first,
    files: sum(({ files }) => files),
    hashedFiles: sum(({ hashedFiles }) => hashedFiles),
    leftOut: sum(({ leftOut }) => leftOut),
  };
}

export interface ProofSummary {
  readonly view: StatusView;
  /** The time of the oldest proof; null: not every mirror is proved. */
  readonly provedAt: string | null;
}

/** Over all mirrors; null without mirrors. */
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
  // A halted mirror can have an old proof, which does not describe its present state.
  const known = times.length === mirrors.length && mirrors.every(({ proof }) => proof.state !== 'unproven');
  if (oldest === undefined || !known)
    return { view: { kind: 'waiting', word: 'Not all proved' }, provedAt: null };
  return { view: { kind: 'ok', word: 'Proved equal' }, provedAt: oldest };
}
