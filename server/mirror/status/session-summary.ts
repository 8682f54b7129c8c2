// What a status says of all paths of a session, remembered until the session changes: a status is asked for far more often than
// that, and a session may have a million paths. No I/O.
import { comparePaths } from '../../core/paths/path.ts';
import type { SyncSession } from '../cycle/session.ts';

export interface SessionSummary {
  /** Local-only files of a one-way mirror. */
  readonly kept: number;
  /** Files whose names say that they hold secrets; `first` in the order of paths. */
  readonly secrets: { readonly count: number; readonly first: string | null };
}

type Summarized = Pick<SyncSession, 'problemsVersion' | 'localOnly' | 'trees' | 'folderState'>;

const remembered = new WeakMap<object, { readonly version: string; readonly summary: SessionSummary }>();

export function summaryOf(session: Summarized): SessionSummary {
  const { problemsVersion, trees } = session;
  const version = `${problemsVersion} ${trees.tracked} ${trees.secrets.size}`;
  const known = remembered.get(session);
  if (known?.version === version) return known.summary;
  const summary = { kept: session.localOnly.length, secrets: secretsOf(session) };
  remembered.set(session, { version, summary });
  return summary;
}

function secretsOf({ trees, folderState }: Summarized): SessionSummary['secrets'] {
  let count = 0;
  let first: string | null = null;
  for (const path of trees.secrets) {
    if (folderState.ignores(path)) continue;
    count += 1;
    if (first === null || comparePaths(path, first) < 0) first = path;
  }
  return { count, first };
}
